"""Replies to turn mails: what the mail server hands over is said at the table, or returned with a reason."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt
from service.core.runtime.units import DAY
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.answers import BY_MAIL, READ, Outcome
from service.notifications.incoming_mail.reading.message import ReceivedMail, Refused
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.post_office import Office, part
from tests.support.replying import SAID, answer
from tests.support.talking import heard

either = pytest.mark.parametrize("receiver", ["reply@tegami.example", "*@reply.tegami.example"])


@pytest.fixture
def receiver():
    return "reply@tegami.example"


@pytest.fixture
def config(config, receiver):
    return replace(config, incoming_mail=receiver)


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    return office


@pytest.fixture
def game_id(cast, office):
    return cast.start(CARAVAN)


@pytest.fixture
def mail(cast, office, game_id):
    """A turn mail to alice."""
    return next(each for each in office.deliver() if each["To"] == "alice@example.org")


@pytest.fixture
def receive(app):
    def handed(data, sender=None, *recipients):
        with app.app_context():
            return answers.receive(app.extensions["tegami"], ReceivedMail(data, sender, recipients))

    return handed


def refused(receive, data, code, why, *more):
    with pytest.raises(Refused) as told:
        receive(data, *more)
    assert (told.value.code, told.value.why) == (code, why)


@either
def test_an_answer_is_said_at_the_table(cast, game_id, mail, receive):
    assert receive(answer(mail)) == Outcome.SAID
    assert heard(cast.bob, game_id) == [SAID]


@pytest.mark.both_databases
def test_the_same_message_is_said_once(cast, game_id, mail, receive):
    for _ in range(3):
        assert receive(answer(mail)) == Outcome.SAID
    assert receive(answer(mail, id="<2@example.org>")) == Outcome.SAID
    assert heard(cast.bob, game_id) == [SAID, SAID]


@either
@sqlite_only
def test_the_mail_says_where_answers_go(mail, receiver):
    name, address = parseaddr(str(mail["Reply-To"]))
    assert name == "Caravan with Bob"
    assert len(address.partition("@")[0]) <= 64, "RFC 5321 allows no longer part"
    assert address.endswith(receiver.partition("@")[2])
    for text in (part(mail), part(mail, "html")):
        assert "Replies to the table: above this line" in text
        assert "Nobody reads" not in text


@sqlite_only
@pytest.mark.parametrize("receiver", [None])
def test_without_incoming_mail_the_reply_address_says_so(mail, receiver):
    assert parseaddr(str(mail["Reply-To"]))[0] == "Nobody reads replies"
    assert "Nobody reads replies" in part(mail)
    assert "above this line" not in part(mail)


@sqlite_only
def test_the_envelope_counts_before_the_headers(cast, game_id, mail, receive):
    address = parseaddr(str(mail["Reply-To"]))[1]
    assert (
        receive(answer(mail, To="somebody@else.example"), "alice@example.org", address.upper())
        == Outcome.SAID
    )
    assert heard(cast.bob, game_id) == [SAID]


@either
@sqlite_only
def test_other_addresses_take_no_answers(app, mail, receive, receiver):
    address = parseaddr(str(mail["Reply-To"]))[1]
    stored = dump(app)
    local, _, domain = address.partition("@")
    for wrong in (
        f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}",
        f"{local}a@{domain}",
        f"{local[:-8]}@{domain}",
        f"{local}@else.example",
        receiver.replace("*", "x"),
        f"reply+ü@{domain}",
    ):
        refused(
            receive,
            answer(mail, To="x@else.example"),
            os.EX_NOUSER,
            "answer.no-address",
            None,
            wrong,
        )
    assert dump(app) == stored


@sqlite_only
def test_every_letter_of_an_address_counts(mail, receive):
    """The last letters of a token hold bits beyond its bytes; whichever are changed, nobody else is meant."""
    local, _, domain = parseaddr(str(mail["Reply-To"]))[1].partition("@")
    token = local.rpartition("+")[2]
    for at in range(0, len(token) - 1, 5):
        other = "a" if token[at] != "a" else "b"
        wrong = local[: len(local) - len(token)] + token[:at] + other + token[at + 1 :]
        refused(receive, answer(mail, To=f"{wrong}@{domain}"), os.EX_NOUSER, "answer.no-address")


@sqlite_only
def test_an_address_expires(mail, receive, clock):
    clock.forward(60 * DAY)
    assert receive(answer(mail)) == Outcome.SAID
    clock.forward(DAY)
    refused(receive, answer(mail, id="<2@x>"), os.EX_NOUSER, "answer.no-address")


@sqlite_only
def test_an_address_ends_with_the_address_of_the_player(office, cast, mail, receive):
    office.change(
        "UPDATE accounts SET address = 'new@example.org', folded = 'new@example.org'",
        cast.alice,
        "player_id",
    )
    refused(receive, answer(mail, sender="new@example.org"), os.EX_NOUSER, "answer.no-address")


@sqlite_only
def test_a_seat_that_was_taken_over_says_nothing(cast, office, receive):
    game_id = cast.start()
    mail = next(each for each in office.deliver() if each["To"] == "alice@example.org")
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    refused(receive, answer(mail), os.EX_NOUSER, "answer.handed-over")


@sqlite_only
@pytest.mark.parametrize(
    "sender", ["eve@example.org", "", "alice@example.org, eve@example.org", "alice@evil.example"]
)
def test_whoever_was_forwarded_a_mail_does_not_speak_for_its_reader(
    cast, game_id, mail, receive, sender
):
    refused(receive, answer(mail, sender=sender), os.EX_NOPERM, "answer.other-sender")
    assert heard(cast.bob, game_id) == []


@sqlite_only
def test_the_spelling_of_an_address_makes_no_difference(mail, receive):
    assert receive(answer(mail, sender="ALICE+cards@Example.org")) == Outcome.SAID


@sqlite_only
@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated; owner-email=x"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"Return_Path": "<>"},
        {"List_Id": "<x.example>"},
    ],
)
def test_programs_are_not_answered_and_say_nothing(app, mail, receive, header):
    stored = dump(app)
    assert receive(answer(mail, **header)) == Outcome.IGNORED
    assert receive(answer(mail), "") == Outcome.IGNORED, "an empty sender is a bounce"
    assert dump(app) == stored


@sqlite_only
def test_a_person_may_say_that_no_program_wrote(mail, receive):
    assert receive(answer(mail, Auto_Submitted="no")) == Outcome.SAID


@sqlite_only
def test_an_answer_in_html_alone(cast, game_id, mail, receive):
    message = EmailMessage()
    message["From"], message["To"] = "alice@example.org", str(mail["Reply-To"])
    message.set_content(f"<p>{SAID}</p><blockquote>{part(mail, 'html')}</blockquote>", "html")
    assert receive(message.as_bytes()) == Outcome.SAID
    assert heard(cast.bob, game_id) == [SAID]


@sqlite_only
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "answer.nothing-above"),
        ("x" * 1001, "answer.too-long"),
        ("> quoted", "answer.nothing-above"),
    ],
)
def test_what_cannot_be_said_comes_back(mail, receive, text, why):
    refused(receive, answer(mail, text), os.EX_DATAERR, why)


@sqlite_only
def test_a_quote_that_is_not_known_is_not_said(cast, game_id, mail, receive):
    """However it is quoted, the writer's hand does not reach the table."""
    drawn = re.split(r"The table\n-+\n", part(mail))[1].splitlines()
    message = EmailMessage()
    message["From"], message["To"] = "alice@example.org", str(mail["Reply-To"])
    message.set_content(f"{SAID}\n\nOld mail follows\n\n" + "\n".join(drawn[:12]))
    refused(receive, message.as_bytes(), os.EX_DATAERR, "answer.quotes-table")
    assert heard(cast.bob, game_id) == []


@sqlite_only
def test_something_without_text_comes_back(mail, receive):
    for content in (
        b"Content-Type: image/png\r\n\r\nxx",
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b--\r\n",
    ):
        data = f"From: alice@example.org\r\nTo: {mail['Reply-To']}\r\n".encode() + content
        refused(receive, data, os.EX_DATAERR, "answer.no-text")


@sqlite_only
def test_whoever_is_muted_says_nothing_by_mail(cast, office, receive):
    game_id = cast.start(CARAVAN)
    mail = next(each for each in office.deliver() if each["To"] == "bob@example.org")
    tenure = cast.bob.game(game_id)["tenure"]
    cast.alice.post(f"/api/games/{game_id}/mutes", {"tenure": tenure})
    told = answer(mail, sender="bob@example.org")
    refused(receive, told, os.EX_NOPERM, "problem.may-not-talk.detail")
    assert heard(cast.alice, game_id) == []


@sqlite_only
def test_many_messages_wait_at_the_mail_server(cast, office, game_id, mail, receive, clock):
    """The mail server keeps them without a word, so the writer is told by a mail, once."""
    for number in range(BY_MAIL.most):
        assert receive(answer(mail, id=f"<{number}@x>")) == Outcome.SAID
    for _ in range(3):
        refused(receive, answer(mail, id="<one more@x>"), os.EX_TEMPFAIL, "answer.too-many")
    assert receive(answer(mail, id="<0@x>")) == Outcome.SAID, (
        "what was said is not said again, and costs nothing"
    )
    (told,) = office.deliver()
    assert told["To"] == "alice@example.org"
    assert "The others are read later" in " ".join(part(told).split())
    assert "/moves/" not in part(told), "it asks for nothing"
    clock.forward(BY_MAIL.window)
    assert receive(answer(mail, id="<one more@x>")) == Outcome.SAID


@sqlite_only
def test_so_many_mails_of_a_player_are_read_whatever_they_say(cast, office, mail, receive, app):
    player, services = Attempt(answers.doubtful(READ), cast.alice.id), app.extensions["tegami"]
    with app.app_context():
        for _ in range(READ.most - 1):
            attempt_counts.count(services, services.config.secret_key, [player])
    refused(receive, answer(mail, text=""), os.EX_DATAERR, "answer.nothing-above")
    refused(receive, answer(mail, text=""), os.EX_TEMPFAIL, "answer.too-many")
    (told,) = office.deliver()
    assert "The others are read later" in " ".join(part(told).split())
