"""Requests that another site makes a browser send change nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.web.app import create_app
from tests.support.cast import BOOMERANG, Person, sqlite_only
from tests.support.dump import dump
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only

FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    {"Sec-Fetch-Site": "strange"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://localhost:81"},
    {"Origin": "https://localhost"},
    {"Origin": "ftp://localhost"},
    {"Origin": "localhost"},
    {"Origin": "http://localhost@evil.example"},
    {"Origin": ""},
    {"Origin": "http://["},
    {"Origin": "\x80"},
)
OURS = (
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    {"Origin": "http://localhost"},
    {},
)


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_requests_of_other_sites_are_refused(app, cast, headers):
    game_id = cast.open()
    tenure = cast.alice.game(game_id)["tenure"]
    stored = dump(app)
    for method, path, body in (
        ("POST", "/api/players", {"name": "Dora"}),
        ("POST", "/api/sign-ins", {"key": cast.alice.key}),
        ("DELETE", "/api/sign-ins/current", None),
        ("PATCH", "/api/me", {"name": "Eve"}),
        ("POST", "/api/me/link", None),
        ("POST", "/api/me/tokens", {"label": "x"}),
        ("POST", "/api/me/registration", {"handle": "eve", "address": "eve@example.org"}),
        ("PUT", "/api/me/password", {"password": "correct horse"}),
        ("PUT", "/api/me/address", {"address": "eve@example.org"}),
        ("POST", "/api/links", {"kind": "reset", "who": "alice"}),
        ("DELETE", "/api/me/sign-ins", None),
        ("PATCH", "/api/me/settings", {"time_zone": "Asia/Tokyo"}),
        ("POST", "/api/me/vacations", {"first": "2027-01-01", "last": "2027-01-01"}),
        ("POST", "/api/me/erasure", {}),
        ("POST", "/api/games", {"ruleset": BOOMERANG}),
        ("POST", f"/api/games/{game_id}/seats", {"house": True}),
        ("POST", f"/api/games/{game_id}/start", None),
        ("POST", f"/api/games/{game_id}/actions", {"asked": 1, "action": {"type": "pass"}}),
        ("DELETE", f"/api/games/{game_id}/seats/{tenure}", None),
    ):
        cast.alice.refused(method, path, "cross-site", body, headers=headers)
    assert dump(app) == stored


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_kept_answer_signs_nobody_in_from_another_site(app, headers):
    """A player may try to sign others in as that player with a request that was answered before."""
    key, body = {"Idempotency-Key": "7f3a9c1e-5b2d-4e86"}, {"name": "Eve"}
    Person(app).post("/api/players", body, headers=key)
    victim = Person(app)
    victim.refused("POST", "/api/players", "cross-site", body, headers={**key, **headers})
    victim.refused("GET", "/api/me", "not-signed-in")
    assert Person(app).post("/api/players", body, headers=key)["player"]["name"] == "Eve"


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_requests_of_our_own_page_are_accepted(app, headers):
    person = Person(app)
    person.headers = headers
    person.post("/api/players", {"name": "Dora"})
    person.post("/api/games", {"ruleset": BOOMERANG})


def test_other_sites_may_read(cast):
    for headers in FOREIGN:
        cast.alice.get("/api/me", headers=headers)


def test_no_answer_allows_other_sites_to_read(cast):
    """They may ask, but their scripts are not shown the response."""
    for origin in ("https://evil.example", "null", "http://localhost"):
        for path in ("/api/me", "/api/games", "/", "/app.js", "/openapi.yaml"):
            answer = cast.alice.send("GET", path, headers={"Origin": origin})
            assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


def test_requests_with_a_token_are_accepted_from_anywhere(cast):
    cast.bob.post("/api/games", {"ruleset": BOOMERANG}, headers=FOREIGN[0])


def test_an_empty_token_changes_nothing(cast):
    for empty in ("Bearer", "Bearer ", "Basic eDp5", "bearer"):
        headers = {**FOREIGN[0], "Authorization": empty}
        cast.alice.refused("PATCH", "/api/me", "cross-site", {"name": "Eve"}, headers=headers)


def test_a_wrong_token_is_not_signed_in(cast):
    headers = {**FOREIGN[0], "Authorization": "Bearer tgm_wrong"}
    cast.alice.refused("PATCH", "/api/me", "not-signed-in", {"name": "Eve"}, headers=headers)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://tegami.example", 201),
        ("http://tegami.example", 403),
        ("https://tegami.example:8443", 403),
        ("http://localhost", 403),
    ],
)
def test_behind_a_proxy_the_public_address_is_our_own(config, runtime, origin, status):
    """It is trusted only with https: anybody in between can write an http page."""
    app = create_app(replace(config, public_url="https://tegami.example"), runtime)
    client = app.test_client()
    answer = client.post("/api/players", json={"name": "Dora"}, headers={"Origin": origin})
    assert answer.status_code == status
    disconnect(app)


@pytest.mark.parametrize("public_url", ["https://Tegami.example:443", "https://tegami.example"])
def test_browsers_leave_the_usual_port_out(config, runtime, public_url):
    app = create_app(replace(config, public_url=public_url), runtime)
    headers = {"Origin": "https://tegami.example"}
    answer = app.test_client().post("/api/players", json={"name": "Dora"}, headers=headers)
    assert answer.status_code == 201
    disconnect(app)
