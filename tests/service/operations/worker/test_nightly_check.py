"""The nightly check: one damaged game among good ones is found and reported, and stops nothing else."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from service.core.runtime.units import DAY
from service.log.verification import log_checks
from service.operations.commands import doctor
from service.operations.worker.daily_purge import purge
from service.operations.worker.nightly_check import REST, NightlyCheck, check_logs
from service.web.serving.metrics import present
from tests.support import operator_command
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import Hours
from tests.support.damaging import KEY, poison, set_body
from tests.support.dump import execute
from tests.support.post_office import Office
from tests.support.rounds import alone, logged, rounds
from tests.support.thinking import in_turn

pytestmark = [pytest.mark.own_database, pytest.mark.of_service]


@pytest.fixture
def log(capsys):
    return partial(logged, capsys, "audit", "purge")


@pytest.fixture
def checker(app):
    return NightlyCheck(app.extensions["tegami"], timer=lambda: 0.0)


@pytest.fixture
def night(app, checker):
    """Check until there is nothing more to do; returns the number of steps."""

    def all_steps(*others):
        steps, rests = 0, 0
        with app.app_context():
            while rests < 1 + len(others):
                rests = 0
                for each in (checker, *others):
                    rests += each.step() == REST
                steps += 1
        return steps

    return all_steps


def test_damage_stays_known_while_another_worker_still_has_the_game_in_hand(
    app, cast, clock, night
):
    sick = cast.start(CARAVAN)
    poison(app, sick)
    night()
    clock.forward(DAY)
    with app.app_context():
        assert log_checks.take(clock()) == []  # the next check begins
        assert log_checks.take(clock()) == [sick]  # by a worker that then rests
    night()
    assert metric(app, clock) == 1
    execute(app, "UPDATE damaged_games SET game_id = 'g_gone'")
    clock.forward(DAY)
    night()
    assert [each for (each,) in execute(app, "SELECT game_id FROM damaged_games")] == [sick]


def metric(app, clock):
    with app.app_context():
        return {each.name: each.number for each in present(clock())}["tegami_damaged_games"]


def found_by_doctor(app):
    return [(each.level, each.told) for each in doctor.examine(app) if each.about == "logs"]


@pytest.mark.both_databases
def test_one_damaged_game_among_good_ones_is_found_once_and_well_again_later(
    app, cast, clock, night, log
):
    games = [cast.start(CARAVAN) for _ in range(log_checks.AT_ONCE + 2)]
    sick = games[3]
    assert found_by_doctor(app) == [("ok", "no check has begun yet")]
    before = poison(app, sick)
    log()
    night()
    (line,) = log()
    assert (line["event"], line["game"]) == ("damaged game", sick)
    assert metric(app, clock) == 1
    bad, fine = found_by_doctor(app)
    assert bad[0] == "bad" and sick in bad[1] and "event 2" in bad[1]
    assert fine == ("ok", f"{len(games)} games checked 0 s ago")
    clock.forward(DAY - 1)
    assert night() == 1, "once a day"
    clock.forward(1)
    night()
    assert log() == [], "it is told once"
    assert metric(app, clock) == 1
    set_body(app, sick, 2, before)
    clock.forward(DAY)
    night()
    (line,) = log()
    assert (line["event"], line["game"]) == ("game is whole again", sick)
    assert metric(app, clock) == 0
    clock.forward(3 * DAY)
    assert [level for level, _ in found_by_doctor(app)] == ["bad"], "nobody has checked for long"


@sqlite_only
def test_two_workers_share_the_games_out(app, cast, night):
    for _ in range(log_checks.AT_ONCE + 1):
        alone(cast)
    other = NightlyCheck(app.extensions["tegami"], timer=lambda: 0.0)
    night(other)
    with app.app_context():
        assert log_checks.progress().games == log_checks.AT_ONCE + 1


@sqlite_only
def test_it_rests_nine_times_as_long_as_it_has_worked(app, cast):
    cast.start()
    times = iter([0.0, 0.1, 1.0, 1.5])
    checker = NightlyCheck(app.extensions["tegami"], timer=lambda: next(times))
    with app.app_context():
        assert checker.step() == pytest.approx(0.9)
        assert checker.step() == pytest.approx(4.5)


@sqlite_only
def test_a_game_that_was_damaged_and_is_gone_is_forgotten(app, cast, clock, night):
    poison(app, cast.start(CARAVAN))
    night()
    assert metric(app, clock) == 1
    execute(app, "UPDATE damaged_games SET game_id = 'g_gone', found_at = 0")
    clock.forward(DAY)
    night()
    with app.app_context():
        assert "g_gone" not in {each.game_id for each in log_checks.damaged()}


@pytest.mark.both_databases
def test_the_command_names_each_damaged_game(app, cast, config):
    sound, sick = cast.start(CARAVAN), cast.start(CARAVAN)
    command = partial(operator_command.run, config, "check")
    assert command().stdout == "2 whole, 0 damaged\n"
    before = poison(app, sick)
    lines = command(status=3).stdout.splitlines()
    assert lines[0].startswith(f"{sick}  event 2") and lines[1] == "1 whole, 1 damaged"
    assert command(sound).stdout == "1 whole, 0 damaged\n"
    assert sick in command(sick, sound, status=3).stdout
    assert "There is no game g_0" in command("g_0", status=2).output
    set_body(app, sick, 2, before)
    assert command().stdout == "2 whole, 0 damaged\n"


@pytest.mark.both_databases
def test_a_poisoned_game_stops_nothing_but_itself(app, cast, clock, log):
    """Lists, other games, the worker, mails and the purge continue; each line of the log names the game."""
    office = Office(app)
    sick = alone(cast, pace={"kind": "decision", "seconds": 60})["id"]
    well = alone(cast, pace={"kind": "decision", "seconds": 60})["id"]
    office.address(cast.alice)
    office.deliver()
    poison(app, sick)
    log()
    assert cast.alice.send("GET", f"/api/games/{sick}").status_code == 500
    (line,) = log()
    assert (line["event"], line["game"]) == ("crash", sick)
    assert cast.alice.game(well)["id"] == well
    for path in (
        "/api/games",
        "/api/games?mine=true",
        "/api/me/turns",
        "/plain",
        "/api/me/changes",
    ):
        assert cast.alice.send("GET", path).status_code in {200, 410}, path
    hours = Hours(app, clock)
    asked = cast.alice.game(well)["asked"]
    hours.later(61_000)
    assert cast.alice.game(well)["asked"] > asked, "the well one goes on"
    lines = [
        each for each in log() if each["event"] in {"failing", "crash", "mail"} and "error" in each
    ]
    assert lines and all(sick in {each.get("game"), each.get("subject")} for each in lines)
    mails = office.deliver()
    assert any("Caravan" in str(each["Subject"]) for each in mails)
    with app.app_context():
        purge(clock() + DAY)
    other = alone(cast, BOOMERANG)["id"]
    assert cast.alice.game(other)["status"] == "running"


@sqlite_only
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET ruleset = 'bridge' WHERE id = :game",
        "UPDATE games SET version = 99 WHERE id = :game",
    ],
)
def test_a_game_that_only_a_newer_release_knows_hides_no_other(app, cast, clock, change):
    """Neither lists nor the worker stop at it: during an update one of the servers has the older code."""
    newer, well = (alone(cast, pace={"kind": "decision", "seconds": 60})["id"] for _ in range(2))
    execute(app, change, game=newer)
    for path in ("/api/games?mine=true", "/api/games?status=running", "/api/me/turns", "/plain"):
        answer = cast.alice.send("GET", path)
        assert answer.status_code == 200, path
        assert well in answer.get_data(as_text=True), path
    asked = cast.alice.game(well)["asked"]
    Hours(app, clock).later(61_000)
    assert cast.alice.game(well)["asked"] > asked


@sqlite_only
def test_a_level_that_only_a_newer_release_knows_stops_no_other_house_player(app, cast):
    newer, well = (alone(cast)["id"] for _ in range(2))
    level = f"UPDATE tenures SET house_level = 'expert' WHERE game_key = {KEY}"
    execute(app, level, game=newer)
    run = rounds(app, in_turn())
    while run():
        pass
    assert cast.alice.game(well)["view"]["committed"], "the house has chosen"


@sqlite_only
def test_a_player_of_a_poisoned_game_can_be_exported(app, cast):
    poison(app, cast.start(CARAVAN))
    assert cast.alice.send("GET", "/api/me/export").status_code == 200


@sqlite_only
def test_the_thread_checks_until_it_is_stopped(app, cast):
    alone(cast)
    stop, rests = threading.Event(), []

    def wait(seconds):
        rests.append(seconds)
        if len(rests) == 5:
            stop.set()
        return stop.is_set()

    check_logs(app, stop, wait)
    assert rests[0] == rests[-1] == REST, "not right at the start, and not while nothing is due"
    with app.app_context():
        done = log_checks.progress()
    assert done.games == 1 and done.ended_at is not None
