"""The tokeniser of the lean reader splits text as model2vec's does."""

import random
import sys

import pytest

from git_intent.embed.bulk import load
from git_intent.embed.model import BUNDLED, Model

BY_HAND = """
Never write a secret to the log.
It's the user's—not "our"—decision; don't ask twice…
“Curly” ‘quotes’, „deutsche“ und «französische» Anführungszeichen
naïve café Ångström ÅNGSTRÖM Straße STRASSE ẞ groß Łódź Ørsted İstanbul ısı
ΣΊΣΥΦΟΣ σίσυφος ὈΔΥΣΣΕΎΣ Привет Ёлка йод ЩИ שלום مرحبا हिन्दी ไทย 한국어 조선말
中文没有空格的句子。日本語のテキストです、ひらがなとカタカナ。混合text混合
snake_case camelCase kebab-case dotted.name pkg::path a/b/c C:\\dir x=1 y+=2 !=
v1.2.3-rc.4+build5 0xDEADBEEF 1_000_000 3.14e-10 ½ ² ³ ① Ⅳ ﬁ ﬂ ﬀ ℃ Å K
e\u0301 e\u0301\u0323 a\u200bb zero\u200dwidth soft\u00adhyphen \ufeffbom \u202ebidi
a\x00b c\x07d e\x0bf g\x0ch i\x1cj k\x7fl m\x85n o\u2028p q\u2029r \ufffd s\u00a0t
emoji 😀 👩‍👩‍👧 🇩🇪 👍🏽 ✅ → ≠ ≤ € £ ™ © § ¶ • ‣ ∞ 𝕏 𝓗𝓮𝓵𝓵𝓸
[PAD] [UNK] [pad] [CLS] [SEP] [MASK] x[PAD]y [UNK][PAD] [[PAD]] ##ing [P[PAD]AD]
pytest dockerfile kubernetes terraform mypy libiconv securecontext supercalifragilistic
\t tabs\tand\r\nline ends\r \n\n   blanks
\u037e \u1fef \u2126 \u212b \uf900 \u3000ideographic\u3000space\u3001\u300c\u300d
""".splitlines()


@pytest.fixture(scope="module")
def reference():
    return load(BUNDLED)


@pytest.fixture(scope="module")
def lean():
    return Model.open()


def same(lean, reference, texts):
    theirs = reference.tokenize([text[:3072] for text in texts])
    for text, tokens in zip(texts, theirs, strict=True):
        assert lean.tokens(text) == tokens, text


def test_handwritten_texts_split_as_in_model2vec(lean, reference):
    same(lean, reference, [*BY_HAND, " ".join(BY_HAND), ""])


def test_words_made_of_known_pieces_split_as_in_model2vec(lean, reference):
    pick = random.Random(7)
    pieces = [token.removeprefix("##") for token in reference.tokens]
    texts = [
        " ".join(
            "".join(pick.choices(pieces, k=pick.randint(1, 4)))
            for _ in range(pick.randint(1, 12))
        )
        for _ in range(2000)
    ]
    same(lean, reference, [text for text in texts if "[" not in text])


def test_random_characters_split_as_in_model2vec(lean, reference):
    pick = random.Random(8)
    blocks = [(0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x58A), (0x1E00, 0x206F), (9, 13)]
    blocks += [(0x3000, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF), (0x20A0, 0x2BFF)]
    texts = []
    for _ in range(1500):
        chosen = [pick.choice(blocks) for _ in range(pick.randint(1, 60))]
        mixed = [chr(pick.randint(*block)) for block in chosen]
        texts.append("".join(char if char.isprintable() else " " for char in mixed))
    same(lean, reference, texts)


def test_each_character_of_old_unicode_splits_as_in_model2vec(lean, reference):
    """Only characters assigned after Unicode 9 may be taken for something else."""
    texts = [
        f"a{chr(point)}b {chr(point)}"
        for point in [*range(0x378), *range(0x2000, 0x2E43), *range(0x3000, 0xA000)]
    ]
    same(lean, reference, texts)


@pytest.mark.parametrize(
    "text", ["a" * 99, "a" * 100, "a" * 101, "é" * 101, "a" * 4000]
)
def test_overlong_words_are_unknown(lean, reference, text):
    same(lean, reference, [text, f"x {text} y"])


@pytest.mark.parametrize(
    "text",
    [
        "word " * 600,
        "securityx " * 600,
        "日" * 600,
        "\U00013000 a " * 600,
        "x [UNK] " * 600,
        "a b c d e f g h i j k " * 80 + "unbelievability" * 40,
    ],
)
def test_long_texts_are_cut_where_model2vec_cuts(lean, reference, text):
    for length in (*range(3000, 3090, 7), len(text)):
        same(lean, reference, [text[:length]])


def test_lone_surrogates_are_dropped(lean):
    assert lean.tokens("a\ud800b") == lean.tokens("ab")


def test_ascii_text_needs_no_character_database(monkeypatch, lean):
    monkeypatch.setitem(sys.modules, "unicodedata", None)
    assert lean.tokens("Plain ASCII, nothing else!")
