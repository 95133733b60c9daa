"""The forms that vendors gave their tokens.

One of a shape's needles stands in every match: a text without any costs a search for a
plain string, and a pattern is compiled when its needle is first met. If the pattern has
a group, named `secret`, that alone is the secret.
"""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Shape:
    kind: str
    needles: tuple[str, ...]
    source: str
    reach: int  # how far from a needle a match may end

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


_START = r"(?<![A-Za-z0-9_-])"
_END = r"(?![A-Za-z0-9_-])"
_DIGITS = r"(?=(?:[\w-]*?\d){2})"

_TABLE = (
    # kind, needles, what follows the start of a word
    (
        "AWS access key",
        "AKIA|ASIA|ABIA|ACCA",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + _END,
    ),
    ("GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", r"gh[pousr]_[A-Za-z0-9]{30,251}"),
    ("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    ("GitLab token", "glpat-|gldt-|glrt-|glptt-", r"gl(?:pat|dt|rt|ptt)-[\w.-]{20,}"),
    ("Anthropic key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    ("OpenAI key", "sk-", rf"sk-(?:{_DIGITS}[\w-]{{20,}}|[A-Za-z0-9]{{32,}})"),
    ("Stripe key", "k_live_|k_test_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,}"),
    ("Supabase key", "sb_secret_|sbp_", r"(?:sb_secret|sbp)_[\w-]{20,}"),
    ("Slack token", "xox", r"xox[abceoprs]-(?=[\w-]*\d)[\w-]{10,}"),
    ("Slack token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{16,}"),
    ("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    ("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,}"),
    ("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{40,}"),
    ("Google key", "AIza", r"AIza[\w-]{35}" + _END),
    ("Google OAuth token", "ya29.", r"ya29\.[\w-]{20,}"),
    ("Google OAuth secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    ("SendGrid key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    ("Twilio key", "SK", r"SK[0-9a-f]{32}" + _END),
    ("Mailgun key", "key-", r"key-[0-9a-f]{32}" + _END),
    ("Mailchimp key", "-us", r"[0-9a-f]{32}-us\d{1,2}" + _END),
    ("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    ("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    ("xAI key", "xai-", r"xai-[A-Za-z0-9]{40,}"),
    ("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    ("DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
    ("Linear key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    ("Notion token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    (
        "Shopify token",
        "shpat_|shpca_|shppa_|shpss_",
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    ),
    ("Databricks token", "dapi", r"dapi[a-f0-9]{32}"),
    ("Docker token", "dckr_", r"dckr_[po]at_[\w-]{20,}"),
    ("Vault token", "hvs.", r"hvs\.[\w-]{24,}"),
    ("Grafana token", "glsa_|glc_", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    ("age key", "AGE-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("Telegram bot token", ":AA", r"\d{8,10}:AA[\w-]{32,}"),
    ("Square token", "sq0", r"sq0(?:atp|csp)-[\w-]{22,}"),
    ("Azure client secret", "8Q~", r"[\w~.-]{3}8Q~[\w~.-]{31,34}"),
    ("JSON web token", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
)
_IN_CONTEXT = (
    (
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/]{20,})",
    ),
    (
        "Discord webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d+/(?P<secret>[\w-]{30,})",
    ),
    (
        "Teams webhook",
        ".webhook.office.com",
        r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{40,})",
    ),
    (
        "Azure storage key",
        "AccountKey=",
        r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
    ),
    (
        "Azure signature",
        "sig=",
        r"[?&]sig=(?P<secret>[A-Za-z0-9%+/]{30,}(?:%3D|=)*)",
    ),
    (
        "private key",
        "PRIVATE KEY",
        # A key is a key even if what is quoted stops before its end.
        (
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"(?=[\s\\nr\"'+>|#]*(?:[\w-]+: [^\n]*\s+)*[A-Za-z0-9+/=]{20})"
            r"(?:[^-]{0,20000}-----END [A-Z0-9 ]{0,30}KEY(?: BLOCK)?-----"
            r"|[\sA-Za-z0-9+/=\\:,.]{0,20000})"
        ),
    ),
)

SHAPES = tuple(
    Shape(
        kind,
        tuple(needles.split("|")),
        pattern,
        reach=21_000 if kind in ("private key", "JSON web token") else 600,
    )
    for kind, needles, pattern in (
        *((kind, needles, _START + rest) for kind, needles, rest in _TABLE),
        *_IN_CONTEXT,
    )
)
