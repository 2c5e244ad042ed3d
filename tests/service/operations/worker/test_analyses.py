"""Analyses in a worker: a thinker of their own, behind everything that somebody waits for; no failure blocks others."""

from __future__ import annotations

import json
import random

import pytest

from rules.players import levels
from rules.players.search import Effort
from service.core.models.people import Player
from service.core.runtime.units import SECOND
from service.operations.thinking.agents import Agents
from service.operations.thinking.processes import BEHIND, HUNG_BEHIND, Processes
from service.operations.thinking.questions import ThoughtAnswer
from service.operations.worker import analyses as module
from service.operations.worker.analyses import Analyses, iterations, seed
from service.operations.worker.loop import Worker
from service.tables.play.analyses import analyses as noun
from service.tables.play.analyses.decisions import MOST
from tests.service.tables.play.analyses.conftest import FEW, finished, path
from tests.support.cast import CARAVAN
from tests.support.dump import execute
from tests.support.rounds import alone, logged
from tests.support.servers.server import wait_until
from tests.support.thinking import Fixed, InTurn, in_turn

ASK = {"status": 202}
WAITING = "SELECT id FROM analyses WHERE ended_at IS NULL ORDER BY asked_at"


class Slow(InTurn):
    """A thinker that answers only when it is told to; `given` are the questions that it has."""

    def __init__(self):
        super().__init__(Agents(Fixed(Effort(1))))
        self.given, self.closed = [], 0

    def free(self, agent):
        return None if self.given else super().free(agent)

    def give(self, question):
        self.given.append(question)

    def think(self, *, ends=False):
        question = self.given.pop()
        if ends:
            self._answers.append(ThoughtAnswer(question))
        else:
            super().give(question)

    def close(self):
        self.closed += 1


def ask_for_many(app, cast, number):
    """Let this many analyses of one game wait, of as many people; alice's is the youngest."""
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    names = [each.name for each in Player.__table__.columns if each.name != "id"]
    person = (
        f"INSERT INTO players (id, {', '.join(names)}) SELECT 'p_' || :n, {', '.join(names)}"
        " FROM players WHERE id = :id"
    )
    columns = "game_key, seat, version, thinker, decisions"
    other = (
        f"INSERT INTO analyses (id, player_id, asked_at, {columns}) SELECT 'a_' || :n, 'p_' || :n,"
        f" asked_at - 1000 + :n, {columns} FROM analyses WHERE player_id = :id"
    )
    for n in range(1, number):
        execute(app, person, n=n, id=cast.alice.id)
        execute(app, other, n=n, id=cast.alice.id)
    return game_id


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def step(app, slow):
    """One step of a worker's analyses."""
    return stepping(app, slow)


def stepping(app, thinker):
    worker = Analyses(app.extensions["tegami"], lambda: thinker, lambda *_: FEW)

    def run():
        with app.app_context():
            return worker.step()

    run.worker = worker
    return run


def test_house_players_move_while_200_analyses_wait(app, cast, slow):
    """Their thinkers are asked about nothing else, and all their moves are made before anything is appraised."""
    ask_for_many(app, cast, 200)
    games = [alone(cast, CARAVAN)["id"] for _ in range(5)]
    moving = in_turn()
    asked = []
    give = moving.give
    moving.give = lambda question: (asked.append(question), give(question))
    worker = Worker(app.extensions["tegami"], random.Random(3), moving, lambda: slow)
    with app.app_context():
        for _ in range(3):
            worker.run_once()
    assert {each.game for each in asked} == {*games}
    assert all(each.played is None for each in asked)
    shown = [cast.alice.game(each)["seats"] for each in games]
    assert not any(each["house"] and each["waiting"] for seats in shown for each in seats)
    assert len(slow.given) == 1, "one at a time"
    assert len(execute(app, WAITING)) == 200


@pytest.mark.both_databases
def test_the_longest_waiting_is_first_and_one_follows_the_other(app, cast, clock, step, slow):
    games = []
    for _ in range(2):
        games.append(finished(cast))
        cast.alice.put(path(games[-1]), None, **ASK)
        clock.forward(SECOND)
    first, second = (each.id for each in execute(app, WAITING))
    step()
    order = []
    while slow.given:
        order.append((slow.given[0].game, slow.given[0].number))
        slow.think()
        step()
    assert order == sorted(order, key=lambda each: ([first, second].index(each[0]), each[1]))
    assert {each for each, _ in order} == {first, second}
    assert [cast.alice.get(path(each))["state"] for each in games] == ["done", "done"]


@pytest.mark.both_databases
def test_usual_analyses_go_before_deep_ones_even_in_their_middle(app, cast, clock, step, slow):
    game_id = finished(cast)
    cast.alice.put(path(game_id), {"depth": "deep"}, **ASK)
    clock.forward(SECOND)
    cast.bob.put(path(game_id), None, **ASK)
    (deep, bobs) = (each.id for each in execute(app, WAITING))
    order = []

    def answer():
        order.append(slow.given[0].game)
        slow.think()
        step()

    step()
    while slow.given[0].game == bobs:
        answer()
    answer()
    clock.forward(SECOND)
    cast.carol.put(path(game_id), None, **ASK)
    (carols,) = {each.id for each in execute(app, WAITING)} - {deep}
    while slow.given:
        answer()
    in_turn = [each for n, each in enumerate(order) if n == 0 or order[n - 1] != each]
    assert in_turn == [bobs, deep, carols, deep]
    assert order.index(carols) <= order.index(deep) + 2, "at once after the decision"
    assert cast.alice.get(path(game_id))["state"] == "done"
    numbers = [each["number"] for each in cast.alice.get(path(game_id))["decisions"]]
    assert numbers == sorted({*numbers}) and len(numbers) == order.count(deep)


@pytest.mark.both_databases
def test_each_is_worked_out_by_one_worker_and_another_goes_on(app, cast, clock, step, slow):
    """When the first ends, or is not heard of any more."""
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    step()
    slow.think()
    step()
    other, thinker = stepping(app, Slow()), None
    assert other() == 0
    clock.forward(noun.LEASE + 1)
    heir = Slow()
    other = stepping(app, heir)
    other()
    assert len(heir.given) == 1
    slow.think()
    step()
    assert cast.alice.get(path(game_id))["done"] == 1, "what the overtaken one found is not kept"
    with app.app_context():
        other.worker.end()
    assert heir.closed == 1
    thinker = in_turn()
    last = stepping(app, thinker)
    last()
    while last():
        pass
    assert cast.alice.get(path(game_id))["state"] == "done"


@pytest.mark.both_databases
def test_analyses_under_rules_of_a_newer_release_are_left_to_its_workers(
    app, cast, clock, step, slow
):
    games = [finished(cast) for _ in range(2)]
    for game_id in games:
        cast.alice.put(path(game_id), None, **ASK)
        clock.forward(SECOND)
    first = execute(app, WAITING)[0].id
    execute(app, "UPDATE analyses SET version = 99 WHERE id = :id", id=first)
    step()
    while slow.given:
        slow.think()
        step()
    assert cast.alice.get(path(games[1]))["state"] == "done"
    [(claims, failed)] = execute(app, "SELECT claims, failed FROM analyses WHERE ended_at IS NULL")
    assert (claims, bool(failed)) == (0, False)


class Thorough(InTurn):
    """A thinker that has tried everything many times over, and the played action last."""

    def give(self, question):
        super().give(question)
        answer = self._answers.pop()
        tried, played = (answer.appraisal[each] for each in ("tried", "played"))
        others = [each for n, each in enumerate(tried) if n != played] or tried
        many = [*(others * 20)[:20], tried[played]]
        self._answers.append(answer._replace(appraisal={"tried": many, "played": 20}))


def test_only_what_is_shown_is_kept(app, cast):
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    run = stepping(app, Thorough(Agents(Fixed(Effort(1)))))
    run()
    while run():
        pass
    kept = execute(app, "SELECT number, tried, played FROM appraised_decisions ORDER BY number")
    shown = cast.alice.get(path(game_id))["decisions"]
    assert [each.number for each in kept] == [each["number"] for each in shown]
    for row, told in zip(kept, shown, strict=True):
        tried = row.tried if isinstance(row.tried, list) else json.loads(row.tried)
        assert (len(tried), row.played) == (noun.MOST_SHOWN + 1, noun.MOST_SHOWN)
        assert [each["action"] for each in told["choices"]] == [each["action"] for each in tried]
        assert [each["played"] for each in told["choices"]] == [False] * 8 + [True]


def test_a_thinker_that_ends_is_asked_once_more(app, cast, step, slow, capsys):
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    step()
    slow.think(ends=True)
    step()
    assert len(slow.given) == 1
    slow.think()
    step()
    assert cast.alice.get(path(game_id))["done"] == 1
    for _ in range(2):
        slow.think(ends=True)
        step()
    assert cast.alice.get(path(game_id))["state"] == "failed"
    (failing,) = [each for each in logged(capsys) if each["event"] == "failing"]
    assert (failing["task"], failing["cause"]) == ("analysis", "ThinkerEnded")


def test_a_deleted_game_is_no_failure(app, cast, step, slow, capsys):
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    step()
    execute(app, "DELETE FROM analyses")
    slow.think()
    step()
    assert [each for each in logged(capsys) if each["event"] == "failing"] == []


def test_a_thinker_without_work_ends(app, cast, clock, step, slow):
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    step()
    while slow.given:
        slow.think()
        step()
    assert slow.closed == 0
    clock.forward(module.IDLE)
    step()
    assert slow.closed == 1


def test_a_long_game_takes_no_longer_than_a_short_one() -> None:
    assert iterations(1) == iterations(75) == module.ITERATIONS
    assert iterations(150) * 150 == iterations(75) * 75
    assert iterations(10_000) == module.LEAST


def test_a_deep_analysis_searches_ten_times_as_long_and_has_a_bound() -> None:
    for decisions in (1, 75, 150, 300):
        assert iterations(decisions, noun.DEEP) == levels.TENFOLD * iterations(decisions)
    worked = (2 * n * iterations(n, noun.DEEP) for n in range(1, MOST + 1))
    assert max(worked) <= levels.TENFOLD * module.MOST_ITERATIONS


def test_a_deep_thought_is_given_time_within_its_claim() -> None:
    """Twice, since it is asked for once more; and several times what it takes in the slowest game on an idle machine

    (docs/house-players.md, Cost).
    """
    slowest = 2 * iterations(1, noun.DEEP) * 0.011
    assert 5 * slowest < HUNG_BEHIND
    assert 2 * HUNG_BEHIND < noun.LEASE / SECOND


def test_the_seed_reveals_nothing() -> None:
    """It depends on what everybody knows, and differs from decision to decision."""
    assert seed("caravan", 1, 0, 5) == seed("caravan", 1, 0, 5)
    depths = noun.USUAL, noun.DEEP
    different = {
        seed("caravan", 1, seat, n, d) for seat in range(2) for n in range(9) for d in depths
    }
    assert len(different) == 36


@pytest.mark.of_service
def test_a_process_behind_all_others_appraises(app, cast):
    game_id = finished(cast)
    cast.alice.put(path(game_id), None, **ASK)
    started = []

    def start():
        started.append(Processes(1, app.extensions["tegami"].now, BEHIND))
        return started[-1]

    worker = Analyses(app.extensions["tegami"], start, lambda *_: FEW)

    def is_done():
        with app.app_context():
            worker.step()
        return cast.alice.get(path(game_id))["state"] == "done"

    wait_until(is_done, "the analysis")
    with app.app_context():
        worker.end()
    assert len(started) == 1
