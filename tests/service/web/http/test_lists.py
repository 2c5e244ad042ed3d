"""Lists are in the order that the document promises."""

from __future__ import annotations

import pytest

import rules
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only

pytestmark = sqlite_only


def a_sign_in(app, key):
    Person(app).post("/api/sign-ins", {"key": key})


MADE = {
    "feeds": lambda app, alice, n: alice.post("/api/me/feeds", {"label": f"{n}"}),
    "tokens": lambda app, alice, n: alice.post("/api/me/tokens", {"label": f"{n}"}),
    "webhooks": lambda app, alice, n: alice.post(
        "/api/me/webhooks", {"label": f"{n}", "url": "https://bot.example/"}
    ),
    "sign-ins": lambda app, alice, n: a_sign_in(app, alice.key),
}
"""By the path of a list under `/api/me/`, how to add an entry."""


@pytest.mark.parametrize("name", MADE)
def test_what_is_ones_own_is_listed_oldest_first(app, cast, clock, name):
    """Ids are random: in their order, five would seldom be the oldest first."""
    for n in range(5):
        MADE[name](app, cast.alice, n)
        clock.forward(1)
    listed = cast.alice.get(f"/api/me/{name}")[name.replace("-", "_")]
    times = [each["created_at"] for each in listed]
    assert times == sorted(times) and len(set(times)) >= 5


def test_rulesets_are_listed_by_slug_and_their_versions_oldest_first(cast):
    listed = cast.nobody.get("/api/rulesets")["rulesets"]
    assert [each["slug"] for each in listed] == sorted(rules.slugs())
    for each in listed:
        versions = cast.nobody.get(f"/api/rulesets/{each['slug']}")["versions"]
        assert versions == sorted(set(versions)) and versions[-1] == each["version"]


def test_seats_are_in_the_order_of_sitting_down_and_then_of_their_numbers(cast):
    game_id = cast.open(BOOMERANG, players=3)
    for person in (cast.carol, cast.bob):
        person.post(f"/api/games/{game_id}/seats", {})
    before = cast.alice.game(game_id)
    assert [each["name"] for each in before["seats"]] == ["Alice", "Carol", "Bob"]
    (summary,) = cast.nobody.get("/api/games")["games"]
    assert summary["names"] == ["Alice", "Carol", "Bob"]
    cast.alice.post(f"/api/games/{game_id}/start", {}, 200)
    seats = cast.alice.game(game_id)["seats"]
    assert [each["seat"] for each in seats] == [0, 1, 2]
    (summary,) = cast.nobody.get("/api/games")["games"]
    assert summary["names"] == [each["name"] for each in seats]


def test_proposals_that_wait_for_somebody_are_listed_oldest_first(cast, clock):
    made = []
    for wish in ({"kind": "close", "outcome": "draw"}, {"kind": "pause", "seconds": 3600}) * 2:
        game_id = cast.start(CARAVAN)
        game = cast.alice.post(f"/api/games/{game_id}/proposals", wish)
        made.append(game["proposals"][-1]["id"])
        clock.forward(1)
    listed = cast.bob.get("/api/me/turns")["proposals"]
    assert [each["proposal"] for each in listed] == made
