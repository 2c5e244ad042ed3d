"""Headers with bytes that no browser sends: they count as absent or wrong, and never cause a crash."""

from __future__ import annotations

import pytest

from tests.support.cast import sqlite_only

HEADERS = (
    *("COOKIE", "AUTHORIZATION", "IF_NONE_MATCH", "ACCEPT_LANGUAGE", "INVITATION", "USER_AGENT"),
    *("ORIGIN", "SEC_FETCH_SITE", "X_FORWARDED_FOR", "CONTENT_TYPE"),
)
"""The headers that the service reads."""


@sqlite_only
@pytest.mark.parametrize("value", ["tegami=\xff", "Bearer \xff", '"\xff', 'tegami="\\377"'])
def test_bytes_that_are_no_text_are_refused_or_ignored(app, cast, value):
    game_id = cast.open()
    client = app.test_client(use_cookies=False)
    for header in HEADERS:
        raw = {"HTTP_IF_NONE_MATCH": '"x"', f"HTTP_{header}": value}
        for path in ("/", "/api/me", "/api/games", f"/api/games/{game_id}"):
            assert client.get(path, environ_overrides=raw).status_code < 500, header
        sent = {"json": {"name": "Dora"}, "environ_overrides": raw}
        assert client.post("/api/players", **sent).status_code < 500, header


@sqlite_only
def test_a_cookie_that_is_no_text_is_an_unknown_one(app, cast):
    game_id = cast.open()
    client = app.test_client(use_cookies=False)
    tag = cast.nobody.send("GET", f"/api/games/{game_id}").headers["ETag"]
    for raw in ("tegami=\xff", "other=\xff"):
        headers = {"HTTP_COOKIE": raw, "HTTP_IF_NONE_MATCH": tag}
        poll = client.get(f"/api/games/{game_id}", environ_overrides=headers)
        assert poll.status_code == 304
        refused = client.get("/api/me", environ_overrides=headers)
        assert refused.json["type"] == "/problems/not-signed-in"
