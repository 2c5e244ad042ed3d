"""Wrong paths, methods, queries and headers: each gets a problem with its own type, and nothing is changed."""

from __future__ import annotations

import pytest

from service.web.http.bodies.fields import MAX_EVENT_NUMBER
from tests.support.cast import sqlite_only

MISSING = (
    "/api/games/g_short",
    "/api/games/g_0123456789abcdefABCDEF",
    "/api/games/g_0123456789abcdefABCDE\x00",
    "/api/games/%00",
    "/api/games/g_0123456789abcdefABCDEF%00/events",
    "/api/games/g_0123456789abcdefABCDEF/events",
    "/api/games/g_0123456789abcdefABCDEF/record",
    "/api/rulesets/%00",
    "/api/rulesets/kernel",
    "/api/words/%ff",
    "/rules/%ed%a0%80",
    "/rules/kernel",
    "/problems/%00",
    "/problems/unknown",
    "/problems/stale.title",
)
"""Paths of operations that name something that does not exist."""
UNKNOWN = {
    "/api/games/../me": ["/api/games/{game_id}/mutes"],
    "/api//games": ["/api/games"],
    "/api/games/": ["/api/games"],
    "/api/rulesets/..%2fkernel": ["/api/rulesets/{slug}"],
    "/api/words/..%2f..": ["/api/words/{wanted}"],
    "/api/game": ["/api/games"],
    "/api/Games": ["/api/games"],
    "/api/gmaes/g_0123456789abcdefABCDEF": ["/api/games/{game_id}"],
    "/api/games/g_0123456789abcdefABCDEF/action": ["/api/games/{game_id}/actions"],
    "/api/me/webhook/w_0123456789abcdefABCDEF/pings": ["/api/me/webhooks/{webhook_id}/ping"],
    "/openapi.yml": ["/openapi.yaml"],
    "/doc/api": ["/docs/api"],
    "/api/unknown": [],
    "/..%2fpyproject.toml": [],
    "/%2e%2e/pyproject.toml": [],
    "/service/core/models.py": [],
    "/movez/x": ["/me/{section}"],
    "/" + "a" * 4000: [],
}
"""Unknown paths, and the known ones that are most similar to them."""
METHODS = (
    ("DELETE", "/api/games"),
    ("PUT", "/api/me"),
    ("POST", "/api/rulesets"),
    ("OPTIONS", "/api/games"),
    ("TRACE", "/api/me"),
    ("BREW", "/api/me"),
    ("GET", "/api/players"),
)
NOT_NUMBERS = ("x", "", "1.0", "1e1", "+5", "%205", "1_0", "٥", "-1", "%00", "9" * 25)
LOBBY = (
    *(f"limit={number}" for number in (*NOT_NUMBERS, "0", "51")),
    *(f"cursor={number}" for number in (*NOT_NUMBERS, "0", "1%00", "1%0A", "1234567890123456789")),
    *(f"status={status}" for status in ("Open", "", "%00")),
    *(f"mine={value}" for value in ("1", "TRUE", "")),
    *(f"ruleset={slug}" for slug in ("%00", "", "Caravan")),
    *("unknown=1", "=1", "limit=5&more=1", "%00=1"),
    *("limit=5&limit=6", "limit=5&limit=5", "status=open&status=over"),
)
HISTORY = (
    *(f"after={number}" for number in (*NOT_NUMBERS, MAX_EVENT_NUMBER + 1)),
    *(f"limit={number}" for number in (*NOT_NUMBERS, "0", "201")),
    "from=1",
)
STRANGE = ("\x7f", "é", "\xff\xfe", "x" * 5000, "Bearer", "tgm_\x01", '"')

pytestmark = pytest.mark.usefixtures("unchanged")


def test_what_is_not_there_is_not_found(cast):
    for path in MISSING:
        cast.alice.refused("GET", path, "not-found")


@sqlite_only
def test_unknown_paths_are_told_apart_from_what_is_missing(cast):
    for path, near in UNKNOWN.items():
        told = cast.alice.refused("GET", path, "unknown-path")["nearest"]
        assert told[:1] == near, (path, told)
        assert len(told) <= 3 and not [
            each for each in told if "{token}" in each or "{secret}" in each
        ]
        assert cast.alice.refused("POST", path, "unknown-path")["nearest"] == told


@sqlite_only
def test_the_nearest_slug_is_told(cast):
    assert cast.alice.refused("GET", "/api/rulesets/caravans", "not-found")["nearest"] == [
        "caravan"
    ]
    assert "nearest" not in cast.alice.refused("GET", "/api/rulesets/zzzzzz", "not-found")
    for sent, near in (("carvan", "caravan"), ("boomerang-auctoin", "boomerang-auction")):
        told = cast.alice.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": sent})
        assert told["nearest"][0] == near and near in told["may"]
    cast.alice.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": "x" * 60})


@sqlite_only
def test_the_nearest_field_and_parameter_are_told(cast):
    wish = {"rulset": "caravan", "Players": 2, "sevastopol": 1}
    told = cast.alice.refused("POST", "/api/games", "invalid-body", wish)
    assert told["nearest"] == {"rulset": "ruleset", "Players": "players"}
    assert "`ruleset`" in told["errors"]["rulset"][0] and "?" not in told["errors"]["sevastopol"][0]
    told = cast.alice.refused("GET", "/api/games?limits=5&stat=open&%00=1", "invalid-query")
    assert told["nearest"]["limits"] == "limit" and "\0" not in told["nearest"]
    huge = {"r" * 60_000: 1, "ruleset": "caravan"}
    assert "nearest" not in cast.alice.refused("POST", "/api/games", "invalid-body", huge)


@sqlite_only
def test_a_wrong_method_is_answered_with_the_allowed_ones(cast):
    for method, path in METHODS:
        cast.alice.refused(method, path, "method-not-allowed")
        assert cast.alice.send(method, path).headers["Allow"]


@sqlite_only
def test_invalid_queries_of_the_lobby(cast):
    for query in LOBBY:
        problem = cast.nobody.refused("GET", f"/api/games?{query}", "invalid-query")
        assert len(problem["errors"]) == 1, query


@sqlite_only
def test_invalid_queries_of_the_history(cast, open_id):
    for query in HISTORY:
        path = f"/api/games/{open_id}/events?{query}"
        assert len(cast.nobody.refused("GET", path, "invalid-query")["errors"]) == 1, query


def test_strange_headers_do_no_harm(cast, open_id):
    path = f"/api/games/{open_id}"
    names = ("Invitation", "If-None-Match", "Accept-Language", "Accept", "Cookie", "Origin")
    for value in STRANGE:
        for name in names:
            assert cast.nobody.send("GET", path, headers={name: value}).status_code == 200, name
        for scheme in ("Bearer ", "bearer "):
            headers = {"Authorization": scheme + value}
            cast.nobody.refused("GET", path, "not-signed-in", headers=headers)
