"""BM25 on prepared words: the formula, its two scales, and languages."""

import marshal
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.embed.keywords import K1, LEAST, B, Words, prepare
from git_intent.embed.relevance import FLOOR, by_words
from git_intent.embed.terms import terms

RULES = [
    ["Never rename a database migration that is committed."],
    ["Log no session token.", "secrets in log files"],
    ["Format Go code with gofumpt."],
    ["Ask before the public API changes."],
]


def by_the_book(documents, query):
    """Shares in floating point, straight from the formula."""
    split = [[t for text in texts for t in terms(text)] for texts in documents]
    mean = sum(map(len, split)) / len(split)
    size = max(len(split), LEAST)
    asked = set(terms(query))
    rarity = {}
    for term in asked:
        seen = sum(term in document for document in split)
        rarity[term] = log(1 + (size - seen + 0.5) / (seen + 0.5))
    found = []
    for document in split:
        norm = K1 * (1 - B + B * len(document) / mean)
        parts = [
            rarity[t] * document.count(t) / (document.count(t) + norm) for t in asked
        ]
        found.append(sum(parts) / sum(rarity.values()))
    return found


def shares(documents, query):
    return prepare(documents).covered(query).shares()


@pytest.mark.parametrize(
    "query", ["rename the migration", "log the token", "gofumpt", "nothing of this"]
)
def test_shares_are_bm25_by_the_book(query):
    assert shares(RULES, query) == pytest.approx(by_the_book(RULES, query), abs=1e-3)


@given(
    st.lists(st.lists(st.text("ab -", max_size=9), max_size=3), max_size=6),
    st.text("ab -", max_size=12),
)
def test_scores_lie_between_zero_and_one(documents, query):
    covered = prepare(documents).covered(query)
    assert len(covered.shares()) == len(covered.evidence()) == len(documents)
    assert all(0 <= share < 1 for share in covered.shares())
    assert all(0 <= score < 1 for score in by_words(covered.evidence()))


def test_a_query_without_words_covers_nothing():
    assert shares(RULES, "") == shares(RULES, "is it the ?") == [0.0] * 4
    assert prepare([]).covered("rename").shares() == []


def test_hints_count_as_the_statement_does():
    assert shares(RULES, "secrets")[1] > 0


def test_a_rare_term_counts_more_than_a_common_one():
    rules = [["alpha beta"], ["alpha gamma"], ["alpha delta"], ["alpha beta"]]
    both = shares(rules, "beta gamma")
    assert both[1] > both[0] > both[2] == 0


def test_evidence_does_not_shrink_with_the_length_of_the_task():
    words = prepare(RULES)
    short = words.covered("gofumpt")
    long = words.covered("gofumpt " + " ".join(f"filler{n}" for n in range(40)))
    assert long.evidence() == short.evidence()
    assert long.shares()[2] < short.shares()[2] / 10


def test_prepared_words_survive_a_cache():
    words = prepare(RULES)
    kept = marshal.loads(marshal.dumps((words.count, words.postings)))
    again = Words(*kept)
    assert again.covered("rename it").shares() == words.covered("rename it").shares()


def test_the_order_of_texts_does_not_matter_for_a_document():
    turned = [list(reversed(texts)) for texts in RULES]
    assert prepare(turned).postings == prepare(RULES).postings


GERMAN = [
    "Datenbankmigrationen werden nie umbenannt.",
    "Protokolle enthalten kein Passwort.",
    "Jede Übersetzung wird von zwei Personen geprüft.",
]
TURKISH = [
    "Veritabanı geçişleri yeniden adlandırılmaz.",
    "Günlüklerde parola bulunmaz.",
    "Işık teması varsayılandır.",
]
CHINESE = ["数据库迁移文件不得重命名。", "日志中不得包含密码。", "翻译须由两人审核。"]
JAPANESE = [
    "データベースのマイグレーションは改名しない。",
    "ログにパスワードを書かない。",
    "翻訳は二人で確認する。",
]


@pytest.mark.parametrize(
    ("rules", "query", "place"),
    [
        (GERMAN, "BENENNE DIE DATENBANKMIGRATIONEN BITTE UM", 0),
        (GERMAN, "die ÜBERSETZUNG der Startseite ändern", 2),
        (TURKISH, "IŞIK temasını düzelt", 2),
        (TURKISH, "VERİTABANI şemasını değiştir", 0),
        (CHINESE, "请给数据库迁移改一个名字", 0),
        (CHINESE, "登录时在日志里写密码", 1),
        (JAPANESE, "パスワードをログに出す", 1),
    ],
)
def test_n152_an_exact_term_is_found_in_the_same_language(rules, query, place):
    covered = prepare([rule] for rule in rules).covered(query)
    scores = by_words(covered.evidence())
    assert scores.index(max(scores)) == place
    assert scores[place] >= FLOOR
