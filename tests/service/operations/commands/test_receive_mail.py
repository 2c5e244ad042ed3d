"""The command that the mail server starts for each reply, and the script of docs/hosting.md that calls it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from email.utils import parseaddr

import pytest

from service.core.settings.config import ROOT
from service.notifications.incoming_mail.reading.message import LONGEST
from tests.hosting_page import example
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.operator_command import run
from tests.support.post_office import Office
from tests.support.replying import SAID, answer
from tests.support.talking import heard


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example")


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    return office


@pytest.fixture
def game_id(cast, office):
    return cast.start(CARAVAN)


@pytest.fixture
def mail(office, game_id):
    """A turn mail to alice."""
    return next(each for each in office.deliver() if each["To"] == "alice@example.org")


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
"""A command that prints its arguments and its input."""


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
