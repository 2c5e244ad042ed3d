"""An independent judgement of what happens to people's time, from rows, letters and people's own memory.

It reckons nothing as the service does: a deadline that was once there never comes earlier, and whoever is timed out had
it in a letter, or saw it, long enough before; was not on vacation by their own calendar; and not asleep by their clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import time
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.clock import HOUR, MINUTE
from tests.support.dump import execute

if TYPE_CHECKING:
    from tests.endurance.weeks.lives import Life
    from tests.endurance.weeks.world import World

LEAST_NOTICE = 45 * MINUTE
"""The ms for which somebody must have known that they are waited for before a time-out: paces begin at 6 h."""
LONGEST_NIGHT = 13 * HOUR
"""Quiet hours and daylight saving."""
_WAITING = """
SELECT g.id AS game, s.seat, s.tenure_id AS tenure, s.asked, s.due, s.extra, t.player_id AS player,
    g.paused_at, g.paused_until, g.pace
FROM seats s JOIN tenures t ON t.id = s.tenure_id JOIN games g ON g.key = s.game_key
WHERE s.waiting AND g.status = 'running'
"""
_TIME_OUTS = """
SELECT g.id AS game, e.body FROM events e JOIN games g ON g.key = e.game_key
WHERE e.at >= :now AND e.body LIKE '%timeout%'
"""


class Asked(NamedTuple):
    """A seat that is waited for."""

    tenure: str
    asked: int
    due: int | None
    player: str | None


def is_new_turn(before: Asked, now: Asked) -> bool:
    """Whether a seat has answered since: an answer of somebody else only changes its question, not its deadline."""
    return before.asked != now.asked and before.due != now.due


class Judge:
    """The observations of everybody's time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._lives = {life.person.id: life for life in world.lives}
        self._seats: dict[tuple[str, int], Asked] = {}
        self._since: dict[tuple[str, int], int] = {}
        """Since when each seat has been waited for without an answer; at the earliest, as it may have been asked after
        one look, and told, and be found at the next.
        """
        self._looked_at = world.now

    def look(self) -> None:
        """Note who is waited for, and check that no deadline of a question has moved earlier."""
        before, self._seats = self._seats, {}
        for row in execute(self.world.app, _WAITING):
            key, seat = (row.game, row.seat), Asked(row.tenure, row.asked, row.due, row.player)
            self._seats[key] = seat
            known = before.get(key)
            if known is None or known.tenure != seat.tenure or is_new_turn(known, seat):
                self._since[key] = self._looked_at
            elif known.asked == seat.asked and not row.paused_at:
                earlier = known.due is not None and (seat.due is None or seat.due < known.due)
                assert not earlier, f"the deadline of {key} came earlier: {known}, {seat}"
        self._looked_at = self.world.now

    def see_time_outs(self) -> None:
        """Judge the time-outs of this moment."""
        for row in execute(self.world.app, _TIME_OUTS, now=self.world.now):
            event = json.loads(row.body)
            if event.get("by") == "timeout":
                self.world.run.count("time-outs")
                key = row.game, event["seat"]
                wrong = ", ".join(self._wrong(key))
                assert not wrong, f"seat {key} timed out at {self.world.now}: {wrong}"
                self._since[key] = self.world.now

    def _wrong(self, key: tuple[str, int]) -> Iterator[str]:
        """What is wrong with the time-out of this seat."""
        seat, now = self._seats.get(key), self.world.now
        if seat is None or seat.due is None:
            yield f"nobody was waited for: {seat}"
            return
        life = self._lives.get(seat.player or "")
        if life is None:
            yield "it was no person's"
            return
        if now < seat.due:
            yield f"it had time until {seat.due}"
        if life.is_away(seat.due) or life.is_away(now):
            yield "its player was on vacation"
        if self._is_asleep(life, seat.due):
            yield f"it was in the quiet hours {life.quiet} at {life.local(seat.due)}"
        notice = self._notice(life, key, seat.due)
        told = self.world.run.counts.get("least notice, minutes")
        if notice is not None:
            least = min(int(told), notice // MINUTE) if told is not None else notice // MINUTE
            self.world.run.counts["least notice, minutes"] = least
        if notice is None or notice < LEAST_NOTICE:
            yield f"{life.person.name} ({life.zone}, {life.quiet}) had {notice} ms of notice"

    def _is_asleep(self, life: Life, at: int) -> bool:
        if life.quiet is None:
            return False
        begin, end = map(time.fromisoformat, life.quiet.split("-"))
        wall = life.local(at).time()
        return begin <= wall < end if begin < end else wall >= begin or wall < end

    def _notice(self, life: Life, key: tuple[str, int], due: int) -> int | None:
        """How long before its deadline somebody knew that the game waits for them."""
        since = self._since[key]
        letters = self.world.letters[life.address]
        either = {key[0], self._seats[key].tenure}
        told = [each.at for each in letters if each.at >= since and each.about & either]
        saw = [at for at in life.saw.get(key[0], []) if at >= since]
        known = [at for at in (*told, *saw) if at <= due]
        return due - min(known) if known else None

    def judge_the_end(self) -> None:
        """Check that every game is over, or rightly waits for somebody."""
        games = execute(self.world.app, "SELECT * FROM games WHERE status <> 'open'")
        waiting: dict[str, list[Any]] = {}
        for row in execute(self.world.app, _WAITING):
            waiting.setdefault(row.game, []).append(row)
        for game in games:
            self.world.run.count("games over" if game.status == "over" else "games that wait")
            if game.status == "running":
                seats = waiting.get(game.id, [])
                assert seats, f"{game.id} waits for nobody"
                for seat in seats:
                    wrong = self._waits_wrongly(seat)
                    assert not wrong, f"seat {seat.seat} of {game.id}: {wrong}: {seat}"

    def _waits_wrongly(self, seat: Any) -> str:
        """Why it is wrong to wait for this seat."""
        now, life = self.world.now, self._lives.get(seat.player or "")
        if life is None:
            return "a house player is waited for"
        if seat.paused_at is not None:
            return "" if seat.paused_until is None or seat.paused_until > now else "it pauses on"
        pace = json.loads(seat.pace) if isinstance(seat.pace, str) else seat.pace
        if pace is None:
            return ""
        if seat.due is None or seat.due <= now:
            return "its time is over"
        away = sum(max(0, min(ends, seat.due) - max(begins, now)) for begins, ends in life.away)
        longest = max(pace["each"], pace["cap"]) + seat.extra + away + LONGEST_NIGHT
        return f"it has {seat.due - now} ms" if seat.due - now > longest else ""
