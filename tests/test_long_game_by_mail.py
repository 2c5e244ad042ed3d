"""A game over weeks by mail alone, with time as an argument, on both databases.

Zoe has only a mail address: she is invited by mail, and comes by the link of that mail. In the game alice, zoe and a
house player only follow links in mails and answer mails. On the way alice talks, zoe has quiet hours and a digest,
overlooks a reminder, loses her seat by time, and takes it back by a link.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from service.log.verification.verify_record import verify
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.reading.message import ReceivedMail
from service.web.app import create_app
from tests.support.cast import Cast, Person
from tests.support.clock import MINUTE, Hours, history, reasons
from tests.support.dump import execute
from tests.support.post_office import Office, moves, part
from tests.support.servers.databases import disconnect
from tests.test_by_mail import SEAT, WAY

pytestmark = pytest.mark.of_service

ADDRESS, TALK = "zoe@example.org", "Off to the mountains until Friday"
STEP = 30 * MINUTE
NIGHT = "20:00-08:00"
HOUR_OF_DIGEST = 12


@pytest.fixture
def app(config, runtime):
    app = create_app(replace(config, incoming_mail="reply@tegami.example"), runtime)
    yield app
    disconnect(app)


class Correspondent:
    """Somebody who reads mails, and remembers when each arrived."""

    def __init__(self, person: Person, address: str) -> None:
        self.person, self.address = person, address
        self.unread: list[tuple[datetime, EmailMessage]] = []
        self.rng = random.Random(5)

    def got(self, subject: str) -> bool:
        """Whether an unread mail has a subject that begins with this."""
        return any(str(mail["Subject"]).startswith(subject) for _, mail in self.unread)

    def read(self) -> list[EmailMessage]:
        """The unread mails."""
        mails, self.unread = [mail for _, mail in self.unread], []
        return mails

    def change(self, **settings: object) -> None:
        """Change settings."""
        assert self.person.send("PATCH", "/api/me/settings", json=settings).status_code == 200


class Match:
    """A table of alice, zoe and a house player; the clock moves in steps, with a worker that is alive."""

    def __init__(self, cast: Cast, office: Office, hours: Hours) -> None:
        self._cast, self._office, self._hours = cast, office, hours
        self.page = cast.nobody.http
        office.address(cast.alice)
        self.alice = Correspondent(cast.alice, "alice@example.org")
        self.zoe = Correspondent(Person(office.app, "Zoe"), ADDRESS)
        pace = {"players": 3, "house": 1, "pace": "daily", "takeover": 2}
        self.id = cast.open("oracle-land", **pace)
        self.away()

    def away(self) -> None:
        """Note that nobody is looking at the website, because visitors get no mail at once."""
        execute(self._office.app, "UPDATE credentials SET seen_at = NULL")

    @property
    def time(self) -> datetime:
        """The present time."""
        return datetime.fromtimestamp(self._hours.clock() / 1000, UTC)

    @property
    def seats(self) -> dict[str, int]:
        """The seats by the names of their holders."""
        return {each["name"]: each["seat"] for each in self.game()["seats"]}

    def game(self):
        """The table as alice sees it."""
        return self._cast.alice.game(self.id)

    def waited_for(self) -> set[str]:
        """The names of the people who are waited for."""
        names = {seat: name for name, seat in self.seats.items()}
        return {names[each["seat"]] for each in self.game()["waiting"]}

    def time_outs(self) -> int:
        """The number of moves made by time-outs."""
        return sum(each.get("by") == "timeout" for each in history(self._cast.alice, self.id))

    def later(self) -> None:
        """Let time pass, and bring the mails of that time."""
        self.away()
        self._hours.later(STEP)
        for mail in self._office.deliver(now=False):
            for each in (self.alice, self.zoe):
                if mail["To"] == each.address:
                    each.unread.append((self.time, mail))

    def follow(self, one: Correspondent) -> None:
        """Play by a link of the latest mail that has one."""
        offered = next(filter(None, map(moves, reversed(one.read()))), [])
        path = one.rng.choice(offered) if offered else None
        while path:
            shown = self.page.get(path)
            assert shown.status_code == 200
            if '<form method="post">' in shown.text:
                assert self.page.post(path).status_code == 200
                return
            ways = WAY.findall(shown.text)
            path = one.rng.choice(ways) if ways else None

    def play(self, *people: Correspondent, until: Callable[[], bool]) -> None:
        """Let these people follow their mails, and time pass, until this holds."""
        for _ in range(600):
            if until():
                return
            for each in people:
                self.follow(each)
            self.later()
        raise AssertionError(f"it was never so until {self.time}")

    def answer(self, one: Correspondent, mail: EmailMessage, text: str) -> None:
        """Reply to a mail, with the mail quoted below, as the mail server hands it over."""
        message = EmailMessage()
        message["From"], message["To"] = one.address, str(mail["Reply-To"])
        quote = "".join(f"> {line}\n" for line in part(mail).splitlines())
        message.set_content(f"{text}\n\nOn Tuesday, {mail['From']} wrote:\n{quote}")
        with self._office.app.app_context():
            services = self._office.app.extensions["tegami"]
            assert answers.receive(services, ReceivedMail(message.as_bytes()))


def test_a_long_game_by_mail(app):
    cast = Cast(app)
    match = Match(cast, Office(app), Hours(app, app.extensions["tegami"].now))
    zoe_comes_by_the_link_of_her_invitation(match)
    alice_talks_by_answering_a_mail(match)
    zoe_has_quiet_hours(match)
    zoe_has_a_digest(match)
    zoe_overlooks_a_reminder_and_loses_her_seat(match)
    zoe_takes_it_back_by_a_link(match)
    they_play_to_the_end(match)


def zoe_comes_by_the_link_of_her_invitation(match: Match) -> None:
    """The link proves her address: with one touch she gets turns by mail."""
    person = match.zoe.person
    match.alice.person.post(f"/api/games/{match.id}/invitations", {"address": ADDRESS})
    match.play(until=lambda: match.zoe.got("Invitation to"))
    (mail,) = match.zoe.read()
    assert "Pace: 1 day for each decision." in part(mail)
    key = re.search(r"/invited/g_\w+/(\S+)", part(mail))
    assert key
    person.post(f"/api/games/{match.id}/seats", {}, headers={"Invitation": key[1]})
    person.post("/api/me/proven-address")
    match.alice.person.post(f"/api/games/{match.id}/start", status=200)


def alice_talks_by_answering_a_mail(match: Match) -> None:
    match.play(match.zoe, until=lambda: match.alice.got("Your turn"))
    mail = next(mail for mail in match.alice.read() if "Reply-To" in mail)
    match.answer(match.alice, mail, TALK)
    match.alice.unread.append((match.time, mail))
    match.follow(match.alice)
    told: list[str] = []

    def is_told() -> bool:
        told.extend(part(mail) for _, mail in match.zoe.unread)
        return any(TALK in text for text in told)

    match.play(match.alice, match.zoe, until=is_told)


def zoe_has_quiet_hours(match: Match) -> None:
    """Questions asked at night are mailed in the morning, and their time does not end at night."""

    def in_the_evening() -> bool:
        return match.waited_for() == {"Alice"} and match.time.hour in {18, 19}

    match.zoe.change(quiet=NIGHT, time_zone="UTC")
    match.play(match.alice, match.zoe, until=in_the_evening)
    match.zoe.read()
    match.play(until=lambda: match.time.hour == 22)
    match.play(match.alice, until=lambda: "Zoe" in match.waited_for())
    assert match.time.hour in {22, 23} and not match.zoe.unread
    seat = match.seats["Zoe"]
    (waits,) = (each for each in match.game()["waiting"] if each["seat"] == seat)
    assert waits["due"].endswith("T08:00:00.000Z")
    assert "quiet" in reasons(match.alice.person, match.id, seat)
    match.play(match.alice, until=lambda: bool(match.zoe.unread))
    assert (match.time.hour, match.time.minute) == (8, 0) and match.zoe.got("Your turn")
    match.follow(match.zoe)
    match.zoe.change(quiet=None)


def zoe_has_a_digest(match: Match) -> None:
    """She gets one mail a day at noon, and none for the turn; she plays by a link in it."""
    match.zoe.change(digest=f"{HOUR_OF_DIGEST}:00")
    match.zoe.read()
    match.play(match.alice, until=lambda: match.zoe.got("Waiting for you: 1 game"))
    assert match.time.hour == HOUR_OF_DIGEST
    assert not match.zoe.got("Your turn")
    number = match.game()["number"]
    match.follow(match.zoe)
    assert match.game()["number"] > number
    match.zoe.change(digest=None)


def zoe_overlooks_a_reminder_and_loses_her_seat(match: Match) -> None:
    match.play(match.alice, match.zoe, until=lambda: "Zoe" not in match.waited_for())
    match.zoe.read()
    before = match.time_outs()
    match.play(match.alice, until=lambda: match.zoe.got("Still your turn"))
    assert match.time_outs() == before
    match.play(match.alice, until=lambda: match.zoe.got("A house player has taken your seat"))
    assert match.time_outs() == before + 2
    assert match.game()["status"] == "running"


def zoe_takes_it_back_by_a_link(match: Match) -> None:
    mail = next(mail for mail in reversed(match.zoe.read()) if SEAT.search(part(mail)))
    path = SEAT.findall(part(mail))[0].removeprefix("http://localhost")
    assert "Take your seat back" in match.page.get(path).text
    assert "The seat is yours again" in match.page.post(path).text
    match.play(match.alice, until=lambda: match.zoe.got("Your turn"))


def they_play_to_the_end(match: Match) -> None:
    match.play(match.alice, match.zoe, until=lambda: match.game()["status"] == "over")
    for each in (match.alice, match.zoe):
        match.play(until=lambda each=each: each.got("The game is over"))
        mail = each.read()[-1]
        found = re.search(r"http://localhost(/records/\S+)", part(mail))
        assert found
        record = verify(match.page.get(found[1]).data)
        kinds = [event["kind"] for event in record["events"]]
        assert kinds.count("handover") == 2
