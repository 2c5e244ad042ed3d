"""A process whose database belongs to a newer release, or to other keys: it writes nothing, says so, and ends."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from service.core.database.database import db
from service.core.database.schema import OURS, stop_writing
from service.core.readiness import checks, key_checks, newer_release
from service.core.readiness.key_checks import accept_keys, note_keys
from service.core.readiness.newer_release import BEATS, EXIT_CODE, Beats
from service.operations.worker.loop import work
from service.web.app import create_app
from tests.support.cast import sqlite_only
from tests.support.dump import dump, execute
from tests.support.operator_command import told
from tests.support.servers.server import PATIENCE, Server, wait_until
from tests.support.servers.updated import APP, WORKER
from tests.support.thinking import in_turn

pytestmark = pytest.mark.own_database

NEWER = "UPDATE alembic_version SET version_num = '9999'"
FAST = Beats(every=0.05, goodbye=1.0)


@pytest.mark.both_databases
def test_a_web_process_refuses_to_write_what_a_newer_release_would_miss(app, cast):
    game_id = cast.start()
    asked, game = cast.asked(game_id)
    execute(app, NEWER)
    with app.app_context():
        engine = db.engine
    newer_release.watch(engine, lambda: False, lambda: stop_writing(engine))
    stored = dump(app)
    answer = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    for path, body in (
        (f"/api/games/{game_id}/actions", answer),
        ("/api/games", {"ruleset": "boomerang-auction", "nonce": None}),
        ("/api/players", {"name": "Eve"}),
    ):
        refused = asked.send("POST", path, json=body)
        assert refused.status_code == 503, refused.json
        assert refused.mimetype == "application/problem+json"
        assert refused.json["type"] == "/problems/unavailable"
        assert "being updated" in refused.json["detail"]
        assert int(refused.headers["Retry-After"]) > 0
    assert asked.game(game_id)["asked"] == game["asked"], "looks are answered"
    assert dump(app) == stored


@pytest.mark.both_databases
def test_a_process_that_begins_with_it_writes_nothing_either(app, config, runtime, client):
    execute(app, NEWER)
    stored = dump(app)
    refused = client.post("/api/players", json={"name": "Eve"})
    assert (refused.status_code, refused.json["type"]) == (503, "/problems/unavailable")
    assert client.get("/api/rulesets").status_code == 200
    assert dump(app) == stored


def test_readyz_and_the_operators_commands_say_so(app, config, client):
    execute(app, NEWER)
    stored = dump(app)
    assert client.get("/readyz").json["checks"]["migrations"] == "bad"
    with app.app_context():
        found = checks.migrations()
    assert found.told == f"at 9999, which this release does not know: its last one is {OURS.last}"
    said = f"newer than this release, which knows it up to {OURS.last}"
    assert said in told(config, "people", "invite", status=EXIT_CODE)
    assert said in told(config, "migrate", status=EXIT_CODE)
    assert said in told(config, "serve", status=EXIT_CODE)
    assert "which this release does not know" in told(config, "doctor", status=1)
    assert dump(app) == stored


def test_a_worker_ends_at_its_next_beat_and_does_not_begin_again(app):
    app.extensions[BEATS] = FAST
    stop, rounds = threading.Event(), itertools.count()

    def rest(seconds):
        if next(rounds) == 0:
            execute(app, NEWER)
        return stop.wait(seconds)

    assert work(app, stop, rest, thinking=in_turn())
    assert next(rounds) > 0, "it has worked before"
    stored = dump(app)
    assert work(app, threading.Event(), thinking=in_turn())
    assert dump(app) == stored


def test_a_worker_ends_when_another_host_has_other_keys_that_were_accepted(app, config):
    """As when a key was replaced there and this host was forgotten."""
    app.extensions[BEATS] = FAST
    stop, rounds = threading.Event(), itertools.count()
    with app.app_context():
        note_keys(config)

    def rest(seconds):
        if next(rounds) == 0:
            with app.app_context():
                accept_keys(replace(config, secret_key=bytes(range(1, 33))))
        return stop.wait(seconds)

    assert work(app, stop, rest, thinking=in_turn()) == key_checks.EXIT_CODE
    with app.app_context():
        accept_keys(config)


def test_a_worker_that_is_stopped_ends_as_ever(app):
    stop = threading.Event()

    def rest(_seconds):
        stop.set()

    assert not work(app, stop, rest, thinking=in_turn())


@pytest.mark.both_databases
@pytest.mark.thorough
def test_web_and_worker_end_to_be_started_again(app, tmp_path, database):
    server = Server(tmp_path, database, app=APP, worker=WORKER)
    with server:
        execute(app, NEWER)
        body = json.dumps({"name": "Eve"}).encode()
        refused = wait_until(lambda: unavailable(f"{server.url}/api/players", body), "503")
        ended = {name: wait_until(lambda: server.code(name), name) for name in ("web", "worker")}  # noqa: B023
    assert refused.headers["Retry-After"] == "10"
    assert ended == {"web": EXIT_CODE, "worker": EXIT_CODE}
    assert server.logged().count('"cause": "database newer than this release"') >= 2


@pytest.mark.thorough
@sqlite_only
def test_web_processes_end_when_another_host_has_other_keys_that_were_accepted(tmp_path, database):
    server = Server(tmp_path, database, app=APP, worker=WORKER)
    with server:
        other = create_app(replace(server.config, secret_key=bytes(range(1, 33)), push_key=b""))
        with other.app_context():
            accept_keys(other.extensions["tegami"].config)
        ended = {name: wait_until(lambda: server.code(name), name) for name in ("web", "worker")}  # noqa: B023
    assert ended == {"web": key_checks.EXIT_CODE, "worker": key_checks.EXIT_CODE}
    assert "secret.key" in server.logged()


def unavailable(url, body):
    """The 503 with which a POST there is refused; None if it is accepted."""
    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(url, body, headers), timeout=PATIENCE):
            return None
    except HTTPError as error:
        return error if error.code == 503 else None
