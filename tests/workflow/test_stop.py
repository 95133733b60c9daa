"""When running steps are to be ended."""

import threading
import time

from git_intent.workflow.stop import Stop


def test_what_is_set_around_it_sets_it_and_not_the_other_way():
    outer = Stop()
    inner = Stop(outer)
    sibling = Stop(outer)
    inner.set()
    assert (inner.is_set(), outer.is_set(), sibling.is_set()) == (True, False, False)
    outer.set()
    assert sibling.is_set()
    assert not sibling.late


def test_it_is_set_when_its_time_is_over():
    stop = Stop(seconds=0.05)
    assert not stop.is_set()
    assert stop.wait(60)
    assert stop.late
    assert not Stop(stop).late


def test_a_wait_ends_as_soon_as_any_of_them_is_set():
    outer = Stop()
    inner = Stop(outer)
    threading.Timer(0.05, outer.set).start()
    assert inner.wait(60)
    begun = time.monotonic()
    assert not Stop().wait(0.01)
    assert time.monotonic() - begun >= 0.01
