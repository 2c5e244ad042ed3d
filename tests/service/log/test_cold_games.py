"""Games that ended long ago are in cold storage, unchanged; nothing is lost on the way there."""

from __future__ import annotations

import json
import shutil
import uuid
from functools import partial

import pytest

from service.core.runtime.units import DAY
from service.log.records import cold_storage
from service.log.records.cold_storage import MARK, PAUSE, ColdStorage, ColdStorageOutOfReach
from service.log.records.record_text import VerificationError
from service.log.verification import cold_moves, log_checks
from service.log.verification.verify_record import verify
from service.operations.commands import doctor
from service.operations.stored_data import copy_database
from service.operations.worker.cold_games import REST, ColdGames
from service.operations.worker.nightly_check import NightlyCheck
from tests.support import operator_command
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.damaging import poison
from tests.support.dump import dump, execute
from tests.support.failing_commits import FAILURES, no_commit
from tests.support.newer_games import offered
from tests.support.rounds import logged

pytestmark = [pytest.mark.both_databases, pytest.mark.own_database, pytest.mark.of_service]

PARTS = ("", "/events?limit=200", "/views?limit=50", "/clock", "/deals", "/record", "/talk")
PAGES = ("/games/{}", "/plain/games/{}", "/plain/games/{}/history", "/plain/games/{}/verification")
LATER = 91 * DAY


class Steady:
    """A clock that is set by hand, in seconds."""

    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def url(database, tmp_path):
    """A folder or, with PostgreSQL, another kind of store."""
    is_folder = database.startswith("sqlite")
    return f"file://{tmp_path}/cold" if is_folder else f"memory://{uuid.uuid4()}"


@pytest.fixture
def steady():
    return Steady()


@pytest.fixture
def store(app, url, steady):
    """The application's cold storage."""
    made = ColdStorage(url, steady)
    plant(app, made)
    yield made
    plant(app, None)


def plant(app, made):
    with app.app_context():
        cold_storage.use(made)


def move(app, game_id, clock):
    """Move the log of this game; returns whether that was done."""
    services = app.extensions["tegami"]
    with app.app_context():
        cold_moves.begin()
        return cold_moves.move(game_id, services.heads, clock())


def forget(app):
    """Clear the caches, as at a start."""
    app.extensions["tegami"].states.__init__()
    with app.app_context():
        vars(cold_storage.db.engine).pop("tegami.cold_logs", None)


def finished(cast):
    """The id of a game that is over, and was not short."""
    game_id = cast.start(CARAVAN, pace="relaxed")
    cast.play(game_id)
    return game_id


def resigned(cast):
    """The same of a short one."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=2)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    return game_id


def events_of(app, game_id):
    """The number of its events in the database."""
    number = "SELECT count(*) FROM events JOIN games ON game_key = key WHERE id = :id"
    return execute(app, number, id=game_id)[0][0]


def found_by_doctor(app):
    (found,) = [each for each in doctor.examine(app) if each.about == "cold"]
    return found


def everything(app, cast, game_id):
    """Everything that anybody is shown of a game, byte for byte."""
    found = {}
    for person in (cast.alice, cast.bob, cast.mallory, cast.nobody):
        paths = [f"/api/games/{game_id}{part}" for part in PARTS]
        paths += [page.format(game_id) for page in PAGES]
        paths += ["/api/records?limit=50", "/api/games?status=over"]
        for path in paths:
            forget(app)
            answer = person.send("GET", path)
            about = {"ETag": answer.headers.get("ETag"), "status": answer.status_code}
            found[person.name, path] = about, plain(answer)
    return found


def plain(answer):
    """A response without the parts that differ each time."""
    if answer.mimetype == "text/html":
        return len(answer.get_data()) // 50
    if answer.mimetype == "application/problem+json":
        return answer.json["type"]
    return answer.get_data()


def test_a_game_in_cold_storage_is_all_that_it_was(app, cast, clock, store):
    game_id, running = finished(cast), cast.start(CARAVAN)
    before = everything(app, cast, game_id)
    assert before["Alice", f"/api/games/{game_id}/record"][0]["status"] == 200
    kept = events_of(app, running)
    assert move(app, game_id, clock)
    assert (events_of(app, game_id), events_of(app, running)) == (0, kept)
    assert everything(app, cast, game_id) == before
    assert not move(app, game_id, clock), "another worker was first"
    verify(before["Alice", f"/api/games/{game_id}/record"][1])
    with app.app_context():
        assert log_checks.check_and_note(game_id, clock()) is None
    cast.alice.answer(cast.alice.game(running))


def test_the_last_answer_can_be_repeated_there_too(app, cast, clock, store):
    game_id = cast.start(CARAVAN)
    last = cast.play(game_id)
    body = {"asked": last.shown["asked"], "action": last.action}
    send = partial(last.person.post, f"/api/games/{game_id}/actions", body, 200)
    before = send()
    assert move(app, game_id, clock)
    forget(app)
    assert send() == before


class Broken(ColdStorage):
    """Fails at the n-th request, as if the process were killed there; or writes something different."""

    def __init__(self, url, at, lies=False):
        super().__init__(url)
        self.left, self.lies = at, lies

    def write(self, game_id, data):
        self.step()
        return super().write(game_id, data.replace(b'"asked"', b'"ASKED"') if self.lies else data)

    def read(self, game_id, digest):
        self.step()
        return super().read(game_id, digest)

    def step(self):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("at", [1, 2])
def test_whatever_is_killed_on_the_way_changes_nothing_and_is_done_again(app, cast, clock, url, at):
    game_id = resigned(cast)
    before = dump(app)
    plant(app, Broken(url, at))
    with pytest.raises(KeyboardInterrupt):
        move(app, game_id, clock)
    assert dump(app) == before
    plant(app, Broken(url, 9))
    with no_commit(app), pytest.raises(FAILURES):
        move(app, game_id, clock)
    assert dump(app) == before
    assert move(app, game_id, clock)
    assert cast.alice.game(game_id)["status"] == "over"
    plant(app, None)


def test_what_is_read_back_otherwise_stays_in_the_database(app, cast, clock, url):
    game_id = resigned(cast)
    before = dump(app)
    plant(app, Broken(url, 9, lies=True))
    with pytest.raises((LookupError, VerificationError)):
        move(app, game_id, clock)
    assert dump(app) == before
    plant(app, None)


def test_a_damaged_game_stays_where_it_is(app, cast, clock, store):
    sick, well = resigned(cast), resigned(cast)
    poison(app, sick)
    clock.forward(LATER)
    assert not move(app, sick, clock)
    with app.app_context():
        assert cold_moves.due(clock()) == [well]


def test_games_of_rules_that_are_not_here_hold_up_none(app, cast, clock, store, second_editions):
    """A newer release knows these rules; the games that ended first are the first to be tried each time."""
    with offered(second_editions[CARAVAN]):
        unknown = [resigned(cast) for _ in range(cold_moves.AT_ONCE)]
    known = resigned(cast)
    clock.forward(LATER)
    games = ColdGames(app.extensions["tegami"], timer=lambda: 0.0)
    with app.app_context():
        games.step()
        games.step()
        assert not log_checks.damaged()
    assert events_of(app, known) == 0
    assert all(events_of(app, each) for each in unknown)


def test_the_worker_moves_what_ended_long_ago_alone(app, cast, clock, store):
    old, running = resigned(cast), cast.start(CARAVAN)
    games = ColdGames(app.extensions["tegami"], timer=lambda: 0.0)
    with app.app_context():
        assert games.step() == REST
        clock.forward(LATER)
    new = resigned(cast)
    with app.app_context():
        assert games.step() == 0.0
        assert games.step() == REST
    assert [events_of(app, each) > 0 for each in (old, new, running)] == [False, True, True]


def test_a_store_out_of_reach_is_named_once_and_holds_up_its_games_alone(
    app, cast, clock, steady, tmp_path, capsys
):
    plant(app, ColdStorage(f"file://{tmp_path}/cold", steady))
    cold, warm, due = resigned(cast), resigned(cast), resigned(cast)
    assert move(app, cold, clock)
    execute(app, "UPDATE games SET ended_at = 1 WHERE id = :id", id=due)
    (tmp_path / "cold").rename(tmp_path / "away")
    (tmp_path / "cold").mkdir()  # where the disk was mounted
    forget(app)
    logged(capsys)
    for _ in range(3):
        refused = cast.alice.refused("GET", f"/api/games/{cold}", "unavailable")
        assert "Nothing is lost" in refused["detail"]
        steady.at += PAUSE
    cast.alice.game(warm)
    assert {each["id"] for each in cast.alice.get("/api/games?status=over")["games"]} >= {
        cold,
        warm,
    }
    with app.app_context():
        assert ColdGames(app.extensions["tegami"]).step() == REST
        for checker in [NightlyCheck(app.extensions["tegami"], timer=lambda: 0.0)] * 9:
            checker.step()
        assert log_checks.number_damaged() == 0
    assert events_of(app, due) > 0
    (line,) = [each for each in logged(capsys, "purge") if each.get("task") == "cold storage"]
    assert (line["event"], line["level"]) == ("failing", "error")
    assert found_by_doctor(app).level == "bad"
    (tmp_path / "cold").rmdir()
    (tmp_path / "away").rename(tmp_path / "cold")
    steady.at += PAUSE
    assert cast.alice.game(cold)["status"] == "over"
    assert [each["event"] for each in logged(capsys, "audit")] == ["recovered"]
    assert found_by_doctor(app) == ("ok", "cold", "1 games lie in cold storage")
    plant(app, None)


def test_no_game_is_moved_into_a_folder_whose_disk_is_not_mounted(app, cast, clock, tmp_path):
    plant(app, ColdStorage(f"file://{tmp_path}/cold"))
    first, second = resigned(cast), resigned(cast)
    assert move(app, first, clock)
    shutil.move(tmp_path / "cold", tmp_path / "away")
    with pytest.raises(ColdStorageOutOfReach):
        move(app, second, clock)
    assert events_of(app, second) > 0
    assert not (tmp_path / "cold" / MARK).exists()
    plant(app, None)


def test_an_object_that_was_changed_is_found(app, cast, clock, tmp_path):
    plant(app, ColdStorage(f"file://{tmp_path}/cold"))
    game_id = resigned(cast)
    assert move(app, game_id, clock)
    (file,) = (tmp_path / "cold").glob("*/*.jsonl")
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(file.read_bytes().replace(b'"action"', b'"acti0n"', 1))
    forget(app)
    with app.app_context():
        assert log_checks.check_and_note(game_id, clock()).what == "damaged object in cold storage"
    assert cast.alice.send("GET", f"/api/games/{game_id}").status_code == 500
    file.unlink()
    forget(app)
    with app.app_context():
        assert log_checks.check_and_note(game_id, clock()) is not None
    plant(app, None)


def test_games_come_back_into_the_database_as_they_were(app, cast, clock, store):
    games = [resigned(cast), resigned(cast)]
    before = dump(app)
    for each in games:
        assert move(app, each, clock)
    assert dump(app) != before
    with app.app_context():
        assert [cold_moves.bring_back(each) for each in cold_moves.cold_games()] == [True, True]
        assert not cold_moves.bring_back(games[0])
    assert dump(app) == before


def test_a_person_who_is_erased_is_in_no_object(app, cast, clock, tmp_path):
    plant(app, ColdStorage(f"file://{tmp_path}/cold"))
    game_id = finished(cast)
    record = cast.bob.send("GET", f"/api/games/{game_id}/record").get_data()
    assert move(app, game_id, clock)
    assert cast.bob.get(f"/api/games/{game_id}")["seats"][0]["name"] == "Alice"
    exported = cast.alice.get("/api/me/export")
    assert game_id in json.dumps(exported)
    cast.alice.post("/api/me/erasure", {}, 204)
    forget(app)
    shown = cast.bob.get(f"/api/games/{game_id}")
    assert "Alice" not in json.dumps(shown)
    (file,) = (tmp_path / "cold").glob("*/*.jsonl")
    assert file.read_bytes().partition(b"\n")[0] == record
    assert all(each not in file.read_bytes() for each in (b"Alice", cast.alice.id.encode()))
    plant(app, None)


@sqlite_only
def test_the_operators_commands(app, config, cast, clock, tmp_path):
    cold = {"COLD_STORAGE": f"file://{tmp_path}/cold"}
    plant(app, ColdStorage(cold["COLD_STORAGE"]))
    games = [resigned(cast), resigned(cast)]
    assert move(app, games[0], clock)
    told = partial(operator_command.told, config)
    assert "2 whole, 0 damaged" in told("check", env=cold)
    assert "1 whole, 0 damaged, 1 out of reach" in told("check", status=1)
    refused = told("migrate", "--to", "0031", status=1)
    assert "bin/tegami bring-back" in refused
    told("migrate")  # what has come since then is gone by now
    copied = copy_database.copy(
        config, config.database_url, f"sqlite:///{tmp_path}/copy.sqlite3", lambda _: None
    )
    assert (copied.games, copied.cold) == (1, 1)
    assert "out of reach" in told("bring-back", status=1)
    assert "1 games are back" in told("bring-back", env=cold)
    assert "2 whole, 0 damaged" in told("check")
    plant(app, None)
