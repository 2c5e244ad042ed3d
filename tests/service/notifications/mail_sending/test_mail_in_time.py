"""The worker as a process: mails are sent soon after they are due, and a slow mail server delays no house player."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.operations.worker.sending import IDLE_WAIT
from service.web.app import create_app
from tests.support.cast import BOOMERANG
from tests.support.dump import execute
from tests.support.mail_kinds import write
from tests.support.post_office import Office
from tests.support.servers.databases import Databases, disconnect
from tests.support.servers.remote import Remote
from tests.support.servers.server import PATIENCE, Server, wait_until
from tests.support.servers.smtp_server import MailServer

SOON = 10.0
"""Seconds within which a mail is sent."""

Put = Callable[[str], None]


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture(scope="module")
def server(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory, mail: MailServer
) -> Iterator[Server]:
    """A whole server whose worker knows the tests' kinds of mail."""
    folder = tmp_path_factory.mktemp("mail")
    worker = ("-m", "tests.support.servers.crashing_mail")
    more = {"SMTP_URL": mail.url, "CRASH": str(folder / "crash"), "LEASE": "60000"}
    more["WEB_CONCURRENCY"] = "1"
    database = databases.fresh("sqlite", folder)
    with Server(folder, database, worker=worker, **more) as server:
        yield server


@contextmanager
def beside(database: str, folder: Path) -> Iterator[Flask]:
    """An application over the database of a server."""
    app = create_app(
        Config(data_dir=folder, database_url=database, secret_key=bytes(32), signing_key=bytes(32))
    )
    yield app
    disconnect(app)


@pytest.fixture
def put(server: Server, tmp_path: Path) -> Iterator[Put]:
    """Write a mail that is due now."""
    with beside(server.database, tmp_path) as app:
        yield lambda key: write(app, Runtime(), key)


@pytest.mark.thorough
def test_a_turn_mail_is_sent_within_ten_seconds_of_the_move(
    databases: Databases, tmp_path: Path
) -> None:
    """This runs from a move over HTTP to the MAIL command, with web, worker and mail server as an operator has them;
    bob is away.
    """
    database = databases.fresh("sqlite", tmp_path)
    with (
        MailServer() as mail,
        Server(tmp_path, database, SMTP_URL=mail.url) as server,
        beside(database, tmp_path) as app,
    ):
        alice, bob = Remote(server.url, "Alice"), Remote(server.url, "Bob")
        game_id = alice.open(BOOMERANG, house=1)
        bob.insist("POST", f"/api/games/{game_id}/seats", {})
        me = bob.insist("GET", "/api/me")[1]["player"]
        Office(app).address(SimpleNamespace(name="Bob", id=me["id"]))
        execute(app, "UPDATE credentials SET seen_at = 0 WHERE player_id = :bob", bob=me["id"])
        game = alice.asked(game_id)
        assert mail.mails == []
        begun = time.monotonic()
        alice.answer(game)
        (letter,) = mail.wait_for(1)
        assert letter.begun - begun < SOON
        assert letter.to == ["bob@example.org"]
        assert str(letter.message["Subject"]).startswith("Your turn")


def test_a_worker_looks_for_mails_often_enough() -> None:
    assert IDLE_WAIT <= SOON / 5


@pytest.mark.thorough
def test_a_mail_is_sent_within_ten_seconds(mail: MailServer, put: Put) -> None:
    begun = time.monotonic()
    put("soon")
    mail.wait_for(1)
    assert mail.mails[0].begun - begun < SOON


@pytest.mark.of_service
def test_a_slow_mail_server_delays_no_move(server: Server, mail: MailServer, put: Put) -> None:
    """While a mail hangs in the middle of its transaction, a whole game is played against the house."""
    hangs, may_go_on = threading.Event(), threading.Event()

    def hang() -> None:
        hangs.set()
        may_go_on.wait(PATIENCE)

    mail.when["RCPT"] = hang
    put("slow")
    assert hangs.wait(PATIENCE)
    alice = Remote(server.url, "Alice")
    game_id = alice.open(BOOMERANG, house=2)
    while (game := alice.asked(game_id))["status"] != "over":
        alice.answer(game)
    assert mail.to("slow@example.org") == []
    may_go_on.set()
    wait_until(lambda: mail.to("slow@example.org"), "the mail")


def test_a_worker_that_is_stopped_finishes_its_mail(
    server: Server, mail: MailServer, put: Put
) -> None:
    held, may_go_on = threading.Event(), threading.Event()

    def hold() -> None:
        held.set()
        may_go_on.wait(PATIENCE)

    before = len(mail.mails)
    mail.when["RCPT"] = hold
    put("last")
    assert held.wait(PATIENCE)
    stopping = threading.Thread(target=server.stop, args=("worker",))
    stopping.start()
    may_go_on.set()
    stopping.join(PATIENCE)
    assert len(mail.mails) == before + 1
    assert mail.to("last@example.org")
