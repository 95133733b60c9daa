"""The nearest of a fixed list: the same on every machine, the earlier of a tie."""

import numpy

from git_intent.embed.model import Model
from git_intent.embed.nearest import Nearest
from git_intent.embed.pool import Pool


def units(count, seed=1, dim=256):
    rows = numpy.random.default_rng(seed).normal(size=(count, dim))
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def test_products_are_those_of_whole_numbers():
    rows, seconds, asked = units(90), units(90, 2), units(25, 3)
    whole = [numpy.rint(v * 32767).astype(int) for v in (rows, seconds, asked)]
    products = whole[2] @ (whole[0] + whole[1]).T
    expected = numpy.argsort(-products, axis=1, kind="stable")[:, :4]
    assert Nearest(rows, seconds).best(asked, 4) == expected.tolist()


def test_the_earlier_of_a_tie_goes_first():
    row = units(1)
    rows = numpy.concatenate([-row, row, row, row])
    assert Nearest(rows, rows).best(row, 3) == [[1, 2, 3]]


def test_no_vectors_and_more_than_there_are():
    rows = units(2)
    assert Nearest(rows, rows).best(rows[:0], 4) == []
    assert Nearest(rows, rows).best(rows[:1], 4) == [[0, 1]]


def test_a_pool_has_the_vectors_of_the_lean_reader():
    texts = ["Never push to main.", "", "\u2603", "naïve Café", "a " * 700]
    lean = Model.open()
    assert Pool(lean).vectors(texts).tolist() == lean.embed_all(texts)
    assert Pool(lean).vectors([]).tolist() == []
