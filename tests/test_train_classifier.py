"""The trainer, on a small invented data set: reproducible, and blind where it says."""

import json
from dataclasses import replace

import numpy as np
import pytest

from git_intent.scan import features, spelling
from git_intent.scan.classify import FACTORS, Classifier
from git_intent.scan.document import statements
from tools import labelled, train_classifier
from tools.soft_labels import SoftLabels, repo_key

RULE, FACT = "Never call part {} of the tool directly.", "The tool has a part {} here."


def write_set(folder, name, kind, path):
    docs = folder / name / "docs"
    docs.mkdir(parents=True)
    rows = []
    for repo in range(6):
        doc_id = f"{name}-{repo}"
        lines = []
        for n in range(12):
            text = (RULE if n % 2 else FACT).format(f"{repo}{n}")
            rows.append(
                {
                    "doc_id": doc_id,
                    "repo": f"owner/{repo}",
                    "path": path,
                    "kind": kind,
                    "line": len(lines) + 1,
                    "text": text,
                    "label": n % 2,
                    "borderline": False,
                }
            )
            lines += [text, ""]
        (docs / f"{doc_id}.md").write_text("\n".join(lines), encoding="utf-8")
    jsonl = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name / "statements.jsonl").write_text(jsonl, encoding="utf-8")


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    kinds = {"commits": ("commits", "git log"), "chats": ("chat", "chat")}
    for name in labelled.SETS:
        kind, path = kinds.get(name, ("contributing", "CONTRIBUTING.md"))
        write_set(data, name, kind, path)
    return train_classifier.gather(list(labelled.documents(data)))


def test_statements_get_the_labels_of_the_rows_they_cover(material):
    for document in material.documents:
        assert len(document.statements) == 12
        for statement, label in zip(document.statements, document.labels, strict=True):
            assert (label == 1.0) == statement.text.startswith("Never")
        assert set(document.weights) == {1.0}


def test_repositories_are_whole_in_one_fold_and_folds_are_even(material):
    fold_of = labelled.folds(material.documents, 3)
    assert set(fold_of) == {f"owner/{i}" for i in range(6)}
    assert sorted(fold_of.values()) == [0, 0, 1, 1, 2, 2]
    turned = tuple(reversed(material.documents))
    assert labelled.folds(turned, 3) == fold_of


def test_the_same_data_gives_the_same_bytes_and_a_working_classifier(
    material, tmp_path
):
    data = train_classifier.train(material)
    assert data == train_classifier.train(material)
    path = tmp_path / "weights.bin"
    path.write_bytes(data)
    place = statements("Never call part 3 directly.\n\nThe tool is here.\n", "a.md")
    rule, fact = Classifier.load(path).score(place, "a.md", "doc")
    assert rule > 0.5 > fact


def test_folds_are_written_with_the_repositories_they_have_not_seen(
    material, tmp_path, capsys
):
    train_classifier.train_folds(material, 2, tmp_path)
    names = json.loads((tmp_path / "folds.json").read_text("utf-8"))
    assert sorted(names) == ["fold-0.bin", "fold-1.bin"]
    assert sorted(r for repos in names.values() for r in repos) == [
        f"owner/{i}" for i in range(6)
    ]
    blind = Classifier.load(tmp_path / "fold-0.bin")
    seen = [d for d in material.documents if d.repo not in names["fold-0.bin"]]
    alone = train_classifier.gather([replace(d) for d in seen])
    other = tmp_path / "again.bin"
    other.write_bytes(train_classifier.train(alone))
    again = Classifier.load(other)
    assert again.weights == blind.weights
    assert again.spelling == blind.spelling
    assert "fold-1.bin" in capsys.readouterr().err


def test_rounding_the_weights_to_bytes_changes_scores_only_a_little(material, tmp_path):
    first = train_classifier.fit_first(material, material.owner >= 0)
    path = tmp_path / "weights.bin"
    modes = {
        m: dict.fromkeys(FACTORS, 0) | t for m, t in train_classifier.TIERS.items()
    }
    path.write_bytes(train_classifier.pack(first, modes))
    loaded = Classifier.load(path)
    document = material.documents[0]
    exact = first.features.logits(material.rows[:12])
    rounded = loaded.logits(document.statements, document.path, document.mode)
    assert rounded == pytest.approx(list(exact), abs=0.2)
    exact = first.spelling.logits(material.spelt[:12])
    rounded = [loaded.spelling.logit(s.text) for s in document.statements]
    assert rounded == pytest.approx(list(exact), abs=0.2)
    assert len(loaded.weights) == 1 << features.BITS
    assert len(loaded.spelling.weights) == 1 << spelling.BITS


def taught(material, logits):
    """The material with two teachers, who have seen every second repository each."""
    unseen = tuple(
        frozenset(repo_key(f"owner/{i}") for i in range(half, 6, 2)) for half in (0, 1)
    )
    spelt = train_classifier.spelt(["The hut must be red.", "The hut was green."])
    lessons = train_classifier.Lessons(spelt, np.array(logits), SoftLabels({}, unseen))
    return replace(material, lessons=lessons)


def test_no_fold_holds_repositories_of_both_halves(material):
    both = taught(material, [[0.0, 0.0]] * 2)
    assert both.halves().tolist() == [
        int(d.repo[-1]) % 2 for d in material.documents for _ in d.statements
    ]
    for count in (2, 4, 8):
        assert (both.folds(count) % 2 == both.halves()).all()


def test_a_fit_believes_only_the_teacher_that_knows_no_more_than_it(material):
    def letters(logits, unknown):
        both = taught(material, logits)
        chosen = np.isin(both.folds(6), unknown, invert=True)
        return train_classifier.fit_first(both, chosen).spelling.weights

    def agree(one, other):
        return np.array_equal(one, other)

    told, denied = [[5.0, -5.0], [-5.0, 5.0]], [[5.0, 5.0], [-5.0, -5.0]]
    assert agree(letters(told, [0]), letters(denied, [0]))
    assert not agree(letters(told, [1]), letters(denied, [1]))
    assert not agree(letters(told, []), letters(denied, []))
    assert agree(letters(told, [0, 1]), letters(denied, [0, 1]))


def test_what_is_held_out_is_judged_by_a_fit_that_has_not_seen_it(material):
    both = taught(material, [[3.0, 3.0], [-3.0, -3.0]])
    fits, logits = train_classifier.held_out(both, 4)
    folds = both.folds(4)
    alone = train_classifier.fit_first(both, folds != 2)
    its = folds == 2
    assert np.array_equal(fits[2].features.weights, alone.features.weights)
    said = alone.spelling.logits(both.spelt[its])
    assert np.array_equal(logits.spelling[its], said)
