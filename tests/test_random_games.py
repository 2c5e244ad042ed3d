"""Programs play random games of every ruleset through the application, and check every answer.

Whole servers do it too: for tests/clients and examples/bot.py.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

import rules
from service.log.verification.verify_record import verify
from tests.rules.pairwise_tables import drawn
from tests.support.cast import Person, sqlite_only
from tests.support.changed import games_in_full
from tests.support.each_game import each_slug
from tests.support.rounds import rounds
from tests.support.thinking import in_turn

Json = dict[str, Any]

SEEDS = 2
MANY = 100
"""The number of games of each ruleset, without and with --thorough; one for those that did not change."""
EVENTS = 200
"""The maximum number of events on a page of the history."""
pytestmark = [sqlite_only, pytest.mark.of_service]


@pytest.fixture
def programs(app: Flask) -> list[Person]:
    """As many programs as the largest table has seats; every response is checked against the document."""
    most = max(max(rules.load(slug).players) for slug in rules.slugs())
    return [Person(app, f"Program {number}", program=True) for number in range(most)]


def tables(slug: str, rng: random.Random) -> Iterator[tuple[int, Json]]:
    """All numbers of players in turn, the fewest and the most first, with the shortest length and random options."""
    ruleset = rules.load(slug)
    fewest, *others = sorted(ruleset.players)
    for players in itertools.cycle([fewest, *reversed(others)]):
        short = ruleset.looks.lengths(players)[0].options
        _, options = drawn(ruleset, players, short, rng) or (players, short)
        if not ruleset.live(players, options):
            yield players, options


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("slug", rules.slugs())
def test_random_games(slug: str, programs: list[Person], request: pytest.FixtureRequest) -> None:
    games = SEEDS if slug in games_in_full() else 1
    if request.config.getoption("--thorough"):
        games = MANY
    rng = random.Random(slug)
    for players, options in itertools.islice(tables(slug, rng), games):
        game = play(seated(programs[:players], slug, options), programs, rng)
        check_end(game, programs[0])


def seated(programs: list[Person], slug: str, options: Json) -> str:
    """The id of a running game with a program in each seat."""
    wish = {"ruleset": slug, "players": len(programs), "options": options}
    table = programs[0].post(
        "/api/games", {**wish, "seating": "order", "start": "full", "nonce": None}
    )
    for other in programs[1:]:
        table = other.post(f"/api/games/{table['id']}/seats", {})
    assert table["status"] == "running"
    assert table["options"].items() >= options.items()
    return str(table["id"])


def play(game_id: str, programs: list[Person], rng: random.Random) -> Json:
    """Answer every question with a random legal action; returns the game when it is over."""
    game: Json = programs[0].game(game_id)
    while game["status"] == "running":
        asked = rng.choice(game["waiting"])["seat"]
        if game["seat"] != asked:
            game = programs[asked].game(game_id)
        played = programs[asked].answer(game, rng.choice(game["legal"])["action"])
        assert played["game"]["number"] >= played["number"] > game["number"]
        game = played["game"]
    return game


def check_end(game: Json, program: Person) -> None:
    """The result is shown, polls get a 304, the history is complete, and the record is valid."""
    path = f"/api/games/{game['id']}"
    assert game["status"] == "over" and game["legal"] == [] and game["waiting"] == []
    assert len(game["result"]["scores"]) == game["players"]
    brought = {"If-None-Match": program.send("GET", path).headers["ETag"]}
    assert program.send("GET", path, headers=brought).status_code == 304
    told = program.get(f"{path}/events?limit={EVENTS}")["events"]
    assert [event["number"] for event in told] == list(range(1, game["number"] + 1))[:EVENTS]
    assert verify(program.send("GET", f"{path}/record").data)["head"] == game["head"]


@pytest.fixture
def run(app: Flask) -> Callable[[], int]:
    """Let a worker do what is due."""
    return rounds(app, in_turn())


@each_slug
def test_a_random_game_against_house_players(
    slug: str, programs: list[Person], run: Callable[[], int]
) -> None:
    program, rng, ruleset = programs[0], random.Random(slug), rules.load(slug)
    players = ruleset.players[0]
    options = ruleset.looks.lengths(players)[0].options
    wish = {"ruleset": slug, "players": players, "options": options, "house": players - 1}
    game = program.post("/api/games", {**wish, "start": "full", "nonce": None})
    while (game := asked(game, program, run))["status"] == "running":
        program.answer(game, rng.choice(game["legal"])["action"])
    check_end(game, program)


def asked(game: Json, program: Person, run: Callable[[], int]) -> Json:
    """The game when the program is asked something, or when it is over."""
    for _ in range(200):
        shown: Json = program.game(game["id"])
        if shown["legal"] or shown["status"] == "over":
            return shown
        run()
    raise AssertionError("the house never moves")
