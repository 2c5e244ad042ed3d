"""House players: the worker makes every move that follows from a person's, and one that fails keeps nobody waiting."""

from __future__ import annotations

import itertools
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

import rules
from service.database import db
from service.worker import REST, Worker, move_or_report, work
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.dump import dump, execute


@pytest.fixture
def worker(app):
    """All moves of one look of the worker, which chooses as a seeded generator says."""
    return look_of(app, random.Random(11))


def look_of(app, rng):
    made = Worker(app.extensions["tegami"], rng)

    def look():
        with app.app_context():
            return made.move_all()

    return look


def alone(cast, slug=BOOMERANG, **wish):
    """A game that alice plays against the house."""
    players = {BOOMERANG: 3, CARAVAN: 2}[slug]
    wish = {"ruleset": slug, "house": players - 1, "start": "full", **wish}
    return cast.alice.post("/api/games", wish)


def the_house_begins(cast):
    """Such a game in which alice is not the first to be asked."""
    while True:
        game = alone(cast, seating="random")
        if not game["legal"]:
            return game


def waiting_house(game):
    return [seat for seat in game["seats"] if seat["house"] and seat["waiting"]]


def settle(*workers):
    """All moves until the house is not waited for; how many they were."""
    return sum(iter(lambda: sum(look() for look in workers), 0))


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


def test_the_worker_goes_on_until_it_is_told_to_stop(app, cast):
    """It rests when there is nothing to do, and only then."""
    game, stop, rests = the_house_begins(cast), threading.Event(), []

    def rest(seconds):
        if threading.current_thread().name == "courier":
            stop.wait(seconds)
            return
        rests.append(seconds)
        if len(rests) == 3:
            stop.set()

    work(app, stop, rest)
    assert cast.alice.game(game["id"])["legal"]
    assert rests == [REST] * 3


def test_there_is_nothing_to_do_where_people_are_waited_for(app, cast, worker):
    cast.start()
    game = alone(cast)
    settle(worker)
    stored = dump(app)
    assert worker() == 0
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
    """Cannot choose an opening in Caravan, until it is repaired."""

    broken = True

    def choice(self, legal):
        if self.broken and legal[0]["type"] == "open":
            raise ZeroDivisionError(f"the marker is {legal[0]['cards']}")
        return super().choice(legal)


def test_a_house_player_that_fails_keeps_nobody_waiting(capsys, app, cast, clock):
    rng = OutOfOrder(3)
    look = look_of(app, rng)
    sick, well = alone(cast, CARAVAN), the_house_begins(cast)
    settle(look)
    assert cast.alice.game(well["id"])["legal"]
    assert waiting_house(cast.alice.game(sick["id"]))
    rng.broken = False
    assert settle(look) == 0, "what failed is left alone for a while"
    clock.forward(60_000)
    assert settle(look) == 1
    assert not waiting_house(cast.alice.game(sick["id"]))
    logged = capsys.readouterr().err
    assert "ZeroDivisionError" in logged and sick["id"] in logged
    assert "marker" not in logged


@sqlite_only
def test_many_that_fail_keep_nobody_waiting(app, cast):
    """However many there are, and although they wait longer."""
    for _ in range(120):
        alone(cast, CARAVAN)
    well = the_house_begins(cast)
    look = look_of(app, OutOfOrder(3))
    for _ in range(3):
        settle(look)
    assert cast.alice.game(well["id"])["legal"]


def test_a_database_that_fails_costs_no_game_its_turn(app, cast):
    """What was no fault of a house player is tried again at the next look."""
    game = the_house_begins(cast)
    fails = itertools.chain([True], itertools.repeat(False))

    def locked(_connection, _cursor, statement, *_):
        if statement.startswith("INSERT INTO events") and next(fails):
            raise OperationalError(statement, None, Exception("database is locked"))

    worker = Worker(app.extensions["tegami"], random.Random(4))
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", locked)
        move_or_report(worker)
        while move_or_report(worker):
            pass
    assert cast.alice.game(game["id"])["legal"]


def test_two_workers_make_no_move_twice(app, cast):
    workers = [look_of(app, random.Random(seed)) for seed in (1, 2)]
    game = alone(cast)
    while game["status"] != "over":
        settle(*workers)
        game = cast.alice.game(game["id"])
        if game["legal"]:
            cast.alice.answer(game)
    answers = "SELECT seat, asked FROM events WHERE asked IS NOT NULL"
    answered = execute(app, answers)
    assert len(answered) == len(set(answered))


class Overtaken(random.Random):
    """While it thinks, somebody else makes all its moves."""

    def __init__(self, others):
        super().__init__(8)
        self.others = others

    def choice(self, legal):
        with ThreadPoolExecutor(1) as threads:
            threads.submit(settle, self.others).result()
        return super().choice(legal)


def test_a_worker_that_was_overtaken_makes_no_move(capsys, app, cast):
    """Its choice answers a question that is no longer asked."""
    others = look_of(app, random.Random(1))
    game = the_house_begins(cast)
    assert settle(look_of(app, Overtaken(others))) == 0
    later = cast.alice.game(game["id"])
    assert later["legal"]
    cast.alice.answer(later)
    settle(others)
    assert not waiting_house(cast.alice.game(game["id"]))
    assert capsys.readouterr().err == ""


@sqlite_only
def test_the_same_generator_plays_the_same_game(app, cast):
    played = []
    for _ in range(2):
        game = alone(cast, seating="order")
        cast.alice.answer(game)
        settle(look_of(app, random.Random(5)))
        events = cast.alice.get(f"/api/games/{game['id']}/events?limit=200")["events"]
        played.append([event["lines"] for event in events if event["kind"] == "action"])
    assert played[0][0] == played[1][0]


@sqlite_only
@pytest.mark.parametrize("slug", rules.slugs())
def test_house_players_that_are_asked_at_once_do_not_stumble_over_each_other(
    capsys, app, cast, slug
):
    """One look finds all who are asked; the move of one may leave nothing to ask the next."""
    for seed in range(GAMES):
        rng, ruleset = random.Random(seed), rules.load(slug)
        look, players = look_of(app, rng), rng.choice(ruleset.players)
        options = ruleset.lengths(players)[0].options
        wish = {"ruleset": slug, "players": players, "options": options, "house": players - 1}
        game = cast.alice.post("/api/games", {**wish, "start": "full"})
        while game["status"] == "running" and game["number"] < LONG:
            if game["legal"]:
                cast.alice.answer(game, rng.choice(game["legal"])["action"])
            settle(look)
            game = cast.alice.game(game["id"])
            assert game["legal"] or game["status"] == "over"
    assert "error" not in capsys.readouterr().err


GAMES = 3
LONG = 80
"""Events after which a game is left."""
