"""Wrong paths, methods, queries and headers: each gets its own type of problem, and nothing is changed."""

from __future__ import annotations

import pytest

from service.web.http.bodies.fields import MAX_EVENT_NUMBER
from tests.support.cast import sqlite_only

UNKNOWN = (
    "/api/games/g_short",
    "/api/games/g_0123456789abcdefABCDEF",
    "/api/games/g_0123456789abcdefABCDE\x00",
    "/api/games/%00",
    "/api/games/g_0123456789abcdefABCDEF%00/events",
    "/api/games/g_0123456789abcdefABCDEF/events",
    "/api/games/g_0123456789abcdefABCDEF/record",
    "/api/games/../me",
    "/api//games",
    "/api/games/",
    "/api/rulesets/%00",
    "/api/rulesets/..%2fkernel",
    "/api/rulesets/kernel",
    "/api/words/..%2f..",
    "/api/words/%ff",
    "/api/unknown",
    "/rules/%ed%a0%80",
    "/rules/kernel",
    "/problems/%00",
    "/problems/unknown",
    "/problems/stale.title",
    "/..%2fpyproject.toml",
    "/%2e%2e/pyproject.toml",
    "/service/models.py",
)
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


def test_unknown_paths_are_not_found(cast):
    for path in UNKNOWN:
        cast.alice.refused("GET", path, "not-found")


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
