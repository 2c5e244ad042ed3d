"""Emails with the standings of a series, to those who play in it: once a week, and when it is over.

The worker looks at each series again and again, and each look begins where the one before it ended
(`SeriesRow.look_at`). So exactly one of them passes the beginning of a week, however long none took place.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo

from rules.kernel import Json
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, HOUR, SECOND
from service.outbox import queue, recipients
from service.outbox.recipients import Recipient
from service.people.circles import circles
from service.people.circles.series import entries, series
from service.people.circles.series.series import SeriesRow

KIND = "standings"
"""The kind of mail."""
MORNING = timedelta(hours=8)
"""The time on Mondays at which the mail is due, in the reader's time zone."""
_WEEK = 7 * DAY
_SUNDAY = 3 * DAY + 18 * HOUR
"""The time (ms UTC) since which weeks are counted, on a Sunday: in no time zone is it past eight on Monday."""


def put_weekly(runtime: Runtime, row: SeriesRow, until: int) -> None:
    """Queue the emails of the week that begins before the next look, at `until` (ms UTC); none if no week does.

    `row` is as it was before this look. The caller owns the commit.
    """
    week = _week_of(until)
    if week == _week_of(row.look_at):
        return
    now, readers = runtime.now(), _readers(row)
    times = {each.player_id: max(_monday(week, each.zone), now) for each in readers}
    _put(runtime, row, f"week {week}", times)


def put_final(runtime: Runtime, row: SeriesRow) -> None:
    """Queue the mails with the final standings. The caller owns the commit."""
    _put(runtime, row, "over", {each.player_id: runtime.now() for each in _readers(row)})


def about(details: Json, player_id: str) -> SeriesRow | None:
    """The series of such an email; None if its reader has left it, or if it says what is no longer so."""
    row = series.find_one(details["series"])
    if row is None or (row.status == "over") != details["over"]:
        return None
    place = entries.mine(row, player_id)
    if place is None or place.number is None:
        return None
    if row.circle_key is None or circles.is_member(row.circle_key, player_id, lock=False):
        return row
    return None


def _readers(row: SeriesRow) -> list[Recipient]:
    """Those who have a place in the rounds and can be told, in one query for all of them."""
    places = [each for each in entries.of_series(row.key) if each.number is not None]
    return recipients.find_all(each.player_id for each in places if each.player_id is not None)


def _put(runtime: Runtime, row: SeriesRow, when: str, times: Mapping[str, int]) -> None:
    """Queue a mail for each of these players, due at their time (ms UTC), in one statement."""
    same: Json = {"kind": KIND, "data": {"series": row.id, "over": when == "over"}}
    mails: list[Json] = [
        {**same, "key": f"{KIND} {row.id} {player_id} {when}", "player_id": player_id, "run_at": at}
        for player_id, at in times.items()
    ]
    queue.put_rows(runtime, mails)


def _week_of(at: int) -> int:
    return (at - _SUNDAY) // _WEEK


def _monday(week: int, zone: tzinfo) -> int:
    """The time (ms UTC) of the Monday morning with which this week begins, in a time zone."""
    day = datetime.fromtimestamp((week * _WEEK + _SUNDAY + DAY) / SECOND, UTC)
    morning = day.replace(hour=0, minute=0, tzinfo=zone) + MORNING
    return int(morning.timestamp() * SECOND)
