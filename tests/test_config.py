"""Each key in each layer, and what is said about values that cannot be used."""

from dataclasses import replace
from pathlib import Path

import pytest

from git_intent.config import KEYS, Config, GitConfig, Layer, LedgerConfig, load
from git_intent.config_ledger import SHELLS
from git_intent.git.repository import Repository


def loaded(repo, text=None, env=None, flags=None):
    if text is not None:
        repo.write(".cloche/config.toml", text)
    found = Repository.discover(repo.path)
    return load(found, repo.path, env or {}, flags or {})


def said(found) -> list[str]:
    return [str(issue) for issue in found.issues]


EVERYTHING = """\
active = true
[git]
name = "somebody else's table"

[intent]
embedder = "keyword"
model = "m"
token_budget = 900
inject = "off"
scan_after_tasks = false

[intent.git]
max_commits = 7
commit_subject = "kept {created}"
agent = "claude"
agent_timeout = "1h30m"
agent_authors = ["*bot*", "robot@*"]
doc_globs = ["notes/**"]
transcripts = "off"
floor = "strict"

[intent.ledger]
context_bytes = 600

[intent.ledger.tools.claude]
mutation = ["Edit"]
"""


@pytest.mark.parametrize("before", ["", "\ufeff"])
def test_n174_every_key_is_read_with_its_line(repo, before):
    found = loaded(repo, before + EVERYTHING)
    assert said(found) == []
    assert found.config == Config(
        embedder="keyword",
        model="m",
        token_budget=900,
        inject=False,
        scan_after_tasks=False,
        git=GitConfig(
            max_commits=7,
            commit_subject="kept {created}",
            agent="claude",
            agent_timeout=5400,
            agent_authors=("*bot*", "robot@*"),
            doc_globs=("notes/**",),
            transcripts=False,
            floor="strict",
        ),
        ledger=LedgerConfig(context_bytes=600),
    )
    assert {o.layer for o in found.origins.values()} == {Layer.FILE}
    assert found.origins["token_budget"].where == ".cloche/config.toml:8"
    assert found.origins["git.max_commits"].where == ".cloche/config.toml:13"
    assert set(found.origins) == set(KEYS)


def test_n174_without_a_file_all_is_default(repo):
    found = loaded(repo)
    assert found.config == Config()
    assert found.config.token_budget == 2000
    assert found.issues == ()
    assert {o.layer for o in found.origins.values()} == {Layer.DEFAULT}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[intent]\nmodel = "a"\n\n[intent]\nmodel = "b"\n', "4:8"),
        ("[intent]\ninject = off\n", "2:10"),
        ('[intent]\nmodel = "a', "2:11"),
        ("[intent]\nmodel = 1\nmodel = 2\n", "3:10"),
        (b"[intent]\nmodel = '\xff'\n", "2:10"),
    ],
)
def test_n174_a_file_that_is_no_toml_is_named_and_the_defaults_hold(repo, text, place):
    found = loaded(repo, text)
    assert found.config == Config()
    (issue,) = found.errors
    assert str(issue).startswith(f".cloche/config.toml:{place}: C001 ")


def test_n175_file_then_git_config_then_environment_then_flag(repo):
    layers = [
        ({}, {}, 100, Layer.FILE, ".cloche/config.toml:2"),
        ({}, {}, 200, Layer.GIT, "git config (.git/config)"),
        ({"GIT_INTENT_TOKEN_BUDGET": "300"}, {}, 300, Layer.ENV, ""),
        (
            {"GIT_INTENT_TOKEN_BUDGET": "300"},
            {"token_budget": 400},
            400,
            Layer.FLAG,
            "--token-budget",
        ),
    ]
    for env, flags, value, layer, where in layers:
        if layer is Layer.GIT:
            repo.git("config", "intent.tokenBudget", "200")
        found = loaded(repo, "[intent]\ntoken_budget = 100\n", env, flags)
        assert found.config.token_budget == value
        assert found.origins["token_budget"].layer is layer
        assert where in found.origins["token_budget"].where
    found = loaded(repo, flags={"token_budget": None})
    assert found.config.token_budget == 200


@pytest.mark.parametrize("scope", ["--system", "--global", "--local", "--worktree"])
def test_n175_git_config_counts_at_every_scope(repo, home, scope, monkeypatch):
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(home / "system"))
    for key, value in (("tokenBudget", "123"), ("git.maxCommits", "5")):
        repo.git("config", scope, f"intent.{key}", value)
    found = loaded(repo, "[intent]\ntoken_budget = 100\n")
    assert found.config.token_budget == 123
    assert found.config.git.max_commits == 5
    assert found.issues == ()


def test_n175_one_command_can_be_given_a_setting(repo, monkeypatch):
    """What `git -c intent.tokenBudget=77 intent …` leaves in the environment."""
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'intent.tokenBudget'='77'")
    assert loaded(repo).config.token_budget == 77


def test_n175_every_documented_spelling_works(repo):
    texts = {
        "embedder": "model2vec:e",
        "model": "m",
        "token_budget": "5",
        "inject": "off",
        "scan_after_tasks": "no",
        "git.max_commits": "6",
        "git.commit_subject": "s",
        "git.agent": "a",
        "git.agent_timeout": "5s",
        "git.agent_authors": "x",
        "git.doc_globs": "y",
        "git.transcripts": "off",
        "git.floor": "strict",
        "ledger.context_bytes": "512",
    }
    assert set(texts) == set(KEYS)
    by_env = loaded(repo, env={KEYS[name].env: text for name, text in texts.items()})
    for name, text in texts.items():
        repo.git("config", KEYS[name].git, text)
    by_git = loaded(repo)
    assert by_env.issues == by_git.issues == ()
    assert by_env.config == by_git.config
    assert by_git.config.git.agent_timeout == 5
    default = Config()
    assert by_git.config == replace(
        default,
        embedder="model2vec:e",
        model="m",
        token_budget=5,
        inject=False,
        scan_after_tasks=False,
        git=by_git.config.git,
        ledger=LedgerConfig(512),
    )


def test_lists_hold_several_values_in_git_config_and_the_environment(repo):
    repo.git("config", "--add", "intent.git.docGlobs", "a/**")
    repo.git("config", "--add", "intent.git.docGlobs", "b, c")
    assert loaded(repo).config.git.doc_globs == ("a/**", "b, c")
    found = loaded(repo, env={"GIT_INTENT_DOC_GLOBS": "x, y,"})
    assert found.config.git.doc_globs == ("x", "y")


@pytest.mark.parametrize(
    ("line", "budget", "col"),
    [
        ("token_budget = 0", 2000, 0),
        ("token_budget = -5", 2000, 16),
        ('token_budget = "many"', 2000, 16),
        ('token_budget = "100"', 2000, 16),
        ("token_budget = 1e9", 2000, 16),
        ("token_budget = 1000000000", 2000, 16),
        ("token_budget = true", 2000, 16),
        ('"token_budget"=[1]', 2000, 16),
    ],
)
def test_n176_zero_is_the_default_and_a_bad_value_is_placed(repo, line, budget, col):
    found = loaded(repo, f"[intent]\n# words\n{line}\n")
    assert found.config.token_budget == budget
    if not col:
        assert found.issues == ()
    else:
        (issue,) = found.errors
        assert str(issue) == (
            f".cloche/config.toml:3:{col}: C003 token_budget: "
            "expected a whole number from 0 to 1000000"
        )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("intent.token_budget = -1\n", "1:23"),
        ("intent = 5\n", "1:10"),
        ("intent = {token_budget = -1}\n", "1:1"),
        ('[intent]\ngit = "x"\n', "2:7"),
        ("[ intent . git ]\nfloor = 'lax'\n", "2:9"),
        ('[intent.git]\ncommit_subject = "{0}"\n', "2:18"),
        ('[intent.git]\ncommit_subject = "{created.__class__}"\n', "2:18"),
        ('[intent.git]\ncommit_subject = "{created"\n', "2:18"),
        ('[intent.git]\ncommit_subject = "a\\nb"\n', "2:18"),
        ('[intent.git]\nagent_timeout = "20 minutes"\n', "2:17"),
        ('[intent.git]\nagent_timeout = ""\n', "2:17"),
        ('[intent.git]\nagent_timeout = "0m"\n', "2:17"),
        ('[intent.git]\ndoc_globs = "x"\n', "2:13"),
        ("[intent]\ninject = false\n", "2:10"),
    ],
)
def test_n176_each_bad_value_is_placed_and_costs_only_itself(repo, text, place):
    found = loaded(repo, text)
    assert found.config == Config()
    (issue,) = found.errors
    assert str(issue).startswith(f".cloche/config.toml:{place}: C003 ")


def test_n176_a_bad_value_leaves_the_layer_below_in_force(repo):
    repo.git("config", "intent.tokenBudget", "many")
    found = loaded(
        repo, "[intent]\ntoken_budget = 50\n", {"GIT_INTENT_TOKEN_BUDGET": "-1"}
    )
    assert found.config.token_budget == 50
    wanted = "expected a whole number from 0 to 1000000"
    assert said(found) == [
        f"git config (.git/config): C003 intent.tokenBudget: {wanted}",
        f"GIT_INTENT_TOKEN_BUDGET: C003 GIT_INTENT_TOKEN_BUDGET: {wanted}",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[intent]\ntoken_buget = 1\n", "2:15: C002 token_buget: unknown key; did you"),
        ("[intent]\nmax_commits = 1\n", "did you mean [intent] git.max_commits?"),
        ("[intent]\nzzz = 1\n", "2:7: C002 zzz: unknown key"),
        ("[intent.git]\nagnet = 'a'\n", "did you mean [intent] git.agent?"),
    ],
)
def test_n176_an_unknown_key_warns_with_the_nearest_name(repo, text, message):
    found = loaded(repo, text)
    assert found.errors == ()
    (line,) = said(found)
    assert message in line


def test_n176_an_unknown_key_of_git_config_warns_and_other_sections_do_not(repo):
    for key in ("tokenBuget", "git.maxCommit", "ledgerHome", "namespace", "trust.x.y"):
        repo.git("config", f"intent.{key}", "1")
    first, second = said(loaded(repo))
    start = "git config (.git/config): C002 intent."
    assert first == f"{start}tokenbuget: unknown key; did you mean intent.tokenBudget?"
    assert second.startswith(f"{start}git.maxcommit: unknown key; did you mean")
    assert second.endswith(" intent.git.maxCommits?")


def test_outside_of_a_repository_file_and_environment_count(tmp_path: Path):
    (tmp_path / ".cloche").mkdir()
    (tmp_path / ".cloche/config.toml").write_text("[intent]\ntoken_budget = 5\n")
    found = load(None, tmp_path, {"GIT_INTENT_MODEL": "m"}, {})
    assert (found.config.token_budget, found.config.model) == (5, "m")


def test_every_key_says_what_it_is_for():
    for key in KEYS.values():
        assert key.doc.endswith("."), key.name


@pytest.mark.parametrize("line", ["10", "511", '"600"', "true", "1000001", "600.0"])
def test_l122_a_context_bound_that_is_none_is_named_and_the_default_holds(repo, line):
    found = loaded(repo, f"[intent.ledger]\ncontext_bytes = {line}\n")
    assert found.config.ledger.context_bytes == 2000
    (issue,) = found.errors
    assert str(issue) == (
        ".cloche/config.toml:2:17: C003 ledger.context_bytes: expected a whole number "
        "from 512 to 1000000"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[intent.ledger.tools]\nclaude = 1\n",
            "ledger.tools.claude: expected a table",
        ),
        (
            "[intent.ledger.tools.clod]\nmutation = []\n",
            "ledger.tools.clod: expected a host: " + ", ".join(sorted(SHELLS)),
        ),
        (
            "[intent.ledger.tools.claude]\nwrites = []\n",
            "ledger.tools.claude.writes: expected a class: mutation, mixed, read_only",
        ),
        (
            '[intent.ledger.tools.claude]\nmutation = "Edit"\n',
            "ledger.tools.claude.mutation: expected a list of texts",
        ),
        ("[intent.ledger]\ntools = 7\n", "ledger.tools: expected a table"),
        ("[intent]\nledger = 7\n", "ledger: expected a table"),
    ],
)
def test_l067_a_tool_table_that_cannot_be_read_is_named(repo, text, said):
    (issue,) = loaded(repo, text).errors
    assert issue.message == said
    assert issue.code == "C003"


def test_an_unknown_key_of_the_ledger_is_a_warning(repo):
    found = loaded(repo, "[intent.ledger]\ncontextBytes = 600\n")
    (issue,) = found.issues
    assert "did you mean [intent] ledger.context_bytes?" in issue.message
