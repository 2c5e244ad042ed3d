"""Cookies, the secret link and bearer tokens."""

from __future__ import annotations

import pytest

from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump


@sqlite_only
def test_the_cookie_has_safe_attributes(app):
    answer = Person(app).send("POST", "/api/players", json={"name": "Dora"})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("tegami=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


@pytest.mark.both_databases
def test_the_link_signs_in_on_another_device(app, cast):
    phone = Person(app)
    assert phone.post("/api/sign-ins", {"key": cast.alice.key})["player"]["id"] == cast.alice.id
    assert phone.get("/api/me") == cast.alice.get("/api/me")


def test_a_preview_of_the_link_names_its_owner_and_signs_nobody_in(app, cast):
    body, path = {"key": cast.alice.key}, "/api/sign-ins/preview"
    asking = ((cast.nobody, False), (cast.carol, False), (cast.alice, True))
    before = dump(app)
    for person, current in asking:
        answer = person.send("POST", path, json=body)
        assert (answer.status_code, answer.json) == (200, {"name": "Alice", "current": current})
        assert "Set-Cookie" not in answer.headers
    cast.nobody.refused("GET", "/api/me", "not-signed-in")
    assert cast.carol.get("/api/me")["player"]["name"] == "Carol"
    assert dump(app) == before


@sqlite_only
def test_a_preview_needs_a_link_that_works(cast):
    path = "/api/sign-ins/preview"
    cast.alice.post("/api/me/link")
    for key in (cast.alice.key, cast.carol.http.get_cookie("tegami").value, "x" * 43):
        cast.carol.refused("POST", path, "wrong-key", {"key": key})
    cast.carol.refused("POST", path, "invalid-body", {})


def test_a_new_link_ends_the_old_one(app, cast):
    new = cast.alice.post("/api/me/link")["link"]
    assert new["url"] == f"http://localhost/#back={new['key']}"
    phone = Person(app)
    phone.refused("POST", "/api/sign-ins", "wrong-key", {"key": cast.alice.key})
    phone.refused("GET", "/api/me", "not-signed-in")
    phone.post("/api/sign-ins", {"key": new["key"]})
    assert cast.alice.get("/api/me") == phone.get("/api/me"), "other sign-ins go on"


def test_the_link_of_another_player_stays(app, cast):
    cast.alice.post("/api/me/link")
    Person(app).post("/api/sign-ins", {"key": cast.carol.key})


@sqlite_only
@pytest.mark.parametrize("kind", ["cookie", "token"])
def test_other_secrets_are_no_link(app, cast, kind):
    cookie = cast.alice.http.get_cookie("tegami").value
    token = cast.bob.headers["Authorization"].removeprefix("Bearer ")
    wrong = {"cookie": cookie, "token": token}[kind]
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"key": wrong})


@sqlite_only
def test_other_secrets_are_no_token(app, cast):
    for secret in (cast.alice.key, cast.alice.http.get_cookie("tegami").value, "tgm_", ""):
        program = Person(app)
        program.headers["Authorization"] = f"Bearer {secret}"
        program.refused("GET", "/api/me", "not-signed-in")


def test_signing_out_ends_only_this_sign_in(app, cast):
    phone = Person(app)
    phone.post("/api/sign-ins", {"key": cast.alice.key})
    kept = phone.http.get_cookie("tegami").value
    phone.delete("/api/sign-ins/current")
    assert phone.http.get_cookie("tegami") is None
    phone.http.set_cookie("tegami", kept)
    phone.refused("GET", "/api/me", "not-signed-in")
    cast.alice.get("/api/me")


@sqlite_only
def test_signing_out_always_works_and_leaves_tokens(cast):
    cast.nobody.delete("/api/sign-ins/current")
    cast.bob.delete("/api/sign-ins/current")
    cast.bob.get("/api/me")


@pytest.mark.both_databases
def test_tokens_are_listed_without_secrets_and_revoked_one_by_one(app, cast, clock):
    first = cast.alice.post("/api/me/tokens", {"label": "phone"})["token"]
    clock.forward(1000)
    second = cast.alice.post("/api/me/tokens", {"label": "robot"})["token"]
    listed = cast.alice.get("/api/me/tokens")["tokens"]
    assert [token["label"] for token in listed] == ["phone", "robot"]
    assert "secret" not in str(listed)
    programs = [Person(app) for _ in range(2)]
    for program, token in zip(programs, (first, second), strict=True):
        program.headers["Authorization"] = f"Bearer {token['secret']}"
        assert program.get("/api/me")["player"]["id"] == cast.alice.id
    cast.alice.delete(f"/api/me/tokens/{first['id']}")
    programs[0].refused("GET", "/api/me", "not-signed-in")
    programs[1].get("/api/me")
    assert [token["label"] for token in cast.alice.get("/api/me/tokens")["tokens"]] == ["robot"]


@sqlite_only
def test_a_token_is_revoked_by_its_owner_once(cast):
    (token,) = cast.bob.get("/api/me/tokens")["tokens"]
    path = f"/api/me/tokens/{token['id']}"
    cast.mallory.refused("DELETE", path, "not-found")
    cast.bob.get("/api/me")
    cast.bob.delete(path)
    cast.bob.refused("DELETE", path, "not-signed-in")
    cast.mallory.refused("DELETE", "/api/me/tokens/k_0123456789abcdefABCDEF", "not-found")


@sqlite_only
def test_an_invalid_token_is_refused_everywhere(app, cast):
    game_id = cast.open()
    cast.alice.headers["Authorization"] = "Bearer tgm_wrong"
    for path in ("", "/events", "/record"):
        cast.alice.refused("GET", f"/api/games/{game_id}{path}", "not-signed-in")
    for path in ("/api/games", "/api/me/turns", "/api/me/tokens", "/api/games?mine=true"):
        cast.alice.refused("GET", path, "not-signed-in")
    cast.alice.refused("DELETE", "/api/sign-ins/current", "not-signed-in")
    answer = cast.alice.send("GET", "/api/me")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@sqlite_only
def test_an_unknown_cookie_is_ignored(app, cast):
    game_id = cast.open()
    cast.nobody.http.set_cookie("tegami", "unknown")
    assert cast.nobody.game(game_id)["tenure"] is None
    cast.nobody.refused("GET", "/api/me", "not-signed-in")


def test_no_secret_is_stored(app, cast):
    """Only hashes are stored: somebody who reads the database cannot sign in."""
    secrets = [person.key for person in cast.seated]
    secrets += [cast.alice.http.get_cookie("tegami").value, cast.bob.headers["Authorization"][7:]]
    stored = dump(app)
    assert "credentials" in stored
    for secret in secrets:
        assert secret not in str(stored)
