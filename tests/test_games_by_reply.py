"""Games of every ruleset are played to their end by replies alone, through real SMTP, out and in, on both databases.

Each player reads only the mails that come, and answers them: by a number, by the words or the cards of a choice, or by
yes where a mail asks to confirm. The mail server that brings the replies says of some whose they are, of others not.
"""

from __future__ import annotations

import random
import re
import smtplib
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

import rules
from service.core.runtime.units import HOUR
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.answers import Outcome
from service.notifications.incoming_mail.reading.message import ReceivedMail
from service.notifications.mail_sending.sender import senders_of
from service.web.app import create_app
from tests.support.cast import Cast, Person, eager
from tests.support.changed import games_in_full
from tests.support.clock import history
from tests.support.dump import execute
from tests.support.post_office import Office, part
from tests.support.sending import send_all
from tests.support.servers.databases import disconnect
from tests.support.servers.smtp_server import Mail, MailServer
from tests.support.talking import heard

pytestmark = pytest.mark.of_service

SERVER = "mx.tegami.example"
NUMBER = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
MOST_ROUNDS = 3_000
OVER = "The game is over"
PASSES = f"{SERVER}; dkim=pass header.d=example.org\r\n".encode()
LIKELY = 0.6
"""The probability that the mail server can tell whose a reply is."""
SHORT = {"blame-the-magic", "caravan", "joretsu", "market-price"}
"""Games that take a few seconds by mail; the longest take minutes."""
DAILY = sorted(games_in_full() & SHORT or {"joretsu"})[:1]
CASES = [
    pytest.param(each, marks=[] if each in DAILY else [pytest.mark.thorough])
    for each in rules.slugs()
]
"""An everyday run plays one game, in turn; with everything, each is played on both databases."""


class World:
    """A service, the server for its outgoing mails, and the one that accepts replies."""

    def __init__(self, app, outgoing: MailServer, incoming: MailServer, clock) -> None:
        self.app, self._clock, self._outgoing, self._incoming = app, clock, outgoing, incoming
        (self._sender,) = senders_of(app.extensions["tegami"])
        self._sent = 0

    def deliver(self) -> None:
        """Send what is due, now or later."""
        self._clock.forward(HOUR)  # within an hour so many replies are taken
        execute(self.app, "UPDATE outbox SET run_at = 0, lease_until = 0 WHERE done_at IS NULL")
        with self.app.app_context():
            send_all(self._sender)

    def mails_to(self, address: str) -> list[Mail]:
        """All mails to somebody."""
        return self._outgoing.to(address)

    def reply(self, to: EmailMessage, text: str, *, certain: bool) -> Outcome:
        """Send a reply by SMTP, with the mail quoted; returns its outcome."""
        self._sent += 1
        message, address = EmailMessage(), parseaddr(str(to["Reply-To"]))[1]
        message["From"], message["To"] = str(to["To"]), address
        message["Subject"], message["Message-ID"] = f"Re: {to['Subject']}", f"<{self._sent}@x>"
        quote = "".join(f"> {line}\n" for line in part(to).splitlines())
        message.set_content(f"{text}\n\nOn Tuesday, {to['From']} wrote:\n{quote}")
        with smtplib.SMTP(self._incoming.host, self._incoming.port) as smtp:
            smtp.send_message(message, str(to["To"]), [address])
        came, results = self._incoming.mails[-1], b"Authentication-Results: " + PASSES
        data = results + came.raw if certain else came.raw
        with self.app.app_context():
            received = ReceivedMail(data, came.sender, tuple(came.to))
            return answers.receive(self.app.extensions["tegami"], received)


class Correspondent:
    """Somebody who plays by replying to mails, and wants the game to end."""

    def __init__(self, world: World, person: Person, game_id: str, rng: random.Random) -> None:
        self._world, self._rng, self._read, self._game_id = world, rng, 0, game_id
        self._person, self._address = person, f"{person.name.lower()}@example.org"
        self._choose = eager(rng)

    def answer(self) -> bool:
        """Answer the last new mail that asks something; returns whether there was one."""
        mails = self._world.mails_to(self._address)
        new, self._read = mails[self._read :], len(mails)
        for mail in reversed([each.message for each in new]):
            if text := self._answer_to(part(mail)):
                outcome = self._world.reply(mail, text, certain=self._rng.random() < LIKELY)
                assert outcome in {Outcome.PLAYED, Outcome.ANSWERED}, (text, part(mail))
                return True
        return False

    def over(self) -> bool:
        """Whether the last received mail says that the game is over."""
        mails = self._world.mails_to(self._address)
        return any(str(each.message["Subject"]).startswith(OVER) for each in mails[-3:])

    def _answer_to(self, mail: str) -> str:
        if "“yes”" in mail and "nothing has been played" in mail:
            return self._rng.choice(["Yes", "yes.", "OK"])
        listed = {words: number for number, words in NUMBER.findall(mail)}
        if not listed:
            return ""
        wish = self._choose(self._person.game(self._game_id)["legal"])["words"]
        if wish in listed:
            return self._rng.choice([listed[wish], f"{listed[wish]}.", wish])
        return self._rng.choice([wish, self._rng.choice(list(listed.values()))])


@pytest.fixture
def world(config, runtime, clock, lending):
    with MailServer() as outgoing, MailServer() as incoming:
        settings = {"incoming_mail": "reply@tegami.example", "authserv_id": SERVER}
        settings |= {"smtp_url": outgoing.url, "smtp_connections": 1}
        app = create_app(replace(config, **settings), runtime)
        yield World(app, outgoing, incoming, clock)
        disconnect(app)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("slug", CASES)
def test_a_game_is_played_to_its_end_by_replies_alone(world, slug):
    cast = Cast(world.app)
    office = Office(world.app)
    office.address(*cast.seated)
    fewest = rules.load(slug).players[0]
    game_id = cast.start(slug, players=max(2, fewest))
    people = list(cast.holders(game_id).values())
    writers = [
        Correspondent(world, each, game_id, random.Random(n)) for n, each in enumerate(people)
    ]
    for _ in range(MOST_ROUNDS):
        world.deliver()
        answered = [each.answer() for each in writers]
        if not any(answered):
            break
    assert cast.alice.game(game_id)["status"] == "over"
    assert all(each.over() for each in writers)
    assert heard(cast.bob, game_id) == [], "nothing that played was said"
    events = history(cast.alice, game_id)
    assert {each["by"] for each in events if each["kind"] == "action"} == {"seat"}
