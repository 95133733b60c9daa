"""The nearest of a fixed list: the same on every machine, the earlier of a tie."""

import numpy

from git_intent.embed.model import Model
from git_intent.embed.nearest import Nearest, middle, whole
from git_intent.embed.pool import Pool


def units(count, seed=1, dim=256):
    rows = numpy.random.default_rng(seed).normal(size=(count, dim))
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def nothing(vectors, rows):
    return numpy.zeros((len(vectors), len(rows)))


def test_products_are_those_of_whole_numbers():
    rows, seconds, asked = units(90), units(90, 2), units(25, 3)
    more = numpy.random.default_rng(4).random((25, 90))
    exact = [numpy.rint(v * 32767).astype(int) for v in (rows, seconds, asked)]
    besides = numpy.rint(more * 32767**2).astype(int)
    products = exact[2] @ (exact[0] + exact[1]).T + besides
    expected = numpy.argsort(-products, axis=1, kind="stable")[:, :4]
    assert Nearest(rows, seconds).best(whole(asked), 4, more) == expected.tolist()


def test_the_earlier_of_a_tie_goes_first():
    row = units(1)
    rows = numpy.concatenate([-row, row, row, row])
    found = Nearest(rows, rows).best(whole(row), 3, nothing(row, rows))
    assert found == [[1, 2, 3]]


def test_what_comes_besides_counts_as_a_cosine():
    row = units(1)
    rows = numpy.concatenate([row, -row])
    asked = Nearest(rows, rows)
    assert asked.best(whole(row), 1, numpy.array([[0.0, 3.9]])) == [[0]]
    assert asked.best(whole(row), 1, numpy.array([[0.0, 4.1]])) == [[1]]


def test_no_vectors_and_more_than_there_are():
    rows = units(2)
    asked = Nearest(rows, rows)
    assert asked.best(whole(rows[:0]), 4, nothing(rows[:0], rows)) == []
    assert asked.best(whole(rows[:1]), 4, nothing(rows[:1], rows)) == [[0, 1]]


def test_the_middle_of_a_group_is_a_unit_vector():
    rows = units(3)
    alone, both = middle([whole(rows[:1]), whole(rows[1:])])
    assert numpy.allclose(alone, rows[0], atol=1e-4)
    between = rows[1] + rows[2]
    between /= numpy.linalg.norm(between)
    assert numpy.allclose(both, between, atol=1e-4)


def test_a_pool_has_the_vectors_of_the_lean_reader():
    texts = ["Never push to main.", "", "\u2603", "naïve Café", "a " * 700]
    lean = Model.open()
    assert Pool(lean).vectors(texts).tolist() == lean.embed_all(texts)
    assert Pool(lean).vectors([]).tolist() == []
