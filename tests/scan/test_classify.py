"""How likely a statement is durable intent, and how sure we are."""

import json
import zlib

import pytest

from git_intent.errors import IntentError
from git_intent.scan import features, spelling
from git_intent.scan.classify import (
    BUNDLED,
    FORM,
    Classifier,
    page_logit,
    section_logits,
    sigmoid,
)
from git_intent.scan.document import statements
from git_intent.scan.statement import Segment, Statement
from git_intent.store.requirement import Confidence

SIZE = (1 << features.BITS) + (1 << spelling.BITS)
WRITTEN = (Confidence.HIGH, Confidence.MEDIUM)

RULES = """\
# Conventions

- Use tabs for indentation.
- Never commit generated files.
- All public functions must have a docstring.
- We do not support Python 2.

You must not:

- push to the main branch
- rewrite published history

| Change | Required |
|---|---|
| New option | It must come with a test and a line in the manual |

## Status

The parser lives in `src/parse`. Fix the login today.

- [ ] fix the login today
- Parser: rewritten in March

> Always use spaces.

The old guide said "Always use spaces, never tabs".

It is not true that you must always use spaces.

```
Always use `make`.
```

<!-- Never use printf. -->

## License

Licensed under the Apache License; you may not use this file except in compliance.
"""


@pytest.fixture(scope="module")
def classifier():
    return Classifier.load()


def judged(classifier, text, path="AGENTS.md", mode="doc"):
    """The confidence of each statement, by its text."""
    place = statements(text, path, mode)
    scores = classifier.score(place, path, mode)
    return {
        s.text: classifier.tier(p, s, path, mode)
        for s, p in zip(place, scores, strict=True)
    }


def test_n071_rules_are_found_and_nothing_else_is_written(classifier):
    found = judged(classifier, RULES)
    written = {text for text, tier in found.items() if tier in WRITTEN}
    assert written == {
        "Use tabs for indentation.",
        "Never commit generated files.",
        "All public functions must have a docstring.",
        "We do not support Python 2.",
        "push to the main branch",
        "rewrite published history",
        "| New option | It must come with a test and a line in the manual |",
    }
    assert not any("make" in text or "printf" in text for text in found)


def test_n097_nothing_of_other_languages_is_taken_for_high(classifier):
    text = (
        "# Regeln\n\nDer Parser liegt in src. Morgen regnet es.\n\n"
        "解析器在 src 目录中。今天下雨。\n\nيعيش المحلل في المجلد. السماء تمطر.\n"
    )
    tiers = judged(classifier, text, "CONTRIBUTING.md").values()
    assert len(tiers) == 6
    assert not any(tier in WRITTEN for tier in tiers)


def test_a_commit_or_prompt_is_judged_more_strictly(classifier):
    commit = "Parse faster\n\nThe parser no longer copies. Use the new reader.\n"
    assert not any(judged(classifier, commit, "x", "commit").values())
    prompt = "fix the login\nfrom now on always use pnpm, never npm\nthanks\n"
    found = judged(classifier, prompt, "x", "prompt")
    assert found["from now on always use pnpm, never npm"] is Confidence.MEDIUM
    assert found["fix the login"] is None
    for mode in ("commit", "prompt"):
        strict, doc = classifier.modes[mode].tiers, classifier.modes["doc"].tiers
        assert strict.high > doc.high


@pytest.mark.parametrize(
    ("text", "more", "path", "tier"),
    [
        ("Use tabs.", {}, "AGENTS.md", Confidence.HIGH),
        ("Use tabs:", {}, "AGENTS.md", Confidence.MEDIUM),
        ("Use tabs.", {"quoted": True}, "AGENTS.md", Confidence.LOW),
        ("Use tabs.", {"segment": Segment.FENCE}, "AGENTS.md", None),
        ("Use tabs.", {"headings": ("A", "Alternatives")}, "a.md", Confidence.LOW),
        ("Use tabs.", {"headings": ("Context",)}, "a.md", Confidence.LOW),
        ("Use tabs.", {}, "README.md", Confidence.MEDIUM),
        ("Use tabs.", {}, "CHANGELOG.md", Confidence.MEDIUM),
        ("Use tabs.", {}, "docs/adr/0001.md", Confidence.MEDIUM),
        ("Use tabs.", {}, ".github/copilot-instructions.md", Confidence.HIGH),
        ("There is no rule that you must use tabs.", {}, "a.md", Confidence.LOW),
        ("You don't need to use tabs.", {}, "AGENTS.md", Confidence.LOW),
        ("Tabs are no longer required.", {}, "AGENTS.md", Confidence.LOW),
    ],
)
def test_hard_rules_hold_however_likely(classifier, text, more, path, tier):
    statement = Statement(text, 1, 1, **more)
    assert classifier.tier(0.999, statement, path, "doc") is tier


def test_tiers_are_in_order_and_below_the_lowest_nothing_is_offered(classifier):
    one = Statement("Use tabs.", 1, 1)
    for mode, its in classifier.modes.items():
        assert 0 < its.tiers.low < its.tiers.medium < its.tiers.high < 1
        assert classifier.tier(its.tiers.low - 0.01, one, "AGENTS.md", mode) is None
    medium = classifier.modes["doc"].tiers.medium
    assert classifier.tier(medium - 0.01, one, "AGENTS.md", "doc") is Confidence.LOW
    colon = Statement("Use tabs:", 1, 1)
    assert classifier.tier(medium, colon, "AGENTS.md", "doc") is Confidence.LOW


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("AGENTS.md", Confidence.LOW),
        ("docs/contributing.md", Confidence.MEDIUM),
        ("docs/tutorial.md", Confidence.LOW),
        ("README.md", Confidence.LOW),
        ("CHANGELOG.md", Confidence.LOW),
        ("docs/releases/1.10.txt", Confidence.LOW),
        ("docs/release-process.md", Confidence.MEDIUM),
    ],
)
def test_pages_about_the_product_and_between_rules_need_more(classifier, path, tier):
    medium = classifier.modes["doc"].tiers.medium
    assert classifier.tier(medium, Statement("Use tabs.", 1, 1), path, "doc") is tier


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("CONTRIBUTING.md", Confidence.HIGH),
        ("docs/howto/custom-template-tags.txt", Confidence.LOW),
        ("docs/releases/1.10.txt", Confidence.LOW),
        ("README.md", Confidence.LOW),
    ],
)
def test_what_is_high_elsewhere_is_not_certain_about_the_product(
    classifier, path, tier
):
    high = classifier.modes["doc"].tiers.high
    assert classifier.tier(high, Statement("Use tabs.", 1, 1), path, "doc") is tier


def test_a_page_of_rules_lifts_its_statements(classifier):
    rules = "".join(f"- Never use option {i} of the tool.\n" for i in range(30))
    tour = "".join(f"The tool has a part {i} here.\n\n" for i in range(30))
    doubtful = "Tests live next to the code.\n\n"

    def first(text):
        place = statements(doubtful + text, "notes.md")
        return classifier.score(place, "notes.md", "doc")[0]

    assert first(rules) > first(tour)


def test_scores_are_probabilities_and_an_empty_document_has_none(classifier):
    assert classifier.score([], "a.md", "doc") == []
    place = statements("Use tabs. " * 200 + "x" * 5_000, "a.md")
    assert all(0 <= p <= 1 for p in classifier.score(place, "a.md", "doc"))
    assert sigmoid(-10_000) == 0.0
    assert page_logit([0.0] * 4) == pytest.approx(-0.268, abs=0.01)


def test_a_section_is_the_statements_that_follow_one_another():
    place = statements("# A\n\nOne is. Two is.\n\n# B\n\nThree is.\n", "a.md")
    alone = page_logit([])
    first, second, third = section_logits(place, [9.0, -9.0, 9.0])
    assert first == pytest.approx(page_logit([-9.0]), abs=0.001)
    assert second == pytest.approx(page_logit([9.0]), abs=0.001)
    assert third == pytest.approx(alone)
    assert section_logits([], []) == []


def test_the_bundled_weights_hold_no_text():
    head, packed = BUNDLED.read_bytes().split(b"\n", 1)
    numbers = json.loads(head)
    assert set(numbers) == {"form", "features", "spelling", "modes"}
    assert len(zlib.decompress(packed)) == SIZE
    assert BUNDLED.stat().st_size < 256 * 1024


def test_another_weights_file_can_be_loaded(tmp_path, classifier):
    path = tmp_path / "fold.bin"
    path.write_bytes(BUNDLED.read_bytes())
    assert Classifier.load(path) == classifier


def header(**changes):
    value = {
        "form": FORM,
        "features": {"version": features.VERSION, "scale": 1.0, "bias": 0.0},
        "spelling": {"version": spelling.VERSION, "scale": 1.0, "bias": 0.0},
        "modes": {},
    }
    return json.dumps(value | changes).encode() + b"\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no line break",
        b"not json\n",
        b"[]\n",
        b"{}\n",
        header() + b"not zlib",
        header() + zlib.compress(b"too short"),
        header(modes={"doc": {}}) + zlib.compress(bytes(SIZE)),
        header(modes=3) + zlib.compress(bytes(SIZE)),
        header(spelling={"version": spelling.VERSION, "scale": "x", "bias": 0})
        + zlib.compress(bytes(SIZE)),
    ],
)
def test_a_broken_weights_file_is_named(tmp_path, data):
    path = tmp_path / "weights.bin"
    path.write_bytes(data)
    with pytest.raises(IntentError, match="weights") as caught:
        Classifier.load(path)
    assert str(path) in caught.value.message
    assert "train_classifier" in caught.value.hint


def test_weights_of_another_version_and_a_missing_file_are_told_apart(tmp_path):
    path = tmp_path / "old.bin"
    path.write_bytes(header(features={"version": -1}) + zlib.compress(b""))
    with pytest.raises(IntentError, match="another version"):
        Classifier.load(path)
    with pytest.raises(IntentError, match="No such file"):
        Classifier.load(tmp_path / "none.bin")


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ('The vendor says "never call it twice".', Confidence.LOW),
        ("You may not use this file except in compliance.", Confidence.LOW),
        ('No issue is "claimed" here; always "ask" first.', Confidence.HIGH),
    ],
)
def test_what_others_said_and_licences_say_is_not_written(classifier, text, tier):
    assert classifier.tier(0.999, Statement(text, 1, 1), "AGENTS.md", "doc") is tier
