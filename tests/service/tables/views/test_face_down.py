"""Sealed choices lie face down where their cards go, as far as everybody may know."""

from __future__ import annotations

import pytest

import rules
from rules.kernel import Json
from service.tables.views.face_down import face_down

SEALED = [
    (slug, phase.phase)
    for slug in rules.slugs()
    for phase in rules.load(slug).looks.vocabulary.choices
]


def lying(slug: str, phase: str, *committed: int, zones: tuple[Json, ...] = ()) -> list[Json]:
    view = {"phase": phase, "committed": list(committed), "zones": list(zones)}
    return face_down(rules.load(slug), view, 2)


ROWS = tuple({"name": "row", "seat": seat, "index": n} for seat in (0, 1) for n in range(3))


@pytest.mark.parametrize(
    ("slug", "phase", "places"),
    [
        ("caravan", "opening", [{"zone": "row", "index": n, "count": 1} for n in range(3)]),
        ("joretsu", "bidding", [{"zone": "played", "count": 1}]),
        ("joretsu", "showdown", [{"zone": "played", "count": 2}]),
        ("trunk-and-peddler", "choosing", [{"zone": None, "count": 1}]),
        ("oracle-land", "bidding", [{"zone": None, "count": None}] * 2),  # one card or two
        ("blame-the-magic", "choosing", [{"zone": None, "count": None}]),  # or one more
        ("2459n", "collecting", []),  # a place is chosen, no card
        ("joretsu", "deciding", []),  # whoever ranks a suit lays no card
    ],
)
def test_cards_lie_where_they_go(slug: str, phase: str, places: list[Json]) -> None:
    found = [each for each in lying(slug, phase, 1, zones=ROWS) if each["of"] == 1]
    assert found == [{"of": 1, **place} for place in places]


def test_a_place_is_kept_for_who_has_not_chosen() -> None:
    kept = [{"of": seat, "zone": "played", "count": seat} for seat in (0, 1)]
    assert lying("joretsu", "bidding", 1) == kept
    assert lying("trunk-and-peddler", "choosing") == []


@pytest.mark.parametrize(("slug", "phase"), SEALED)
def test_only_who_has_chosen_says_something(slug: str, phase: str) -> None:
    """The function knows nothing of the choices: the places of seats that have chosen are all alike."""
    both = lying(slug, phase, 0, 1, zones=ROWS)
    apart = [[{**each, "of": None} for each in both if each["of"] == seat] for seat in (0, 1)]
    assert apart[0] == apart[1]


def test_all_are_shown_the_same_and_it_is_gone_when_all_have_chosen(cast) -> None:
    game_id = cast.start("joretsu")
    cast.alice.answer(cast.alice.game(game_id))
    shown = [
        person.game(game_id)["view"]["face_down"] for person in (cast.alice, cast.bob, cast.nobody)
    ]
    assert shown[0] == shown[1] == shown[2]
    assert [each["count"] for each in shown[0]] == [1, 0, 0]
    assert {each["words"] for each in shown[0]} == {"Played"}
    path = f"/api/games/{game_id}/views/{cast.bob.game(game_id)['number']}"
    assert cast.bob.get(path)["view"]["face_down"] == shown[1]
    for person in (cast.bob, cast.carol):
        person.answer(person.game(game_id))
    assert "face_down" not in cast.nobody.game(game_id)["view"]
