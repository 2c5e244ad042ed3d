"""A running game shows what the engine shows, and nothing else of the log."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from service.log.event_log import States
from service.log.table_rows.table import find
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import execute

CARD = re.compile(r"\b[A2-9TJQK][shdc]\b|(?:\b10|[A2-9JQK])[♠♥♦♣]")
"""A card, as a code or as people write it."""


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys included."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def cards(value: Any) -> set[str]:
    """The codes of all cards in a JSON value, however they are written."""
    signs = str.maketrans("♠♥♦♣", "shdc")
    found = (card for text in strings(value) for card in CARD.findall(text))
    return {card.translate(signs).replace("10", "T") for card in found}


def known(app, game_id, seat):
    """The cards that this seat may know: those in its view, its legal actions and all its lines."""
    with app.app_context():
        game, states = find(game_id).game, States()
        ruleset = rules.load(game.ruleset, game.version)
        lines = [
            ruleset.lines(states.load(game, number), seat) for number in range(1, game.number + 1)
        ]
        state = states.load(game)
        return cards([lines, ruleset.view(state, seat), ruleset.legal(state, seat)])


def raw_secrets(app):
    """Values that nobody may see before the end: the salts of the log and the seeds."""
    bodies = [json.loads(row.body) for row in execute(app, "SELECT body FROM events")]
    seeds = [bytes(row.seed).hex() for row in execute(app, "SELECT seed FROM games")]
    return [body["salt"] for body in bodies] + seeds


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
@sqlite_only
def test_responses_contain_only_what_the_engine_shows(app, cast, slug):
    game_id = cast.start(slug)
    people = (*cast.seated, cast.mallory, cast.nobody)
    for _ in itertools.islice(cast.moves(game_id, random.Random(9).choice), 6):
        for person in people:
            game = person.game(game_id)
            events = person.get(f"/api/games/{game_id}/events?limit=200")
            body = {"asked": 0, "action": {"type": "fly"}}
            problem = person.send("POST", f"/api/games/{game_id}/actions", json=body).json
            lists = [person.get("/api/games"), person.send("GET", "/api/me/turns").json]
            shown = [game, events, problem, lists]
            assert cards(shown) <= known(app, game_id, game["seat"])
            text = json.dumps(shown)
            assert not [secret for secret in raw_secrets(app) if secret in text]


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
@sqlite_only
def test_only_the_sizes_of_other_hands_are_shown(cast, slug):
    game_id = cast.start(slug)
    for person in (*cast.seated, cast.mallory):
        game = person.game(game_id)
        hands = [zone for zone in game["view"]["zones"] if zone["kind"] == "hand"]
        assert len(hands) == game["players"]
        for hand in hands:
            assert ("cards" in hand) == (hand["seat"] == game["seat"])
            assert hand["count"] > 0
