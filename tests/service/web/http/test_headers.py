"""Headers of every answer: policy, referrer, caching, and cookies over https."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import sqlite_only
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only

PAGES = ("/", "/app.js", "/rules/caravan", "/problems/stale")
API = ("/api/rulesets", "/api/games", "/api/words/en", "/api/me", "/api/unknown", "/healthz")


@pytest.mark.parametrize("path", [*PAGES, *API, "/unknown", "/openapi.yaml"])
def test_every_answer_has_the_security_headers(client, path):
    headers = client.get(path).headers
    policy = dict(each.split(" ", 1) for each in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in str(policy)
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Permitted-Cross-Domain-Policies"] == "none"
    assert "Strict-Transport-Security" not in headers


def test_an_answer_without_news_has_them_too(cast, client):
    """This holds for the responses of the idle poll and of files."""
    for path in (f"/api/games/{cast.open()}", "/app.js"):
        tag = client.get(path).headers["ETag"]
        answer = client.get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 304
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert len(answer.headers.getlist("Content-Security-Policy")) == 1


def test_answers_for_one_caller_are_not_cached(cast):
    game_id = cast.start()
    assert cast.alice.send("GET", f"/api/games/{game_id}").headers["Cache-Control"] == (
        "private, no-cache"
    )
    assert "Cookie" in cast.alice.send("GET", f"/api/games/{game_id}").headers["Vary"]
    for path in ("/api/me", f"/api/games/{game_id}/events", "/api/me/tokens"):
        assert cast.alice.send("GET", path).headers["Cache-Control"] == "no-store"


def test_head_is_answered_as_get_without_a_body(cast):
    game_id = cast.start()
    for path in ("/api/me", "/api/rulesets", f"/api/games/{game_id}", "/api/nowhere", "/healthz"):
        asked, told = (cast.alice.send(method, path) for method in ("GET", "HEAD"))
        assert (told.status_code, told.data) == (asked.status_code, b"")
        assert told.headers.get("ETag") == asked.headers.get("ETag")
        assert told.content_type == asked.content_type
    allowed = cast.alice.send("DELETE", "/api/rulesets").headers["Allow"]
    assert "HEAD" in allowed


def test_errors_are_not_cached(client):
    for path in ("/api/unknown", "/api/me"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


def test_over_https_the_cookie_is_bound_to_the_host(config, runtime):
    app = create_app(replace(config, public_url="https://tegami.example"), runtime)
    app.test_client_class = CheckedClient
    client = app.test_client()
    made = client.post("/api/players", json={"name": "Alice"}, base_url="https://tegami.example")
    cookie = made.headers["Set-Cookie"]
    assert cookie.startswith("__Host-tegami=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    gone = client.delete("/api/sign-ins/current", base_url="https://tegami.example")
    assert {"Secure", "Path=/", "Max-Age=0"} <= set(gone.headers["Set-Cookie"].split("; "))
    disconnect(app)


def test_over_https_browsers_are_told_to_stay_there(config, runtime):
    app = create_app(replace(config, public_url="https://tegami.example"), runtime)
    client = app.test_client()
    for path in (*PAGES, *API):
        told = client.get(path).headers["Strict-Transport-Security"]
        assert told == "max-age=31536000; includeSubDomains"
    disconnect(app)
