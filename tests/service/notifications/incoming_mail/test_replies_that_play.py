"""Replies that play: by number, by words, by cards; which of them have to be confirmed, and which are never said."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.core.runtime.signatures import signature
from service.core.runtime.time_and_random import from_base62
from service.core.runtime.units import DAY
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.answers import Outcome
from service.notifications.incoming_mail.reading.message import ReceivedMail, Refused
from service.outbox.addresses import own_addresses
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.post_office import Office, part
from tests.support.talking import heard

SERVER = "mx.tegami.example"
PASSES = f"{SERVER}; dkim=pass header.d=example.org; spf=pass smtp.mailfrom=alice@example.org"
NUMBER = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example", authserv_id=SERVER)


class Table:
    """A game of alice and bob, and the mails that reach alice."""

    def __init__(self, app, cast, ruleset=CARAVAN, **options):
        self.app, self.cast, self.office = app, cast, Office(app)
        self.office.address(cast.alice, cast.bob)
        self.id = cast.start(ruleset, **options)
        self.sent = 0
        self.mail = self.to_alice()[-1]

    def to_alice(self):
        """The mails that alice has received since the last call."""
        return [each for each in self.office.deliver() if each["To"] == "alice@example.org"]

    def number(self):
        """The number of events."""
        return self.cast.alice.game(self.id)["number"]

    def legal(self):
        """The words of alice's choices."""
        return [each["words"] for each in self.cast.alice.game(self.id)["legal"]]

    def heard(self):
        """The messages from alice that bob has read."""
        return heard(self.cast.bob, self.id)

    def reply(self, text, mail=None, sender="Alice <alice@example.org>", results=PASSES, **headers):
        """Hand a reply to `mail` over, with the mail quoted below."""
        mail, self.sent = mail or self.mail, self.sent + 1
        message = EmailMessage()
        message["From"], message["To"] = sender, str(mail["Reply-To"])
        message["Message-ID"] = headers.pop("id", f"<{self.sent}@example.org>")
        if results:
            message["Authentication-Results"] = results
        quote = "".join(f"> {line}\n" for line in part(mail).splitlines())
        message.set_content(f"{text}\n\nOn Tuesday, {mail['From']} wrote:\n{quote}")
        return self.hand_over(message.as_bytes())

    def hand_over(self, data):
        """Hand over a message; returns its outcome."""
        with self.app.app_context():
            return answers.receive(self.app.extensions["tegami"], ReceivedMail(data))

    def answered(self):
        """The only mail that alice has received since, which answers hers."""
        (mail,) = self.to_alice()
        assert str(mail["Subject"]).startswith("Your reply")
        return mail


@pytest.fixture
def table(app, cast):
    return Table(app, cast)


def numbers(mail):
    """The numbered choices of a mail."""
    return {int(number): words for number, words in NUMBER.findall(part(mail))}


@pytest.mark.both_databases
def test_a_number_plays_and_is_answered_with_what_happened(app, cast):
    """It also has the next question; it takes the place of the turn mail. A copy changes nothing."""
    table = Table(app, cast, "oracle-land")
    number, words = next(iter(numbers(table.mail).items()))
    before = table.number()
    assert table.reply(f"{number}\n\nSee you tomorrow", id="<one@x>") == Outcome.PLAYED
    after = table.number()
    assert after > before
    mail = table.answered()
    assert "Your reply has been played." in part(mail) and words.rpartition(" ")[2] in part(mail)
    assert "What you wrote below the first line was not passed on" in part(mail)
    assert words not in str(mail["Subject"])
    assert table.reply(f"{number}", id="<one@x>") == Outcome.ANSWERED
    assert (table.number(), table.to_alice(), table.heard()) == (after, [], [])


@sqlite_only
def test_many_choices_are_chosen_in_steps_each_with_numbers_of_its_own(table):
    """Or at once, by the cards of the action, in any spelling."""
    first = numbers(table.mail)
    assert len(table.legal()) > 12 >= len(first)
    mail, seen = table.mail, dict(first)
    number, before = min(first), table.number()
    while table.reply(f"{number}.", mail) == Outcome.ANSWERED:
        mail = table.answered()
        found = numbers(mail)
        assert not found.keys() & seen.keys(), "a number never means two things"
        seen |= found
        number = max(found)
    assert table.number() > before
    assert table.heard() == []


@sqlite_only
def test_the_cards_of_a_move_play_it(table):
    words, before = table.legal()[0], table.number()
    cards = re.findall(r"(?:10|[2-9AJQK])[♠♥♦♣]", words)
    assert len(cards) == 3
    spelled = " ".join(cards).translate(str.maketrans("♠♥♦♣", "shdc"))
    assert table.reply(spelled.lower()) == Outcome.PLAYED
    assert table.number() > before


@sqlite_only
def test_the_words_of_a_move_play_it_and_are_never_said(app, cast):
    table = Table(app, cast, "trunk-and-peddler")
    words = table.legal()[0]
    for told in (f"I think I will {words}, if that is fine", f"Hello Bob!\n\n{words}"):
        assert table.reply(told) == Outcome.ANSWERED
        mail = table.answered()
        assert "was not passed on to the table" in part(mail) and words in numbers(mail).values()
    assert table.heard() == []
    assert table.reply(f"talk: {words}") == Outcome.SAID
    assert table.heard() == [words]
    before = table.number()
    assert table.reply(f"{words.upper()}.") == Outcome.PLAYED
    assert table.number() > before


@sqlite_only
def test_a_stale_number_gets_the_new_question(table, cast):
    old, (number, *_) = table.mail, numbers(table.mail)
    action = cast.alice.game(table.id)["legal"][0]["action"]
    cast.alice.answer(cast.alice.game(table.id), action)
    before = table.number()
    assert table.reply(f"{number}") == Outcome.ANSWERED
    mail = table.answered()
    assert "The table has moved on" in part(mail) and "not asked anything" in part(mail)
    cast.bob.answer(cast.bob.game(table.id))
    table.to_alice()
    now = table.number()
    for text in (f"{number}", "7", "Pass"):
        assert table.reply(text, old) in {Outcome.ANSWERED, Outcome.SAID}
    mail = table.to_alice()[0]
    assert "The table has moved on" in part(mail)
    assert table.number() == now > before


@sqlite_only
def test_what_may_be_somebody_elses_is_confirmed(table, cast):
    """Knowing only the address is not enough to play: only the mail that asks says where to confirm."""
    spelled = table.legal()[0]
    before = table.number()
    doubtful = [
        {"results": None},
        {"results": PASSES.replace("pass", "fail")},
        {"results": PASSES.replace(SERVER, "mx.evil.example")},
        {
            "results": f"{SERVER}; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example"
        },
        {"sender": "eve@evil.example"},
    ]
    for each in doubtful:
        assert table.reply(spelled, **each) == Outcome.ANSWERED
        mail = table.answered()
        assert table.number() == before and "nothing has been played" in part(mail)
        assert spelled in part(mail) and spelled not in str(mail["Subject"])
    with pytest.raises(Refused):
        table.reply("yes please", sender="eve@evil.example")
    assert table.reply("Yes", results=None) == Outcome.SAID, "that address confirms nothing"
    assert table.reply("No", mail, results=None) == Outcome.ANSWERED
    assert table.number() == before and "You can still choose" in part(table.answered())
    assert table.reply("Yes.", mail, results=None) == Outcome.PLAYED
    assert table.number() > before


@sqlite_only
def test_a_player_may_always_confirm_or_never(table, cast):
    spelled, before = table.legal()[0], table.number()
    change = {"path": "/api/me/settings", "method": "PATCH"}
    assert (
        cast.alice.send(
            change["method"], change["path"], json={"confirm_replies": "always"}
        ).status_code
        == 200
    )
    assert table.reply(spelled) == Outcome.ANSWERED
    assert table.number() == before
    table.answered()
    cast.alice.send(change["method"], change["path"], json={"confirm_replies": "never"})
    assert table.reply(spelled, sender="eve@evil.example") == Outcome.ANSWERED
    assert table.number() == before
    assert table.reply(spelled, results=None) == Outcome.PLAYED


@sqlite_only
def test_a_wrong_number_is_answered_with_the_choices(table):
    assert table.reply("9999") == Outcome.ANSWERED
    mail = table.answered()
    assert "no choice with this number" in part(mail) and numbers(mail) == numbers(table.mail)
    assert table.heard() == []


@sqlite_only
def test_what_is_left_out_is_told(table):
    """This is sent once an hour: a program that answers every mail is not answered each time."""
    text = f"Hello Bob\n\n-----Original Message-----\n{part(table.mail)}\nP.S. Good luck"
    message = EmailMessage()
    message["From"], message["To"] = "alice@example.org", parseaddr(str(table.mail["Reply-To"]))[1]
    message.set_content(text)
    for number in range(2):
        message.replace_header("Message-ID", f"<{number}@x>") if number else None
        if not number:
            message["Message-ID"] = "<0@x>"
        assert table.hand_over(message.as_bytes()) == Outcome.SAID
    assert table.heard() == ["Hello Bob", "Hello Bob"]
    assert "below the quoted email" in part(table.answered())


@sqlite_only
def test_a_reply_plays_and_says_what_is_marked_as_talk(table):
    assert table.reply(f"{table.legal()[0]}\ntalk: Good luck, Bob!") == Outcome.PLAYED
    assert table.heard() == ["Good luck, Bob!"]
    assert "was not passed on" not in part(table.answered())


@sqlite_only
def test_nothing_of_a_reply_stays_in_a_log(table, caplog, capfd):
    table.reply("The secret of my hand is out")
    table.reply(table.legal()[0], results=None)
    logged = "".join(capfd.readouterr())
    assert "secret of my hand" not in logged and table.legal()[0] not in logged
    assert "example.org" not in logged


@sqlite_only
def test_addresses_of_earlier_releases_still_take_answers(table):
    """They name no question, so a number means a choice of the present one."""
    services = table.app.extensions["tegami"]
    tenure = table.cast.alice.game(table.id)["tenure"]
    until = services.now() // DAY + 3
    about = ("reply address", tenure, until, "alice@example.org")
    signed = urlsafe_b64decode(signature(services.config.secret_key, *about) + "=")[:10]
    data = from_base62(tenure[2:]).to_bytes(17, "big") + until.to_bytes(2, "big") + signed
    table.mail.replace_header("Reply-To", own_addresses.address_with(services.config, data))
    assert table.reply("Hello") == Outcome.SAID
    assert table.reply("1") == Outcome.ANSWERED
    assert numbers(table.answered())


@sqlite_only
def test_nothing_is_played_or_said_when_the_game_is_over(table, cast):
    words = table.legal()[0]
    cast.bob.post(f"/api/games/{table.id}/resignation", status=200)
    table.to_alice()
    for text in ("3", words, "Hello"):
        table.reply(text)
    assert table.heard() == ["Hello"]
    assert "The table has moved on" in part(table.to_alice()[0])
