"""Ranking: exact, total, and as model2vec would have it."""

import random
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import numpy
import pytest

from git_intent.embed import bulk
from git_intent.embed.index import HINTS, update
from git_intent.embed.index_file import ZERO
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.rank import rank


class Numbers:
    """A model whose texts are coordinates."""

    id = "numbers@1"
    signature = ""

    def __init__(self, dim):
        self.dim = dim

    def embed_all(self, texts):
        return [[float(number) for number in text.split()] for text in texts]


def index_of(tmp_path, vectors, dim):
    texts = {
        f"req-{place:04x}": [" ".join(map(str, vector))]
        for place, vector in enumerate(vectors)
    }
    return update(tmp_path / "index", texts, Numbers(dim)).index


def cosines_by_the_book(index, query):
    """From the stored bytes, in exact arithmetic up to the roots."""
    widest = max(map(abs, query))
    asked = [round(value * (32767 / widest)) for value in query]
    found = {}
    for place, id_ in enumerate(index.ids):
        row = [byte - ZERO for byte in index.columns[place :: len(index.ids)]]
        product = sum(a * b for a, b in zip(asked, row, strict=True))
        lengths = sqrt(sum(a * a for a in asked)) * sqrt(sum(b * b for b in row) or 1)
        found[id_] = float(Fraction(product)) / lengths
    return found


@pytest.mark.parametrize(
    ("dim", "count"), [(1, 1), (3, 7), (64, 40), (256, 300), (257, 3), (1024, 20)]
)
def test_scores_are_exact(tmp_path, dim, count):
    pick = random.Random(dim)
    vectors = [[pick.gauss(0, 1) for _ in range(dim)] for _ in range(count)]
    index = index_of(tmp_path, vectors, dim)
    for _ in range(5):
        query = [pick.gauss(0, 1) for _ in range(dim)]
        ranking = rank(index, query)
        assert dict(ranking) == cosines_by_the_book(index, query)
        assert ranking == sorted(ranking, key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("row", [1, -1])
def test_no_lane_overflows_at_the_extremes(tmp_path, sign, row):
    index = index_of(tmp_path, [[row] * 256] * 9, 256)
    assert [score for _, score in rank(index, [sign] * 256)] == [sign * row] * 9


def test_equal_scores_are_ordered_by_id(tmp_path):
    index = index_of(tmp_path, [[1, 2], [2, 4], [0, 0], [3, 6], [0, 0]], 2)
    assert [id_ for id_, _ in rank(index, [1.0, 2.0])] == [
        f"req-{place:04x}" for place in (0, 1, 3, 2, 4)
    ]


def test_zero_query_and_zero_rows_score_zero(tmp_path):
    index = index_of(tmp_path, [[0, 0], [1, 0]], 2)
    assert rank(index, [0.0, 0.0]) == [("req-0000", 0.0), ("req-0001", 0.0)]
    assert dict(rank(index, [-1.0, 0.0]))["req-0000"] == 0.0
    assert "-0.0" not in str(rank(index, [0.0, 1.0]))


def test_empty_index_ranks_nothing(tmp_path):
    assert rank(index_of(tmp_path, [], 4), [1.0, 0.0, 0.0, 0.0]) == []


def test_a_query_of_another_dimension_is_refused(tmp_path):
    with pytest.raises(ValueError, match="3 coordinates for 2"):
        rank(index_of(tmp_path, [[1, 2]], 2), [1.0, 2.0, 3.0])


def test_ranking_is_that_of_model2vec(tmp_path):
    """Same order as numpy over model2vec's own vectors, but for near ties."""
    pick = random.Random(11)
    model, reference = Model.open(), bulk.load(BUNDLED)
    words = [t for t in reference.tokens if t.isalpha() and len(t) > 3]
    texts = {
        f"req-{place:04x}": [
            " ".join(pick.choices(words, k=pick.randint(4, 20)))
            for _ in range(pick.randint(1, 5))
        ]
        for place in range(400)
    }
    index = update(tmp_path / "index", texts, model).index
    means = numpy.stack([_row(reference.encode(t)) for t in texts.values()])
    means /= numpy.linalg.norm(means, axis=1, keepdims=True)
    for _ in range(40):
        prompt = " ".join(pick.choices(words, k=pick.randint(3, 60)))
        theirs = dict(zip(texts, means @ reference.encode([prompt])[0], strict=True))
        ours = rank(index, model.embed(prompt))
        assert max(abs(theirs[id_] - score) for id_, score in ours) < 0.004
        order = [theirs[id_] for id_, _ in ours]
        assert all(a > b - 0.005 for a, b in pairwise(order))
        assert len({id_ for id_, _ in ours[:10]} & best(theirs, 10)) >= 9


def _row(vectors):
    """The statement and its share of hints, as `embed.index` makes a row of them."""
    own, hints = vectors[0], vectors[1:].sum(axis=0)
    length = numpy.linalg.norm(hints)
    return own + (HINTS * hints / length if length else 0)


def best(scores, count):
    return set(sorted(scores, key=scores.__getitem__, reverse=True)[:count])
