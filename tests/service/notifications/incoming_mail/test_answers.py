"""Answers to turn mails: what the mail server hands over is said at the table, or comes back with a reason."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt
from service.core.runtime.units import DAY
from service.core.settings.config import ROOT
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.answers import BY_MAIL, READ, Outcome
from service.notifications.incoming_mail.reading.message import LONGEST, ReceivedMail, Refused
from tests.hosting_page import example
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.operator_command import run
from tests.support.post_office import Office, part
from tests.support.talking import heard

SAID = "I am off until Friday."


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


def answer(mail, text=SAID, sender="Alice <alice@example.org>", **headers):
    """What alice's mail program makes of an answer, as bytes."""
    message = EmailMessage()
    message["From"], message["To"] = sender, headers.pop("To", str(mail["Reply-To"]))
    message["Message-ID"] = headers.pop("id", "<1@example.org>")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    quote = "".join(f"> {line}\n" for line in part(mail).splitlines())
    message.set_content(f"{text}\n\nOn Tuesday, {mail['From']} wrote:\n{quote}")
    return message.as_bytes()


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
    """Which keeps them without a word, so the writer is told by a mail, once."""
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
    player, services = Attempt(READ, cast.alice.id), app.extensions["tegami"]
    with app.app_context():
        for _ in range(READ.most - 1):
            attempt_counts.count(services, services.config.secret_key, [player])
    refused(receive, answer(mail, text=""), os.EX_DATAERR, "answer.nothing-above")
    refused(receive, answer(mail, text=""), os.EX_TEMPFAIL, "answer.too-many")
    (told,) = office.deliver()
    assert "The others are read later" in " ".join(part(told).split())


# The command


def tegami(config, data, status, *words, **settings):
    environment = {
        "INCOMING_MAIL": config.incoming_mail,
        "DATABASE_URL": config.database_url,
        "DATA_DIR": str(config.data_dir),
        **settings,
    }
    return run(config, "receive-mail", *words, status=status, input=data, env=environment)


@pytest.fixture
def key_file(config):
    (config.data_dir / "secret.key").write_bytes(config.secret_key)


def test_the_command_says_it_and_tells_the_mail_server(cast, config, game_id, mail, key_file):
    done = tegami(config, answer(mail), 0)
    assert done.output == ""
    assert heard(cast.bob, game_id) == [SAID]


@sqlite_only
def test_the_sender_is_told_in_their_language(config, office, cast, mail, key_file):
    office.change("UPDATE players SET language = 'ja'", cast.alice)
    done = tegami(config, answer(mail, ""), os.EX_DATAERR)
    assert done.stderr.startswith("引用より上に何も") and done.stdout == ""
    done = tegami(config, answer(mail, To="nobody@tegami.example"), os.EX_NOUSER)
    assert "This address takes no replies" in done.stderr and "このアドレスでは" in done.stderr


@sqlite_only
def test_a_message_is_bounded(config, mail, key_file):
    assert "too long" in tegami(config, answer(mail) + b"x" * LONGEST, os.EX_DATAERR).stderr


@sqlite_only
@pytest.mark.parametrize(
    "settings",
    [
        {"DATABASE_URL": "postgresql://nobody:secret@127.0.0.1:9/none"},
        {"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"},
        {"INCOMING_MAIL": ""},
        {"PUBLIC_URL": "nonsense"},
    ],
)
def test_a_server_in_trouble_lets_the_mail_server_try_again(config, mail, key_file, settings):
    done = tegami(config, answer(mail), os.EX_TEMPFAIL, **settings)
    assert done.stderr == "Tegami cannot take this message now.\n"


@sqlite_only
def test_an_empty_database_lets_the_mail_server_try_again(config, mail, key_file, tmp_path):
    tegami(
        config, answer(mail), os.EX_TEMPFAIL, DATABASE_URL=f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    )


@sqlite_only
def test_who_asks_for_no_program_gets_none(app, config, mail, key_file):
    stored = execute(app, "SELECT count(*) FROM messages")
    assert tegami(config, answer(mail), 0, "--sender", "").output == ""
    assert execute(app, "SELECT count(*) FROM messages") == stored


def the_script(folder, config, programs):
    """The script of the page, with its settings in `folder` and the command in `programs`; runs it."""
    settings = {
        "INCOMING_MAIL": config.incoming_mail,
        "DATABASE_URL": config.database_url,
        "DATA_DIR": str(config.data_dir),
        "PUBLIC_URL": config.public_url,
    }
    (folder / "answers.env").write_text("".join(f"{k}='{v}'\n" for k, v in settings.items()))
    script = example("receive-mail ${1+").replace("/srv/tegami/bin", str(programs))
    (folder / "answers").write_text(script.replace("/etc/tegami-answers", f"{folder}/answers"))

    def handed(data, *arguments):
        command = ["/bin/sh", str(folder / "answers"), *arguments]
        return subprocess.run(
            command, input=data, capture_output=True, env={"PATH": os.environ["PATH"]}, check=False
        )

    return handed


@sqlite_only
def test_the_script_of_the_page_hands_messages_over(
    cast, config, game_id, mail, key_file, tmp_path
):
    handed = the_script(tmp_path, config, ROOT / "bin")
    address = parseaddr(str(mail["Reply-To"]))[1]
    done = handed(answer(mail, To="x@y.example"), "alice@example.org", address)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert heard(cast.bob, game_id) == [SAID]


REPEATS = """#!/bin/sh
printf '%s\\n' "$INCOMING_MAIL" "$DATABASE_URL" "$@"
cat
echo told >&2
exit 65
"""
"""A command that says how it was called and what it was given."""


@sqlite_only
@pytest.mark.parametrize(
    "words", [(), ("",), ("alice@example.org",), ("", "to@b.example"), ("a@b.example", "")]
)
def test_the_script_of_the_page_hands_on_what_it_was_called_with(config, tmp_path, words):
    (tmp_path / "tegami").write_text(REPEATS)
    (tmp_path / "tegami").chmod(0o755)
    done = the_script(tmp_path, config, tmp_path)(b"Subject: x\n", *words)
    settings = [config.incoming_mail, config.database_url]
    named = [f"{name}={word}" for name, word in zip(("--sender", "--to"), words, strict=False)]
    said = [*settings, "receive-mail", *named, "Subject: x"]
    assert done.stdout.decode().splitlines() == said
    assert (done.returncode, done.stderr) == (65, b"told\n")


@sqlite_only
def test_the_command_takes_what_the_script_hands_on(cast, config, game_id, mail, key_file):
    address = parseaddr(str(mail["Reply-To"]))[1]
    tegami(config, answer(mail), 0, "--sender=", f"--to={address}")
    assert heard(cast.bob, game_id) == [], "an empty sender is a bounce"
    tegami(config, answer(mail), 0)
    assert heard(cast.bob, game_id) == [SAID], "the recipient stands in the headers too"
    sender = "--sender=alice@example.org"
    refused = tegami(config, answer(mail, ""), os.EX_DATAERR, sender, f"--to={address}")
    assert refused.stderr.count("\n") == 1
