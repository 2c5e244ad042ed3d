"""House players: they make every move that follows from a person's, and a failing one delays no other game."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from rules.players.search import Effort
from service.operations.thinking.agents import Agents
from service.operations.thinking.questions import ThoughtAnswer
from service.operations.worker.house_players import HousePlayers
from service.operations.worker.loop import IDLE_WAIT, work
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.each_game import each_ruleset
from tests.support.rounds import alone
from tests.support.thinking import Fixed, InTurn, in_turn

pytestmark = pytest.mark.of_service


@pytest.fixture
def worker(app):
    """Makes all moves that are due; a seeded generator chooses."""
    return mover(app, random.Random(11))


def mover(app, rng, thinking=None):
    """Makes all moves that are due, thought of by `thinking` with seeds that are `rng`'s."""
    house = HousePlayers(app.extensions["tegami"], rng, thinking or in_turn())

    def move_all():
        with app.app_context():
            return house.move_all()

    return move_all


def the_house_begins(cast):
    """Such a game, in which a house player moves first."""
    while True:
        game = alone(cast, BOOMERANG, seating="random")
        if not game["legal"]:
            return game


def waiting_house(game):
    return [seat for seat in game["seats"] if seat["house"] and seat["waiting"]]


def settle(*workers):
    """Make all moves until no house player is waited for; returns their number."""
    return sum(iter(lambda: sum(move_all() for move_all in workers), 0))


class Ending(InTurn):
    """One thinker, which ends when it thinks about one game; it notes the games that it was asked about."""

    def __init__(self, wrong):
        super().__init__(Agents(Fixed(Effort(1))))
        self.wrong, self.asked = wrong, []

    def free(self, agent):
        return None if self._answers else super().free(agent)

    def give(self, question):
        self.asked.append(question.game)
        if question.game == self.wrong:
            self._answers.append(ThoughtAnswer(question))
        else:
            super().give(question)


def test_a_game_that_ends_thinkers_is_thought_about_when_no_other_waits(app, cast):
    """It has waited longest, and each time keeps a thinker for as long as one may think."""
    wrong, *others = (the_house_begins(cast)["id"] for _ in range(4))
    thinker = Ending(wrong)
    move_all = mover(app, random.Random(11), thinker)
    for _ in range(40):
        move_all()
    first, second = [at for at, game in enumerate(thinker.asked) if game == wrong][:2]
    assert first == 0
    assert set(others) <= set(thinker.asked[first:second])
    assert not any(waiting_house(cast.alice.game(each)) for each in others)


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_a_person_plays_the_house_to_the_end(cast, worker, slug):
    game = alone(cast, slug)
    while game["status"] != "over":
        settle(worker)
        game = cast.alice.game(game["id"])
        assert not waiting_house(game)
        if game["legal"]:
            cast.alice.answer(game)
    events = cast.alice.get(f"/api/games/{game['id']}/events?limit=200")["events"]
    acted = {event["seat"]: event["by"] for event in events if event["kind"] == "action"}
    mine = game["seat"]
    assert acted == {seat: "seat" if seat == mine else "house" for seat in range(len(acted))}


def test_the_worker_runs_until_it_is_stopped(app, cast):
    """It waits only when there is nothing to do."""
    game, stop, waits = the_house_begins(cast), threading.Event(), []
    loop = threading.current_thread()

    def wait(seconds):
        if threading.current_thread() is not loop:
            stop.wait(seconds)
            return
        waits.append(seconds)
        if len(waits) == 3:
            stop.set()

    work(app, stop, wait, thinking=in_turn())
    assert cast.alice.game(game["id"])["legal"]
    assert waits == [IDLE_WAIT] * 3


def test_nothing_is_done_while_people_are_to_move(app, cast, worker):
    cast.start()
    game = alone(cast, BOOMERANG)
    settle(worker)
    stored = dump(app)
    assert worker() == 0
    assert dump(app) == stored
    assert cast.alice.game(game["id"])["legal"]


def test_one_round_serves_all_games(cast, worker):
    games = [alone(cast, BOOMERANG, seating="random") for _ in range(6)]
    settle(worker)
    assert all(cast.alice.game(game["id"])["legal"] for game in games)


@pytest.mark.both_databases
def test_a_house_player_makes_its_sealed_choice_first(cast, worker):
    """It chooses while the person thinks; the person's question stays the same."""
    game = alone(cast, CARAVAN)
    assert settle(worker) == 1
    later = cast.alice.game(game["id"])
    assert (later["asked"], later["legal"]) == (game["asked"], game["legal"])
    assert len(later["view"]["committed"]) == 1


class Broken(Fixed):
    """Cannot think about Caravan while it is broken."""

    broken = True

    def __call__(self, question):
        if self.broken and question.ruleset == CARAVAN:
            raise ZeroDivisionError(f"the marker is {question.events}")
        return super().__call__(question)


def test_a_house_player_that_fails_delays_no_other_game(capsys, app, cast, clock):
    pace = Broken(Effort(1))
    move_all = mover(app, random.Random(3), InTurn(Agents(pace)))
    sick, well = alone(cast, CARAVAN), the_house_begins(cast)
    settle(move_all)
    assert cast.alice.game(well["id"])["legal"]
    assert waiting_house(cast.alice.game(sick["id"]))
    pace.broken = False
    assert settle(move_all) == 0, "a game that failed is left alone for a while"
    clock.forward(60_000)
    assert settle(move_all) == 1
    assert not waiting_house(cast.alice.game(sick["id"]))
    logged = capsys.readouterr().err
    assert "ZeroDivisionError" in logged and sick["id"] in logged
    assert "marker" not in logged


@sqlite_only
def test_many_that_fail_delay_no_other_game(app, cast):
    """This holds however many they are, and although they have waited longer."""
    for _ in range(120):
        alone(cast, CARAVAN)
    well = the_house_begins(cast)
    move_all = mover(app, random.Random(3), InTurn(Agents(Broken(Effort(1)))))
    for _ in range(3):
        settle(move_all)
    assert cast.alice.game(well["id"])["legal"]


@pytest.mark.both_databases
def test_two_workers_make_no_move_twice(app, cast):
    workers = [mover(app, random.Random(seed)) for seed in (1, 2)]
    game = alone(cast, BOOMERANG)
    while game["status"] != "over":
        settle(*workers)
        game = cast.alice.game(game["id"])
        if game["legal"]:
            cast.alice.answer(game)
    answers = "SELECT seat, asked FROM events WHERE asked IS NOT NULL"
    answered = execute(app, answers)
    assert len(answered) == len(set(answered))


class Overtaken(Fixed):
    """While it thinks, somebody else makes all its moves."""

    def __init__(self, others):
        super().__init__(Effort(1))
        self.others = others

    def __call__(self, question):
        with ThreadPoolExecutor(1) as threads:
            threads.submit(settle, self.others).result()
        return super().__call__(question)


@pytest.mark.both_databases
def test_a_worker_that_was_overtaken_makes_no_move(capsys, app, cast):
    """Its answer is to a question that is no longer asked."""
    others = mover(app, random.Random(1))
    game = the_house_begins(cast)
    overtaken = mover(app, random.Random(8), InTurn(Agents(Overtaken(others))))
    assert settle(overtaken) == 0
    later = cast.alice.game(game["id"])
    assert later["legal"]
    cast.alice.answer(later)
    settle(others)
    assert not waiting_house(cast.alice.game(game["id"]))
    assert [line for line in capsys.readouterr().err.splitlines() if '"audit"' not in line] == []


@sqlite_only
def test_the_same_generator_plays_the_same_game(app, cast):
    played = []
    for _ in range(2):
        game = alone(cast, BOOMERANG, seating="order")
        cast.alice.answer(game)
        settle(mover(app, random.Random(5)))
        events = cast.alice.get(f"/api/games/{game['id']}/events?limit=200")["events"]
        played.append([event["lines"] for event in events if event["kind"] == "action"])
    assert played[0][0] == played[1][0]


@sqlite_only
@each_ruleset
def test_house_players_that_move_at_once_do_not_collide(capsys, app, cast, ruleset):
    """One query finds all who are asked; the move of one may leave nothing to ask the next."""
    for seed in range(GAMES):
        rng = random.Random(seed)
        move_all, players = mover(app, rng), rng.choice(ruleset.players)
        options = ruleset.looks.lengths(players)[0].options
        wish = {"players": players, "options": options, "seating": "random"}
        game_id = cast.open(ruleset.slug, version=ruleset.version, **wish)
        game = cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, 200)
        while game["status"] == "running" and game["number"] < LONG:
            if game["legal"]:
                cast.alice.answer(game, rng.choice(game["legal"])["action"])
            settle(move_all)
            game = cast.alice.game(game["id"])
            assert game["legal"] or game["status"] == "over"
    assert "error" not in capsys.readouterr().err


GAMES = 3
LONG = 80
"""The number of events after which the test goes on to the next game."""
