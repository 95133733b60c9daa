"""Fakes are put together at run time, so that no scanner finds one in this file."""

import random
import subprocess
import sys
from itertools import pairwise

import pytest

from git_intent.secrets import REMOVED, Secret, find, scrub, second_opinion, thorough

ALNUM = "AbCdEfGh1234567890iJkLmNoPqRsTuVwXyZ0987654321aBcDeFgHiJkLmNoPqRsTuVwXyZ5"
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
UPPER = "Q7RMZK2LVW9XT4BNYPDHQ7RMZK2LVW9XT4BNYPDHQ7RMZK2LVW9XT4BNYPDHJ"


def text(*parts: str) -> str:
    return "".join(parts)


JWT = text(
    *("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0", "."),
    "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
)
PEM = text(
    *("-----BEGIN RSA ", "PRIVATE KEY-----\n", ALNUM[:64], "\n", ALNUM[:40], "==\n"),
    *("-----END RSA ", "PRIVATE KEY-----"),
)

# kind of fake -> the secret itself
SHAPES = {
    "aws access key": text("AK", "IA", UPPER[:16]),
    "aws session key": text("AS", "IA", UPPER[:16]),
    "github classic": text("gh", "p_", ALNUM[:36]),
    "github oauth": text("gh", "o_", ALNUM[:36]),
    "github server": text("gh", "s_", ALNUM[:36]),
    "github fine-grained": text("github", "_pat_", ALNUM[:22], "_", ALNUM[:59]),
    "gitlab": text("gl", "pat-", ALNUM[:20]),
    "openai": text("s", "k-", ALNUM[:48]),
    "openai project": text("s", "k-proj-", ALNUM[:30], "_", ALNUM[:30]),
    "openai, letters only": text(
        "s", "k-", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
    ),
    "openrouter": text("s", "k-or-v1-", HEX),
    "anthropic": text("s", "k-ant-api03-", ALNUM[:40], "-", ALNUM[:40], "AA"),
    "stripe live": text("sk", "_live_", ALNUM[:24]),
    "stripe restricted": text("rk", "_live_", ALNUM[:24]),
    "stripe webhook": text("wh", "sec_", ALNUM[:32]),
    "supabase": text("sb", "_secret_", ALNUM[:31]),
    "supabase personal": text("sb", "p_", HEX[:40]),
    "slack bot": text("xo", "xb-", "123456789012-", "123456789012-", ALNUM[:24]),
    "slack user": text("xo", "xp-", "123456789012-", "123456789012-", HEX[:32]),
    "npm": text("np", "m_", ALNUM[:36]),
    "pypi": text("py", "pi-", "AgEIcHlwaS5vcmc", ALNUM),
    "google api": text("AI", "za", ALNUM[:35]),
    "google oauth": text("ya", "29.", ALNUM[:60]),
    "google client": text("GOC", "SPX-", ALNUM[:28]),
    "sendgrid": text("S", "G.", ALNUM[:22], ".", ALNUM[:43]),
    "twilio": text("S", "K", HEX[:32]),
    "mailgun": text("ke", "y-", HEX[:32]),
    "mailchimp": text(HEX[:32], "-u", "s12"),
    "hugging face": text("h", "f_", ALNUM[:34]),
    "groq": text("gs", "k_", ALNUM[:52]),
    "digitalocean": text("do", "p_v1_", HEX),
    "linear": text("li", "n_api_", ALNUM[:40]),
    "notion": text("nt", "n_", ALNUM[:46]),
    "shopify": text("sh", "pat_", HEX[:32]),
    "databricks": text("da", "pi", HEX[:32]),
    "docker": text("dc", "kr_pat_", ALNUM[:27]),
    "vault": text("hv", "s.", ALNUM[:24]),
    "age": text("AGE-", "SECRET-KEY-1", UPPER[:58]),
    "telegram": text("1234567890", ":A", "A", ALNUM[:33]),
    "azure client": text("abc", "8", "Q~", ALNUM[:34]),
    "jwt": JWT,
    "pem": PEM,
}
# text before, secret, text after
IN_CONTEXT = {
    "slack webhook": ("https://hooks.slack", ".com/services/T0AB/B0CD/" + ALNUM[:24]),
    "azure storage": ("DefaultEndpoints;Account", "Key=" + ALNUM[:64] + "=="),
    "azure signature": ("https://x.blob.core/c?sv=1&s", "ig=" + ALNUM[:44] + "%3D"),
    "aws secret with slashes": (
        "secret_access_" + "key: ",
        "wJa/lrXUtn9/K7MDeNG+bPxRfi",
    ),
    "azure service bus": ("Endpoint=sb://x/;SharedAccess" + "Key=", ALNUM[:43] + "="),
    "twilio auth": ("TWILIO_AUTH_TO" + "KEN=", HEX[:32]),
    "plural": ("Pass" + "words: ", "hunter2"),
    "short name": ("user: bob\npa" + "ss: ", "Gr8-Harbour!"),
    "shorter name": ("DB_P" + "W=", "Gr8-Harbour!"),
    "snake case": ("pass" + 'word = "', "Blue_42_Harbor", '"'),
    "url": ("postgres://app:", "s3cr3t-Sauce", "@db.internal:5432/prod"),
    "url with a sign": ("https://bob:", "p@ssw0rd", "@host/x"),
    "url without digits": ("amqp://worker:", "swordfish", "@queue/"),
    "url without user": ("redis://:", "p4ssw0rd-9", "@cache:6379"),
    "aws secret": ("aws_secret_access_" + "key = ", ALNUM[:40]),
    "python": ("pass" + 'word = "', "hunter2-Zeta", '"'),
    "yaml": ("pass" + "word: ", "Tr0ub4dor&3"),
    "json": ('{"tok' + 'en": "', "9f8a7b6c5d4e3f2a1b0c", '"}'),
    "env": ("export DB_PASS" + "WORD=", "qX7!kd93mZ"),
    "camel case name": ("dbPass" + "word: '", "zK8#pQ2vLm", "'"),
    "ruby": (":api_" + "key => '", "k3y9f8a7b6c5d4e3f", "'"),
    "go": ("clientSec" + 'ret := "', "Vb7Nq2Xw9Lp4Rt6Y", '"'),
    "xml": ("<pass" + "word>", "hunter2x9", "</pass" + "word>"),
    "markdown": ("**Pass" + "word:** `", "Blue42$Harbor", "`"),
    "prose": ("The database pass" + "word is ", "hunter2", "."),
    "prose with target": ("The pass" + "word for the staging box is ", "Kiwi99!x", ","),
    "prose in quotes": ("Log in with pass" + "word `", "gr33n-Apple", "` first."),
    "passphrase": ("pass" + 'word = "', "correct-horse-battery-staple", '"'),
    "flag": ("mysql -u root --pass" + "word=", "R00t!pass", " -e x"),
    "sshpass": ("sshpass -p ", "L0gin!9x", " ssh box"),
    "curl": ("curl -sS -u admin:", "Adm1n!pw9", " https://x.example/"),
    "sql": ("CREATE USER a IDENTIFIED " + "BY '", "Ora9!cle7", "'"),
    "netrc": ("machine x login bob pass" + "word ", "Net9rc!xx"),
    "bearer": ("Authorization: Bea" + "rer ", ALNUM[:32]),
    "basic": ("Authorization: Ba" + "sic ", "dXNlcjpwYXNzdzByZDEyMw=="),
    "german": ("Das Passwort lautet ", "Tomate#77"),
}

HARMLESS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "see 3f78685 and e83c5163316f89bfbde7d9ab23ca2e25604af290",
    "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 123e4567-e89b-12d3-a456-426614174000 as before",
    "token: 123e4567-e89b-12d3-a456-426614174000",
    "Use getUserAccessTokenFromCacheOrRefreshIt2 and parseHTTPResponseV2Async.",
    "const passwordResetTokenHandler = makePasswordResetTokenHandler2()",
    "fixture = 'aGVsbG8gd29ybGQsIHRoaXMgaXMganVzdCBhIHRlc3QgZml4dHVyZQ=='",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHf==",
    "Passwords must be at least 12 characters long.",
    "The password is hashed with bcrypt2 before it is stored.",
    "The password is base64-encoded, the token is a JWT.",
    "The password is required; the secret is read from the environment.",
    "Never log a password: it would end up in the archive.",
    "Ask for the password twice. Token: see the vault.",
    "password: <YOUR_PASSWORD>",
    "token = <YOUR_TOKEN>",
    'password = "changeme"',
    'password = "changeme123"',
    'api_key = "your-api-key-here-12345"',
    "token: ${TOKEN}",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "password: $DB_PASSWORD2",
    "password: {{ vault_password_2 }}",
    "password = os.environ['DB_PASSWORD_2']",
    "password = settings.database.password2",
    "token = get_token(client_id, scope2)",
    "token := tokens[0].Value",
    "secret: arn:aws:secretsmanager:eu-west-1:secret",
    "password: ********",
    "password: xxxxxxxx1",
    "token=%(token)s and password=%s",
    "api_key: DEPLOY_API_KEY_2",
    "secret_key: /run/secrets/app_key_1",
    "private_key: ~/.ssh/id_ed25519",
    "token: sha256",
    "the token is valid for 24h and the secret is 32-bytes long",
    "password: string, minimum 8",
    "https://user:password@example.com/ and https://user:pass@host/",
    "https://${USER}:${PASS}@host and https://<user>:<password>@host",
    "postgres://postgres:postgres@localhost:5432/test",
    "git@github.com:owner/name.git, ssh://git@host:2222/name",
    "http://localhost:8080/a@b and https://pkg.example/@scope/name@1.2.3",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Keys start with `sk-ant-`, `ghp_`, `AKIA` or `xoxb-`.",
    "class task-sk-fading-circle-animation-container",
    "Authorization: Bearer <token>",
    "Use a bearer token; the bearer authentication-middleware-component checks it.",
    "-----BEGIN CERTIFICATE----- is not secret; a file with PRIVATE KEY in it is",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQ\n-----END PUBLIC KEY-----",
    "`password` holds the hash, `token` the session; `secret` is unused.",
    "password:\n  min_length1: 12\n  max_length1: 64",
    "tokenizer: bert-base-uncased-v2-large-1234",
    "token_budget: 2000\nmax_tokens: 4096\ntoken-limit = 500000",
    "The token bucket is refilled every 250ms.",
    "secret: [secret removed]",
    "password = password1",
    "3 tests pass: 12 skipped; the second pass = 4096 blocks",
    "pw: see the vault",
    "token: docs/auth/token2.md, secret = new_secret_2",
    "A file that starts with -----BEGIN OPENSSH " + "PRIVATE KEY----- is refused.",
    "key = 'abcdef1234567890'",
    "version 1.2.3-rc.4+build.20260913",
    "Keep `pyproject.toml` and `uv.lock` in step (see PR #1234).",
]


@pytest.mark.parametrize("name", SHAPES)
def test_a_fake_is_found_by_its_shape(name):
    secret = SHAPES[name]
    around = f"Use {secret} for the staging account."
    found = find(around)
    assert [around[s.start : s.end] for s in found] == [secret]
    assert scrub(around) == f"Use {REMOVED} for the staging account."


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_a_fake_is_found_by_its_context(name):
    before, secret, *after = IN_CONTEXT[name]
    whole = before + secret + "".join(after)
    core = secret.rpartition("ey=")[2].rpartition("ig=")[2].rpartition("services/")[2]
    cleaned = scrub(whole)
    assert core not in cleaned
    assert REMOVED in cleaned
    assert cleaned.endswith("".join(after))


def test_there_are_forty_fakes_and_more():
    assert len(SHAPES) + len(IN_CONTEXT) >= 60


@pytest.mark.parametrize("harmless", HARMLESS)
def test_harmless_text_is_left_alone(harmless):
    assert find(harmless) == []
    assert scrub(harmless) == harmless


@pytest.mark.parametrize("name", [n for n in SHAPES if n not in ("pem", "mailchimp")])
@pytest.mark.parametrize("gap", ["\n", "\\\n    ", '" \\\n  "', '" +\n  "', "\n> "])
def test_n098_a_token_split_over_two_lines_is_found(name, gap):
    secret = SHAPES[name]
    cut = len(secret) * 2 // 3
    first, second = secret[:cut], secret[cut:]
    cleaned = scrub(f'Use "{first}{gap}{second}" for staging.')
    assert second not in cleaned
    assert first not in cleaned


@pytest.mark.parametrize(
    ("whole", "secret"),
    [
        ("pass" + "word =\n    'kV8!xq2Lz0'", ["kV8!xq2Lz0"]),
        ("The pass" + "word is\nkV8!xq2Lz0.", ["kV8!xq2Lz0"]),
        ("pass" + "word: kV8!xq2-\n  Lz0Qr7tt", ["kV8!xq2", "Lz0Qr7tt"]),
        ("pass" + 'word = "kV8!xq2" \\\n  "Lz0Qr7tt"', ["kV8!xq2", "Lz0Qr7tt"]),
        ("pass" + 'word = ("kV8!xq2"\n  "Lz0Qr7tt")', ["kV8!xq2", "Lz0Qr7tt"]),
        ("pass" + 'word = "kV8!xq2\nLz0Qr7tt"', ["kV8!xq2", "Lz0Qr7tt"]),
    ],
)
def test_n098_a_password_split_over_two_lines_is_found(whole, secret):
    cleaned = scrub(whole)
    assert not any(part in cleaned for part in secret)


def test_scrub_touches_nothing_but_the_secret():
    secret = SHAPES["github classic"]
    around = f"Ünïcode before\r\n{secret}\r\nafter: {secret}\n"
    assert scrub(around) == f"Ünïcode before\r\n{REMOVED}\r\nafter: {REMOVED}\n"


def test_scrub_is_idempotent():
    for secret in [*SHAPES.values(), *("".join(c) for c in IN_CONTEXT.values())]:
        once = scrub(f"see {secret} there")
        assert scrub(once) == once


def test_findings_are_ordered_and_disjoint():
    whole = "\n".join([*SHAPES.values(), *("".join(c) for c in IN_CONTEXT.values())])
    found = find(whole)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 <= s.start < s.end <= len(whole) for s in found)


def test_a_secret_never_shows_itself():
    found = find(f"token {SHAPES['npm']}")
    assert SHAPES["npm"][10:] not in repr(found)


def test_random_commit_ids_and_uuids_are_harmless():
    dice = random.Random(5)
    for _ in range(300):
        sha = "".join(dice.choices("0123456789abcdef", k=40))
        digest = "".join(dice.choices("0123456789abcdef", k=64))
        data = "".join(dice.choices("ABCDEFGHijklmnop0123456789+/", k=76))
        assert find(f"Revert {sha}.\n{digest}\n\n{data}\n{data}==\n") == []


def test_long_texts_take_linear_time_at_most():
    assert find("a" * 300_000) == []
    assert find("password " * 30_000) == []
    assert find("token: " + "-" * 100_000) == []
    assert find(("-----BEGIN RSA " + "PRIVATE KEY-----\n") * 2_000) == []
    assert find("https://a:" * 20_000) == []


def test_the_second_opinion_agrees_and_leaves_entropy_alone():
    secret = SHAPES["aws access key"]
    whole = f"first line\nuse {secret} here"
    assert second_opinion(whole) == [
        Secret("AWS Access Key", whole.index(secret), whole.index(secret) + 20)
    ]
    assert second_opinion("3f786850e387550fdab836ed7e6dc881de23001b 10.1.2.3") == []
    assert second_opinion('password = "changeme"\ntoken: "${TOKEN}"') == []


def test_what_both_find_is_one_secret():
    secret = SHAPES["aws access key"]
    other = text("aws_secret_access_key", ' = "', "abcdefghijklmnopqrst" * 2, '"')
    found = thorough(f"use {secret} here\n{other}")
    assert [(one.start, one.end) for one in found] == [(4, 24), (55, 95)]


def test_detect_secrets_is_imported_late():
    code = (
        "import sys, git_intent.secrets as s; s.find('pass' + 'word: Tr0ub4dor&3');"
        "print([m for m in sys.modules if m.startswith('detect_secrets')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
