"""Points in time in every spelling."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.store.stamps import distinct, instant, later, stamp

TEN = datetime(2026, 9, 13, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-13T10:00:00Z",
        "2026-09-13t10:00:00z",
        "2026-09-13 10:00:00",
        "2026-09-13T10:00:00.000Z",
        "2026-09-13T10:00:00.000000000+00:00",
        "2026-09-13T12:00:00+02:00",
        "2026-09-13T15:30:00+0530",
        "2026-09-13T03:00:00-07",
        " 2026-09-13T10:00:00Z ",
    ],
)
def test_one_instant_in_many_spellings(text):
    assert instant(text) == TEN


def test_fractions_and_a_date_alone():
    assert instant("2026-09-13T10:00:00.1234567Z") == TEN.replace(microsecond=123456)
    assert instant("2026-09-13") == TEN.replace(hour=0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-02-30",
        "2026-09-13T25:00:00Z",
        "2026-09-13T10:00:00+25:00",
        "2026-09-13T10:00:00+02:75",
        "0001-01-01T00:00:00+14:00",
        "2026-09-13T10:00",
        "2026-9-13",
        "٢٠٢٦-٠٩-١٣",
    ],
)
def test_what_is_no_point_in_time(text):
    assert instant(text) is None


def test_n007_files_of_one_second_have_distinct_stamps():
    text = "2026-09-13T10:00:00Z"
    assert distinct(text, "req-0000") == "2026-09-13T10:00:00.000000000Z"
    assert distinct(text, "req-ffff") == "2026-09-13T10:00:00.999933030Z"
    for other in (
        "",
        "2026-09-13",
        "2026-09-13T10:00:00.5Z",
        "2026-09-13T10:00:00+02:00",
    ):
        assert distinct(other, "req-ffff") == other


@settings(derandomize=True, deadline=None, database=None)
@given(st.datetimes(min_value=datetime(2, 1, 1)), st.integers(-14, 14))
def test_a_stamp_is_read_back(moment, hours):
    here = moment.replace(microsecond=0, tzinfo=timezone(timedelta(hours=hours)))
    if here.astimezone(UTC).year < 9999:
        assert instant(stamp(here)) == here
        assert len(stamp(here)) == 20


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z", "2026-01-02T03:04:06Z"),
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"),
        ("2026-01-02T03:04:05.9Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"),
        ("2027-01-01T00:00:00Z", "2026-01-02T03:04:05Z", "2027-01-01T00:00:01Z"),
        ("no stamp", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ],
)
def test_later_change_never_has_the_stamp_of_the_one_before(text, now, expected):
    moment = instant(now)
    assert moment is not None
    assert stamp(later(text, moment)) == expected
