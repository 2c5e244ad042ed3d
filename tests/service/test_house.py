"""House players: the worker makes every move that follows from a person's, and one that fails keeps nobody waiting."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from sqlalchemy import event

from service.database import db
from service.worker import Worker
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.dump import dump, execute


@pytest.fixture
def worker(app):
    """The worker of the application, which chooses as a seeded generator says."""
    with app.app_context():
        yield Worker(app.extensions["tegami"], random.Random(11))


def alone(cast, slug=BOOMERANG, **wish):
    """A game that alice plays against the house."""
    players = {BOOMERANG: 3, CARAVAN: 2}[slug]
    wish = {"ruleset": slug, "house": players - 1, "start": "full", **wish}
    return cast.alice.post("/api/games", wish)


def waiting_house(game):
    return [seat for seat in game["seats"] if seat["house"] and seat["waiting"]]


def settle(worker):
    """All moves until the house is not waited for; how many they were."""
    moves, total = worker.move_all(), 0
    while moves:
        total += moves
        moves = worker.move_all()
    return total


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


def test_there_is_nothing_to_do_where_people_are_waited_for(app, cast, worker):
    cast.start()
    game = alone(cast)
    settle(worker)
    stored = dump(app)
    assert worker.move_all() == 0
    assert dump(app) == stored
    assert cast.alice.game(game["id"])["legal"]


def test_all_games_are_served_in_one_look(cast, worker):
    games = [alone(cast, seating="random") for _ in range(6)]
    settle(worker)
    assert all(cast.alice.game(game["id"])["legal"] for game in games)


def test_a_game_of_the_house_alone_follows_a_sealed_choice(cast, worker):
    """The house commits while the person thinks; the person's question stays."""
    game = alone(cast, CARAVAN)
    assert settle(worker) == 1
    later = cast.alice.game(game["id"])
    assert (later["asked"], later["legal"]) == (game["asked"], game["legal"])
    assert len(later["view"]["committed"]) == 1


class OutOfOrder(random.Random):
    """Fails where the house has to choose in these games."""

    def __init__(self, worker, broken):
        super().__init__(3)
        self.worker, self.broken = worker, broken

    def choice(self, legal):
        if self.broken():
            raise ZeroDivisionError("the card is As")
        return super().choice(legal)


def test_a_house_player_that_fails_keeps_nobody_waiting(app, cast, clock, capfd):
    broken_games = set()
    current = SimpleNamespace(game=None)
    rng = OutOfOrder(None, lambda: current.game in broken_games)
    with app.app_context():
        worker = Worker(app.extensions["tegami"], rng)

        def reading(_connection, _cursor, _statement, parameters, *_):
            """The worker looks at one game after the other."""
            named = parameters.get("id") if isinstance(parameters, dict) else parameters
            for value in [named] if isinstance(named, str) else named or ():
                if isinstance(value, str) and value.startswith("g_"):
                    current.game = value

        event.listen(db.engine, "before_cursor_execute", reading)
        sick, well = (alone(cast, seating="random") for _ in range(2))
        broken_games.add(sick["id"])
        settle(worker)
        assert cast.alice.game(well["id"])["legal"]
        assert waiting_house(cast.alice.game(sick["id"])) or cast.alice.game(sick["id"])["legal"]
        broken_games.clear()
        clock.forward(60_000)
        settle(worker)
        assert cast.alice.game(sick["id"])["legal"]
        event.remove(db.engine, "before_cursor_execute", reading)
    logged = capfd.readouterr().err
    assert "ZeroDivisionError" not in logged or "the card is As" not in logged


def test_two_workers_make_no_move_twice(app, cast):
    kit = app.extensions["tegami"]
    with app.app_context():
        workers = [Worker(kit, random.Random(seed)) for seed in (1, 2)]
        game = alone(cast)
        while game["status"] != "over":
            while sum(worker.move_all() for worker in workers):
                pass
            game = cast.alice.game(game["id"])
            if game["legal"]:
                cast.alice.answer(game)
    twice = "SELECT seat, asked FROM events WHERE asked IS NOT NULL GROUP BY seat, asked HAVING count(*) > 1"
    assert execute(app, twice) == []


@sqlite_only
def test_the_same_generator_plays_the_same_game(app, cast):
    kit, played = app.extensions["tegami"], []
    for _ in range(2):
        with app.app_context():
            game = alone(cast, seating="order")
            cast.alice.answer(game)
            settle(Worker(kit, random.Random(5)))
            events = cast.alice.get(f"/api/games/{game['id']}/events?limit=200")["events"]
        played.append([each.get("seat") for each in events])
    assert played[0] == played[1]
