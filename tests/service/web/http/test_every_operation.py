"""What openapi.yaml says about every operation of the API: wrong tokens and unknown queries are refused."""

from __future__ import annotations

import pytest

from service.core.runtime.units import HOUR
from tests.support.cast import sqlite_only
from tests.support.every_operation import API, path_of
from tests.support.in_one_go import in_one_go

every_operation = in_one_go("operation", API, ids=lambda each: each.name)

pytestmark = sqlite_only


@pytest.mark.usefixtures("unchanged")
@every_operation
def test_a_wrong_token_is_refused(cast, game_id, operation):
    for digits, token in ((22, "tgm_" + "x" * 43), (16, ""), (32, "x")):  # as ids are described
        path, headers = path_of(operation, game_id, digits), {"Authorization": f"Bearer {token}"}
        cast.nobody.refused(operation.method.upper(), path, "not-signed-in", headers=headers)


@pytest.mark.usefixtures("unchanged")
def test_a_wrong_token_is_refused_also_where_nothing_is(cast, game_id):
    headers = {"Authorization": "Bearer tgm_x"}
    for method, path in (
        ("GET", "/api/games/7"),
        ("DELETE", f"/api/games/{game_id}/seats/x"),
        ("GET", "/api/nothing"),
    ):
        cast.nobody.refused(method, path, "not-signed-in", headers=headers)
    cast.nobody.refused("POST", "/api/paces", "method-not-allowed", headers=headers)


def test_what_is_no_bearer_token_is_refused_unless_it_is_for_a_proxy(cast, game_id):
    secret = cast.alice.post("/api/me/tokens", {"label": "x"})["token"]["secret"]
    for value in (secret, f"Token {secret}", f"Bearer: {secret}", "Bearer"):
        for path in ("/api/rulesets", f"/api/games/{game_id}", "/api/words/en"):
            cast.nobody.refused("GET", path, "not-signed-in", headers={"Authorization": value})
    for value in ("Basic YTpi", 'Digest username="a"', "Negotiate YQ==", ""):
        headers = {"Authorization": value}
        assert cast.alice.send("GET", "/api/me", headers=headers).status_code == 200


def test_a_token_that_has_ended_is_refused_where_none_is_needed(cast):
    made = cast.alice.post("/api/me/tokens", {"label": "x"})["token"]
    headers = {"Authorization": f"Bearer {made['secret']}"}
    assert cast.nobody.send("GET", "/api/rulesets", headers=headers).status_code == 200
    cast.alice.delete(f"/api/me/tokens/{made['id']}")
    cast.nobody.refused("GET", "/api/rulesets", "not-signed-in", headers=headers)


def test_a_refusal_says_what_is_wrong_with_a_token(cast, clock):
    """RFC 6750, 3: without a token the caller is told how to sign in; only the holder of a whole token learns of its
    end.
    """
    made = cast.alice.post("/api/me/tokens", {"label": "x"})["token"]
    short = cast.alice.post("/api/me/tokens", {"label": "y", "expires_in_days": 1})["token"]
    cast.alice.delete(f"/api/me/tokens/{made['id']}")
    clock.at += 25 * HOUR
    for sent, why in (
        (None, "missing"),
        ("Basic YTpi", "missing"),
        (made["secret"], "malformed"),
        ("Bearer x", "malformed"),
        ("Bearer tgm_" + "x" * 43, "unknown"),
        (f"Bearer {made['secret'][:-1]}", "unknown"),
        (f"Bearer {made['secret']}", "revoked"),
        (f"Bearer {short['secret']}", "expired"),
    ):
        headers = {} if sent is None else {"Authorization": sent}
        answer = cast.nobody.send("GET", "/api/me", headers=headers)
        told = answer.json
        assert (told["type"], told["why"]) == ("/problems/not-signed-in", why)
        challenge = answer.headers["WWW-Authenticate"]
        assert challenge.startswith('Bearer realm="Tegami"')
        assert ('error="invalid_token"' in challenge) == (why != "missing")
        assert ("error" in challenge) == (why != "missing")


def test_a_token_without_the_scope_is_told_which_it_needs(cast):
    secret = cast.alice.post("/api/me/tokens", {"label": "x", "scopes": ["read"]})["token"][
        "secret"
    ]
    headers = {"Authorization": f"Bearer {secret}"}
    answer = cast.nobody.send("POST", "/api/games", headers=headers, json={"ruleset": "caravan"})
    assert (answer.status_code, answer.json["scope"]) == (403, "play")
    expected = 'Bearer realm="Tegami", error="insufficient_scope", scope="play"'
    assert answer.headers["WWW-Authenticate"] == expected


@pytest.mark.usefixtures("unchanged")
@every_operation
def test_unknown_and_repeated_parameters_are_refused(cast, game_id, operation):
    path, method = path_of(operation, game_id), operation.method.upper()
    for query, name in (("utm=1", "utm"), ("=1", ""), ("limit=5&limit=5", "limit")):
        body = {"json": {}} if "requestBody" in operation.spec else {}
        problem = cast.alice.refused(method, f"{path}?{query}", "invalid-query", **body)
        assert name in problem["errors"]


def test_a_poll_with_a_parameter_is_refused_too(cast, game_id):
    path = f"/api/games/{game_id}"
    tag = cast.alice.send("GET", path).headers["ETag"]
    brought = {"If-None-Match": tag}
    assert cast.alice.send("GET", path, headers=brought).status_code == 304
    cast.alice.refused("GET", f"{path}?utm=1", "invalid-query", headers=brought)
