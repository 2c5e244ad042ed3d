"""The worker and its thinkers: nothing waits for them, and nothing is played twice."""

from __future__ import annotations

import os
import random
import signal
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest

from service.core.runtime.units import MINUTE, SECOND
from service.operations.thinking.processes import NOTHING, Processes
from service.operations.thinking.questions import ThoughtAnswer
from service.operations.worker.loop import Worker
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office
from tests.support.rounds import alone, logged, rounds
from tests.support.servers.server import wait_until
from tests.support.thinking import in_turn

pytestmark = pytest.mark.of_service

MANY = 50
WAITING = "SELECT count(*) FROM seats WHERE waiting AND house"


class ThinkingLater:
    """Thinkers under control: each answers when it is told to, or ends."""

    def __init__(self, number):
        self._rest, self.given, self._came = number, [], []
        self._agent = in_turn()

    def free(self, _agent):
        return self if len(self.given) < self._rest else None

    def told_until(self, _agent):
        return NOTHING

    def give(self, question):
        self.given.append(question)

    def think(self, *, ends=False):
        """Let the thought that has lasted longest end."""
        question = self.given.pop(0)
        self._agent.give(question)
        self._came += [ThoughtAnswer(question)] if ends else self._agent.answers()

    def answers(self):
        came, self._came = self._came, []
        return came

    def alive(self):
        return [*range(1, 1 + self._rest)]

    at_work = alive

    def wait(self, _seconds):
        pass

    def close(self):
        pass


@pytest.fixture
def later():
    return ThinkingLater(2)


@pytest.fixture
def run(app, later):
    """One round of a worker."""
    return rounds(app, later)


@pytest.fixture
def log(capsys):
    """What was logged since the last call."""
    return partial(logged, capsys, "audit", "purge")


def committed(cast, *games):
    """The number of these games in which the house player has chosen."""
    return sum(len(cast.alice.game(game["id"])["view"]["committed"]) for game in games)


@pytest.mark.both_databases
def test_each_thinker_has_one_question_and_the_oldest_come_first(cast, run, later, clock):
    games = []
    for _ in range(3):
        games.append(alone(cast)["id"])
        clock.forward(10)
    assert run() == 0
    assert [each.game for each in later.given] == games[:2]
    assert run() == 0, "nobody is asked twice"
    assert len(later.given) == 2
    later.think()
    assert run() == 1
    assert [each.game for each in later.given] == games[1:]


def test_an_answer_to_a_question_that_has_changed_is_not_played(app, cast, run, later):
    """The game has ended meanwhile."""
    game = alone(cast, BOOMERANG, seating="random")
    while cast.alice.game(game["id"])["legal"]:
        game = alone(cast, BOOMERANG, seating="random")
    run()
    execute(app, "UPDATE seats SET waiting = FALSE WHERE house")
    before = dump(app)
    later.think()
    assert run() == 0
    assert dump(app)["events"] == before["events"]


@pytest.mark.both_databases
def test_what_a_thinker_that_has_ended_thought_about_is_given_to_another(cast, run, later, log):
    game = alone(cast)
    run()
    later.think(ends=True)
    assert run() == 0
    (again,) = later.given or (run(), later.given)[1]
    assert again.game == game["id"]
    later.think()
    assert run() == 1 and committed(cast, game) == 1
    assert run() == 0 and later.given == [], "it is played once"
    assert log() == []


def test_a_game_whose_thinkers_end_delays_no_other(cast, run, later, log, clock):
    sick = alone(cast)
    for _ in range(2):
        run()
        later.think(ends=True)
        run()
    (line,) = log()
    assert (line["subject"], line["error"]) == (sick["id"], "ThinkerEnded")
    well = alone(cast)
    run()
    assert [each.game for each in later.given] == [well["id"]]
    clock.forward(MINUTE)
    run()
    later.think()
    later.think()
    assert run() == 2 and committed(cast, sick, well) == 2


def test_each_thinks_as_its_level_says(cast, run, later):
    for level in ("easy", "strong"):
        alone(cast, level=level)
    run()
    assert {each.level for each in later.given} == {"easy", "strong"}
    assert all(each.share == 1 for each in later.given)


@sqlite_only
def test_whoever_stands_in_at_a_strong_table_thinks_as_normal(cast, run, later):
    game_id = cast.start(level="strong")
    seat = cast.alice.game(game_id)["waiting"][0]["seat"]
    cast.holders(game_id)[seat].post(f"/api/games/{game_id}/resignation", status=200)
    run()
    assert [each.level for each in later.given] == ["normal"]


@sqlite_only
def test_thoughts_get_shorter_the_more_wait(cast, run, later):
    for _ in range(20):
        alone(cast)
    run()
    assert all(0.1 < each.share < 0.6 for each in later.given)


def test_the_log_says_when_house_players_are_late(cast, run, later, log, clock):
    for _ in range(3):
        alone(cast)
    run()
    clock.forward(2 * SECOND)
    run()
    assert log() == []
    for seconds, lines in ((2, 1), (30, 0), (60, 1)):
        clock.forward(seconds * SECOND)
        run()
        told = log()
        assert len(told) == lines
    (line,) = told
    assert (line["event"], line["waiting"], line["thinkers"]) == ("house players late", 3, 2)
    assert line["oldest_seconds"] == 94


@pytest.fixture
def hasty(app):
    """A worker with a real thinker, whose thoughts are short."""
    services = app.extensions["tegami"]
    services = replace(services, config=replace(services.config, thinking_time=0.1))
    with closing(Processes(1, services.now)) as processes:
        (thinker,) = processes._running.values()
        wait_until(lambda: thinker.started, "its start")
        worker = Worker(services, random.Random(3), processes)
        with app.app_context():
            worker.run_once()
        yield worker, processes


def settle(app, hasty):
    """Continue until no house player is waited for; returns the number of moves."""
    worker, thinking = hasty
    played = []

    def all_played():
        with app.app_context():
            played.append(worker.run_once())
        if played[-1] == 0:
            thinking.wait(0.1)
        return execute(app, WAITING) == [(0,)]

    wait_until(all_played, "all moves")
    return sum(played)


@sqlite_only
def test_many_house_moves_delay_neither_deadlines_nor_mail(app, cast, clock, hasty):
    """Its first round plays and mails for seats that are out of time, before any thinker has answered."""
    worker, _ = hasty
    office = Office(app)
    late = cast.start(CARAVAN, pace={"kind": "decision", "seconds": 60})
    games = [alone(cast) for _ in range(MANY)]
    office.address(cast.alice)
    clock.forward(61 * SECOND)
    before = cast.alice.game(late)["asked"]
    with app.app_context():
        worker.run_once()
    assert cast.alice.game(late)["asked"] > before
    (mail,) = office.deliver()
    assert "Caravan" in mail["Subject"]
    assert execute(app, WAITING) == [(MANY,)]
    assert settle(app, hasty) >= MANY
    assert committed(cast, *games) == MANY


@pytest.mark.both_databases
def test_a_thinker_that_is_killed_while_it_thinks(app, cast, hasty, log):
    """The thinker that replaces it answers its question, once."""
    worker, thinking = hasty
    game = alone(cast)
    (thinker,) = thinking._running.values()
    os.kill(thinker._process.pid, signal.SIGSTOP)  # lest it has answered before it is killed
    with app.app_context():
        assert worker.run_once() == 0
    assert thinker.busy
    os.kill(thinker._process.pid, signal.SIGKILL)
    assert settle(app, hasty) == 1
    assert committed(cast, game) == 1
    (line,) = log()
    assert (line["event"], line["thinker"], line["code"]) == ("thinker replaced", 1, -9)
    with app.app_context():
        for _ in range(3):
            assert worker.run_once() == 0
