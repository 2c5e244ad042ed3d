"""Standby servers of PostgreSQL: how far they are behind, and the reads that they serve from a moment ago.

It does so while it is close; everything else, and every read that it cannot serve, goes to the primary server.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from service.core.database import reading_from
from service.core.database.database import NestedTransaction, batch, db, transaction, write
from service.core.database.failures import cause_of
from service.core.database.replica import EVERY, Positions, Replica, used
from service.core.readiness.replicas import replicas
from service.core.runtime.time_and_random import Runtime, steady_clock
from service.operations.commands import doctor
from service.web.app import create_app
from service.web.serving.metrics import present
from tests.contract import CheckedClient
from tests.support.cast import CARAVAN, Cast, sqlite_only
from tests.support.quick_settings import quick_settings
from tests.support.servers.databases import disconnect, migrate
from tests.support.servers.postgres import Postgres, reachable_folder
from tests.support.servers.server import wait_until

LOBBY = "/api/games?status=open"
EVENTS = "FROM events"


class Pair:
    """A primary server, and a standby server that logs its statements and can stand still."""

    def __init__(self, primary, standby, folder):
        self.primary, self.standby, self._folder = primary, standby, folder

    def app(self, most):
        """An application whose replica may be this many seconds behind."""
        config = quick_settings(self._folder, self.primary.url())
        config = replace(config, replica_url=self.standby.url(), replica_lag=most)
        app = create_app(config, Runtime(steady=steady_clock))
        app.test_client_class = CheckedClient
        return app

    def pause(self):
        """Let the standby server show nothing new from now on."""
        self.catch_up()
        self.standby.execute("SELECT pg_wal_replay_pause()")
        state = "SELECT pg_get_wal_replay_pause_state()"
        wait_until(lambda: self.standby.execute(state) == [("paused",)], "it stands still")

    def go_on(self):
        """Let it show new data again."""
        self.standby.execute("SELECT pg_wal_replay_resume()")
        self.catch_up()

    def catch_up(self):
        """Return when it shows all data."""
        ((written,),) = self.primary.execute("SELECT pg_current_wal_lsn()")
        shown = f"SELECT pg_last_wal_replay_lsn() >= '{written}'"
        wait_until(lambda: self.standby.execute(shown) == [(True,)], "it has caught up")

    def asked(self, words):
        """The number of statements with these words that the standby server got."""
        log = self.standby.folder.parent / f"{self.standby.folder.name}.log"
        return log.read_text().count(words)


@pytest.fixture(scope="module")
def pair():
    logging = {"fsync": "off", "log_statement": "all"}
    with reachable_folder() as folder, Postgres(folder / "primary", fsync="off").made() as primary:
        migrate(primary.url(), folder)
        primary.execute("CREATE ROLE tegami LOGIN")
        with Postgres(folder / "standby", **logging).following(primary) as standby:
            yield Pair(primary, standby, folder)


@pytest.fixture
def within(pair):
    """Makes an application whose replica may be this many seconds behind."""
    made = []

    def make(most):
        made.append(pair.app(most))
        return made[-1]

    yield make
    for app in made:
        disconnect(app)


def listed(person, path=LOBBY):
    return {game["id"] for game in person.get(path)["games"]}


def test_lists_of_everybody_may_be_a_moment_old_and_no_older(pair, within):
    cast = Cast(within(3600))
    cast.nobody.get(LOBBY)  # from now on it is known how near the replica is
    pair.pause()
    try:
        game_id = cast.open(CARAVAN)
        assert game_id not in listed(cast.nobody)
        assert game_id not in listed(cast.alice)
        assert game_id in listed(cast.alice, f"{LOBBY}&mine=true"), "one's own are not old"
        assert cast.alice.game(game_id)["status"] == "open", "nor is a table"
        impatient = Cast(within(1))
        wait_until(lambda: game_id in listed(impatient.nobody), "what is too old is not shown")
        with impatient.nobody.http.application.app_context():
            found = {each.name: each.number for each in present(0)}
            (told,) = doctor.read_replica()
        assert found["tegami_replica_behind_bytes"] > 0
        assert told.level == "ok" and told.told.endswith(" bytes behind")
    finally:
        pair.go_on()
    wait_until(lambda: game_id in listed(cast.nobody), "it has come to the replica")


def test_a_finished_game_is_replayed_from_the_replica_once_all_of_it_is_there(pair, within):
    cast = Cast(within(3600))
    game_id = cast.start_anew(CARAVAN, players=2)
    cast.alice.answer(cast.alice.game(game_id))
    path = f"/api/games/{game_id}"
    pair.pause()
    try:
        cast.alice.post(f"{path}/resignation", {}, 200)
        over = cast.alice.game(game_id)
        assert over["status"] == "over"
        seen = read_back(cast.bob, path)
        assert len(seen["events"]) == over["number"]
    finally:
        pair.go_on()
    before, anew = pair.asked(EVENTS), Cast(within(3600))
    assert read_back(anew.nobody, path)["record"] == seen["record"]
    assert pair.asked(EVENTS) > before


def read_back(person, path):
    """The history, the tables and the record of a game, as read."""
    return {
        "events": person.get(f"{path}/events?limit=200")["events"],
        "views": person.get(f"{path}/views?limit=50&show=all")["views"],
        "deals": person.get(f"{path}/deals"),
        "record": person.get(f"{path}/record"),
    }


def test_a_running_game_is_never_read_from_the_replica(pair, within):
    cast = Cast(within(3600))
    game_id = cast.start_anew(CARAVAN, players=2)
    pair.catch_up()
    before = pair.asked(EVENTS)
    for path in ("", "/events", "/views"):
        cast.alice.get(f"/api/games/{game_id}{path}")
    assert pair.asked(EVENTS) == before


def test_nothing_is_written_because_of_what_is_old(within):
    with within(5).app_context(), reading_from.replica():
        for begun in (transaction(), batch()):
            with pytest.raises(NestedTransaction), begun:
                pass


def test_without_the_replica_the_primary_server_answers(pair, within):
    """This includes requests that the replica was just serving."""
    app = within(3600)
    cast = Cast(app)
    cast.nobody.get(LOBBY)
    pair.standby.kill()
    try:
        game_id = cast.open(CARAVAN)
        assert game_id in listed(cast.nobody)
        assert game_id in listed(cast.alice)
        with app.app_context():
            assert "tegami_replica_behind_bytes" not in {each.name for each in present(0)}
            (told,) = doctor.read_replica()
        assert told.level == "note" and "the primary server answers" in told.told
    finally:
        pair.standby.start()
    before = pair.asked("FROM games")
    wait_until(lambda: cast.nobody.get(LOBBY) and pair.asked("FROM games") > before, "it is back")


def test_lists_are_read_on_while_the_primary_server_is_away(pair, within, capsys):
    """That says nothing about the primary server: the log has its outage once, and its end when it is over."""
    app = within(3600)
    cast = Cast(app)
    assert cast.alice.get(LOBBY) and cast.nobody.get(LOBBY)
    pair.catch_up()
    capsys.readouterr()
    pair.primary.kill()
    try:
        for _ in range(2):
            cast.alice.refused("POST", "/api/games", "unavailable", {"ruleset": CARAVAN})
            cast.nobody.get(LOBBY)
    finally:
        pair.primary.start()
    cast.open(CARAVAN)
    told = capsys.readouterr().err
    assert told.count('"event": "failing"') == told.count('"event": "recovered"') == 1, told


def test_the_log_tells_of_a_replica_that_fails_once_and_when_it_answers_again(pair, within, capsys):
    seconds, results = [0.0], []
    with within(3600).app_context():
        replica = Replica(db.engine, 3600, results.append, lambda: seconds[0])

        def fails():
            raise OperationalError("", {}, Exception("a card"))

        for read in (fails, fails, lambda: "found", fails):
            replica.read(read, lambda: True)
            seconds[0] += EVERY
    assert results == ["failed", "failed", "answered", "failed"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["event"], line.get("cause")) for line in lines if line.get("task") == "replica"]
    assert [event for event, _ in told] == ["failing", "recovered", "failing"]
    assert all(cause and "card" not in cause for event, cause in told if event == "failing")


def test_what_is_no_standby_server_is_not_read(pair):
    """It may be another database, or one that was promoted unnoticed."""
    config = quick_settings(pair._folder, pair.primary.url())
    app = create_app(replace(config, replica_url=pair.primary.url()), Runtime(steady=steady_clock))
    with app.app_context():
        assert used().read(lambda: "read", lambda: True) is None
        (told,) = doctor.read_replica()
        assert told.told.startswith("is no standby server")
    disconnect(app)


def test_how_old_a_position_is():
    positions = Positions(kept=10)
    assert positions.age(5, now=0) == float("inf"), "nothing is known yet"
    for at, position in ((0, 100), (4, 200), (8, 300)):
        positions.note(at, position)
    assert [positions.age(shown, now=8) for shown in (300, 250, 100)] == [0, 4, 8]
    assert positions.age(99, now=8) == float("inf")
    positions.note(12, 400)
    assert positions.age(150, now=12) == float("inf"), (
        "that is longer ago than anybody wants to know"
    )
    positions.note(13, 50)
    assert positions.age(400, now=13) == 0, "another server has taken over, and is behind"
    assert positions.age(49, now=13) == float("inf")


@pytest.fixture
def known(pair, tmp_path):
    """Our knowledge of standby servers as this user of the primary server."""

    def ask(user):
        config = quick_settings(tmp_path, pair.primary.url(user=user))
        app = create_app(config)
        with app.app_context():
            found = replicas()
        disconnect(app)
        assert found is not None
        return found

    return ask


def test_how_far_a_standby_server_is_behind(pair, known):
    primary, standby = pair.primary, pair.standby
    wait_until(lambda: known("postgres") == (1, 0, 0), "it has caught up")
    standby.execute("SELECT pg_wal_replay_pause()")
    primary.execute("CREATE TABLE written AS SELECT generate_series(1, 1000) AS number")
    behind = wait_until(
        lambda: (found := known("postgres")).behind_bytes and found.behind_seconds and found,
        "it is behind",
    )
    assert behind.number == 1 and behind.behind_bytes > 30_000 and 0 < behind.behind_seconds < 60
    assert known("tegami") == (1, None, None), "its rights do not suffice"
    primary.execute("GRANT pg_read_all_stats TO tegami")
    assert known("tegami").behind_bytes >= behind.behind_bytes
    standby.execute("SELECT pg_wal_replay_resume()")
    wait_until(lambda: known("postgres") == (1, 0, 0), "it has caught up")
    standby.kill()
    try:
        wait_until(lambda: known("postgres") == (0, None, None), "it is gone")
    finally:
        standby.start()


@sqlite_only
def test_an_embedded_database_has_none(app):
    with app.app_context():
        assert replicas() is None


def test_who_writes_to_a_standby_server_is_told_that_it_is_none(pair, tmp_path):
    """This holds for each way of running a statement: to SQLAlchemy it is no defect of ours."""
    app = create_app(quick_settings(tmp_path, pair.standby.url()))
    for begun in (transaction, batch):
        with app.app_context(), pytest.raises(OperationalError) as caught, begun():
            write(text("DELETE FROM heartbeats"), {})
        assert cause_of(caught.value) == "database has no primary"
    disconnect(app)
