"""The reasons why something cannot be chosen: given for everything that cannot, and only from the seat's knowledge."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel import Draft, Json, Obstacle, Ruleset, State, Touched, obstacle, text
from tests.rules.playouts import Steps, actors
from tests.rules.test_words import LANGUAGES, catalogue, fields

pytestmark = pytest.mark.every_game

TRIED = 12
"""The number of steps of each ruleset that are tried."""
NOTHING = Draft()


@pytest.fixture(scope="module")
def asked(met: Steps, ruleset: Ruleset) -> list[tuple[State, int]]:
    """Positions, and a seat that may act in each."""
    found = [(step.before, seat) for step in met for seat in actors(ruleset, step.before)]
    return random.Random(1).sample(found, min(TRIED, len(found)))


def touches(view: Json) -> Iterator[Touched]:
    """Everything that a seat sees and could touch."""
    for zone in view["zones"]:
        at = zone["name"], zone.get("seat"), zone.get("index")
        yield Touched(None, *at)
        for place, face in enumerate(zone.get("cards", ())):
            code = face.get("card") if isinstance(face, dict) else face
            yield Touched(code, *at, place)
            if zone["kind"] == "hand" and code:
                yield Touched(code)


def drafts(ruleset: Ruleset, state: State, seat: int) -> list[Draft]:
    """An empty choice, the first part of some actions, and whole actions."""
    legal = ruleset.legal(state, seat)
    some = random.Random(2).sample(legal, min(2, len(legal)))
    first = [(each["type"], [*each.items()][1:2]) for each in some]
    whole = [
        Draft(each["type"], {name: each[name] for name in each if name != "type"}) for each in some
    ]
    return [NOTHING, *(Draft(kind, dict(values)) for kind, values in first), *whole]


def told(ruleset: Ruleset, state: State, seat: int, draft: Draft) -> list[Obstacle | None]:
    view = ruleset.view(state, seat)
    return [obstacle(ruleset, state, seat, draft, each) for each in touches(view)]


def test_it_is_the_same_in_all_positions_that_the_seat_cannot_tell_apart(
    ruleset: Ruleset, asked: list[tuple[State, int]]
) -> None:
    for state, seat in asked:
        other = ruleset.world(ruleset.blind(state, seat), seat, random.Random(1))
        for draft in drafts(ruleset, state, seat):
            here, there = (told(ruleset, each, seat, draft) for each in (state, other))
            assert text([*map(plain, here)]) == text([*map(plain, there)])


def plain(found: Obstacle | None) -> Any:
    return found and [found.why, found.general, found.fields]


def test_nothing_hinders_a_card_that_a_legal_action_names(
    ruleset: Ruleset, asked: list[tuple[State, int]]
) -> None:
    for state, seat in asked:
        possible = set(named(ruleset, ruleset.legal(state, seat)))
        for touched in touches(ruleset.view(state, seat)):
            if touched.card and touched.zone is None:
                found = obstacle(ruleset, state, seat, NOTHING, touched)
                assert (found is None) >= (touched.card in possible), (touched, found)


def named(ruleset: Ruleset, legal: list[Json]) -> Iterator[str]:
    """The cards that actions name."""
    for action in legal:
        for param in ruleset.actions[action["type"]]:
            value = action.get(param.name)
            if param.kind in {"card", "cards"} and value:
                yield from [value] if isinstance(value, str) else value


def test_every_obstacle_has_words_that_name_what_it_has(
    ruleset: Ruleset, asked: list[tuple[State, int]]
) -> None:
    for state, seat in asked:
        for draft in drafts(ruleset, state, seat):
            for found in filter(None, told(ruleset, state, seat, draft)):
                for language in LANGUAGES if not found.general else ():
                    message = catalogue(ruleset, language)[f"why.{found.why}"]
                    names = {name for name, _ in fields(message)}
                    assert names <= found.fields.keys(), found
                    assert None not in [found.fields[name] for name in names], found


def test_what_was_never_there_is_no_matter_of_the_rules(
    ruleset: Ruleset, asked: list[tuple[State, int]]
) -> None:
    state, seat = asked[0]
    wrong: list[Touched] = [
        Touched("XX"),
        Touched(zone="nowhere"),
        Touched("13-7", "hand", seat),
        Touched(),
    ]
    for touched in wrong:
        found = obstacle(ruleset, state, seat, Draft("fly", {"to": [{}]}, ("As", "Zz")), touched)
        assert found and found.why == "types"
