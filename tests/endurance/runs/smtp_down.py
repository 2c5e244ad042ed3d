"""The mail server is down for a day at a time: no mail is lost or sent twice, and none comes that no longer matters.

Three people play by the page, a move each hour of a simulated day, while a real SMTP server first takes mails, then is
away for 24 hours, then is back. Somebody who is waited for at the end has a mail that says so; each mail has come once;
none is about a question that was answered before it was sent; nothing was given up; and meanwhile the server was tried
again and again.

A day takes 3 seconds. It counts moves, mails, attempts to connect, and the minutes until the last mail had come.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Flask

from service.notifications.mail_sending.sender import Sender, transport_of
from service.notifications.mail_sending.transport import StillWanted, Transport
from service.notifications.mail_texts.message import Message
from tests.endurance.application import application, services_of
from tests.endurance.frame import Definition, Run
from tests.support.cast import BOOMERANG, Cast, Clock
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.dump import execute
from tests.support.post_office import Office
from tests.support.sending import send_all
from tests.support.servers.smtp_server import MailServer

MOST_TRIES = 75
"""Attempts to connect in a day: one at each look."""
SOON = 30
"""The minutes after which all waiting mails must have been sent."""
_BELATED = """
SELECT count(*) FROM outbox o JOIN seats s ON s.tenure_id = o.tenure_id
JOIN events e ON e.game_key = o.game_key AND e.seat = s.seat AND e.asked = o.number
WHERE o.kind = 'turn' AND o.outcome = 'sent' AND e.at < o.done_at
"""
"""Mails about turns that were sent after the question had been answered."""
_WAITED_FOR = """
SELECT a.address FROM seats s JOIN tenures t ON t.id = s.tenure_id JOIN accounts a ON a.player_id = t.player_id
JOIN games g ON g.key = s.game_key WHERE s.waiting AND g.status = 'running' AND s.since >= :since
"""
"""Who is waited for, and since when."""


class Counted:
    """A transport that counts the attempts to connect."""

    def __init__(self, inner: Transport) -> None:
        self._inner, self.tries = inner, 0

    def connect(self) -> None:
        """Count the attempt and try to connect."""
        self.tries += 1
        self._inner.connect()

    def send(self, message: Message, still: StillWanted) -> bool:
        """Send as usual."""
        return self._inner.send(message, still)

    def disconnect(self) -> None:
        """Disconnect as usual."""
        self._inner.disconnect()


class Day:
    """People who play, and a sender that looks every twenty minutes."""

    def __init__(self, run: Run, server: MailServer) -> None:
        self.run, self.server, self.clock = run, server, Clock()
        self.app: Flask = application(run, self.clock, smtp_url=server.url)
        self.cast = Cast(self.app)
        Office(self.app).address(*self.cast.seated)
        transport = transport_of(services_of(self.app).config)
        assert transport is not None
        self.transport = Counted(transport)
        self.sender = Sender(services_of(self.app), self.transport)
        self.game_id = self.cast.start(BOOMERANG)

    def play(self, ms: int) -> None:
        """Let time pass, with a move each hour; the sender looks every twenty minutes."""
        until, looks = self.clock() + ms, 0
        while self.clock() < until:
            self.clock.forward(20 * MINUTE)
            looks += 1
            if looks % 3 == 0:
                self.move()
            self.send()

    def move(self) -> None:
        """Make one move, in a new game if the last one is over."""
        if self.is_over():
            self.game_id = self.cast.start(BOOMERANG)
        person, shown = self.cast.asked(self.game_id)
        person.answer(shown)
        self.run.count("moves")

    def is_over(self) -> bool:
        """Whether the last game is over."""
        return bool(self.cast.alice.game(self.game_id)["status"] == "over")

    def send(self) -> None:
        """Send what is due."""
        with self.app.app_context():
            send_all(self.sender)

    def unsent(self) -> int:
        """The number of mails that have not been dealt with, including those due in some minutes for people who are
        online.
        """
        found: int = execute(self.app, "SELECT count(*) FROM outbox WHERE done_at IS NULL")[0][0]
        return found


def endure(run: Run) -> None:
    """Let the server be down for this number of days, with some hours in between."""
    with MailServer() as server:
        day = Day(run, server)
        for _ in range(run.rounds):
            day.play(2 * HOUR)
            server.stop()
            day.transport.tries = 0
            day.play(DAY)
            run.most("tries to connect in a day", day.transport.tries)
            assert 2 <= day.transport.tries <= MOST_TRIES, day.transport.tries
            before, since = len(server.mails), day.clock() - DAY
            day.move()
            if day.is_over():
                day.move()  # in the next game, lest nobody be waited for
            server.start()
            minutes = until_all_is_sent(day)
            run.most("minutes until all was sent", minutes)
            spoil(day, before)
            judge(day, before, since)
        run.counts["mails"] = len(server.mails)
        day.sender.disconnect()


def until_all_is_sent(day: Day) -> int:
    """Let minutes pass, in which nobody plays, until no mail waits; returns their number."""
    for minutes in range(SOON + 1):
        day.clock.forward(MINUTE)
        day.send()
        if not day.unsent():
            return minutes
    raise AssertionError(
        f"{day.unsent()} mails were not sent {SOON} minutes after the server came back"
    )


def spoil(day: Day, before: int) -> None:
    """Plant the fault."""
    if day.run.fault == "lost":
        del day.server.mails[before:]
    if day.run.fault == "doubled":
        day.server.mails.append(day.server.mails[-1])


def judge(day: Day, before: int, since: int) -> None:
    """Check that everybody who is waited for was told, and that no mail came twice or late, or was given up."""
    came = [address for mail in day.server.mails[before:] for address in mail.to]
    waited_for = [row.address for row in execute(day.app, _WAITED_FOR, since=since)]
    assert waited_for and set(waited_for) <= set(came), f"{waited_for} are waited for, {came} told"
    times = Counter(mail.id for mail in day.server.mails)
    assert set(times.values()) == {1}, [each for each in times.items() if each[1] > 1]
    belated = execute(day.app, _BELATED)[0][0]
    assert belated == 0, f"{belated} mails were sent after the answer"
    outcomes: dict[Any, int] = dict(
        map(tuple, execute(day.app, "SELECT outcome, count(*) FROM outbox GROUP BY outcome"))
    )
    assert not outcomes.keys() & {"expired", "failed"}, outcomes


DEFINITION = Definition(endure, rounds=10, quick=1, unit="days", faults=("lost", "doubled"))
