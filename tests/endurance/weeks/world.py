"""A town that plays for weeks: its clock, a worker that is alive, a post, and everybody's letters.

Time passes to the next moment at which anything happens, and to the next four minutes at the latest if somebody is
about to be late: that a worker was alive in between is said by its heartbeat.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import NamedTuple

from tests.endurance.application import application
from tests.endurance.frame import Run
from tests.endurance.weeks.judging import Judge
from tests.endurance.weeks.lives import Life
from tests.support.cast import Clock
from tests.support.clock import DAY, HOUR, Hours
from tests.support.dump import execute
from tests.support.post_office import Letters, Office, part

BEGIN = int(datetime(2026, 10, 1, tzinfo=UTC).timestamp() * 1000)
"""Daylight saving begins in Sydney on the 4th of October, and ends in Berlin on the 25th, in New York a week later."""
_ABOUT = re.compile(r"\b[gt]_[0-9A-Za-z]{22}\b")
_NEXT = """
SELECT min(at) FROM (
    SELECT min(due) AS at FROM seats WHERE waiting AND due > :now
    UNION ALL SELECT min(CASE WHEN lease_until > run_at THEN lease_until ELSE run_at END)
    FROM outbox WHERE done_at IS NULL AND (run_at > :now OR lease_until > :now)
    UNION ALL SELECT min(paused_until) FROM games WHERE paused_until > :now
    UNION ALL SELECT min(due) FROM proposals WHERE ended_at IS NULL AND due > :now
) AS moments
"""
"""The time when something is due next."""


class Letter(NamedTuple):
    """A mail that has arrived."""

    at: int
    mail: EmailMessage
    about: frozenset[str]
    """The ids of the games and tenures that it links to."""


class Losing(Letters):
    """A post that accepts mails about a turn, and loses them."""

    def take(self) -> list[EmailMessage]:
        """Take the mails that remain."""
        return [each for each in super().take() if "our turn" not in str(each["Subject"])]


class World:
    """Everybody, and their time."""

    def __init__(self, run: Run, people: int) -> None:
        self.run, self.clock = run, Clock()
        self.clock.at = BEGIN
        self.app = application(run, self.clock)
        self.hours, self.office = Hours(self.app, self.clock), Office(self.app)
        if run.fault == "lost-mails":
            self.office.post.__class__ = Losing
        self.letters: dict[str, list[Letter]] = defaultdict(list)
        """The mails that have arrived, by address."""
        self.lives = [Life(self, number) for number in range(people)]
        self.office.address(*(life.person for life in self.lives))
        for life in self.lives:
            life.settle()
        self.judge = Judge(self)
        self.daily: list[Callable[[], None]] = []
        """Do the tasks at the end of each day."""

    @property
    def now(self) -> int:
        """Ms UTC."""
        return self.clock.at

    def live(self, days: int) -> None:
        """Let this number of days pass."""
        for _ in range(days):
            until = self.now + DAY
            while self.now < until:
                self._go_to(min(until, self._next()))
            for happens in self.daily:
                happens()

    def _next(self) -> int:
        """The time of the next event."""
        (due,) = execute(self.app, _NEXT, now=self.now)[0]
        visit = min(life.next_visit for life in self.lives)
        return max(self.now + 1, min(visit, self.now + HOUR, due or visit))

    def _go_to(self, at: int) -> None:
        self.clock.at = at
        execute(self.app, "UPDATE heartbeats SET at = :now WHERE name = 'worker'", now=at)
        self.judge.look()
        self.hours.look()
        self.judge.see_time_outs()
        self._deliver()
        for life in self.lives:
            if life.next_visit <= at:
                life.visit()

    def _deliver(self) -> None:
        for mail in self.office.deliver(now=False):
            self.run.count("mails")
            about = frozenset(_ABOUT.findall(part(mail)))
            self.letters[str(mail["To"])].append(Letter(self.now, mail, about))
