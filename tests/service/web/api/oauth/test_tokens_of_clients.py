"""What a client does by itself: it exchanges a code for a token, once and only its own, and ends the token."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from authlib.oauth2 import rfc8414, rfc9207

from service.core.runtime.units import DAY, SECOND
from service.operations.worker.daily_purge import purge
from service.people.credentials.authorization_codes import KEPT, TOKEN_WORKS_FOR, WORKS_FOR
from service.people.credentials.credentials import SCOPES
from tests.support.cast import START, sqlite_only
from tests.support.dump import dump
from tests.support.oauth_client import (
    ELSEWHERE,
    SITE,
    VERIFIER,
    OauthClient,
    agreed,
    exchanged,
    form_token_in,
    program_of,
)
from tests.support.receiving import made

CLIENT = OauthClient()
TOKENS = "/api/me/tokens"


def error(answer):
    """The error of OAuth."""
    assert (answer.status_code, answer.mimetype) == (400, "application/json"), answer.data
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["error"]


def ended(app, secret, client_id=CLIENT.client_id):
    """The answer to a client that ends a token."""
    form = {"token": secret, "client_id": client_id}
    return app.test_client().post("/oauth/revoke", data=form, headers=ELSEWHERE)


def secret_of(program):
    return program.headers["Authorization"].removeprefix("Bearer ")


@pytest.mark.both_databases
def test_a_code_becomes_a_token_that_does_what_was_allowed(app, cast):
    answer = exchanged(app, CLIENT, agreed(cast.alice, CLIENT, scope="talk read"))
    given = answer.json
    assert (given["token_type"], given["scope"]) == ("Bearer", "read talk")
    assert given["expires_in"] == TOKEN_WORKS_FOR // SECOND
    assert answer.headers["Cache-Control"] == "no-store"
    (token,) = cast.alice.get(TOKENS)["tokens"]
    assert (token["client"], token["label"]) == ("https://client.example", "https://client.example")
    assert (token["scopes"], token["expires_at"]) == (["read", "talk"], "2027-02-19T10:00:00.000Z")


@sqlite_only
def test_of_a_long_name_the_end_is_listed(app, cast):
    """Whose it is stands there; the whole stands in `client`."""
    site = f"https://{'tegami.' * 12}evil.example"
    program_of(app, cast.alice, OauthClient(f"{site}/cb"))
    (token,) = cast.alice.get(TOKENS)["tokens"]
    assert (token["client"], token["label"]) == (site, site[-60:])


@sqlite_only
def test_a_token_ends_by_itself(app, cast, clock):
    program = program_of(app, cast.alice, CLIENT)
    clock.forward(TOKEN_WORKS_FOR - SECOND)
    program.get("/api/me")
    clock.forward(SECOND)
    assert program.refused("GET", "/api/me", "not-signed-in")["why"] == "expired"


@pytest.mark.both_databases
def test_what_a_site_has_made_ends_when_its_token_expires(app, cast, clock):
    """With the next purge; what the player's own program has made stays."""
    program = program_of(app, cast.alice, CLIENT, scope="account read")
    own = cast.alice.post(TOKENS, {"label": "own", "scopes": ["account"], "expires_in_days": 90})
    mine = cast.nobody
    mine.headers["Authorization"] = f"Bearer {own['token']['secret']}"
    feeds = [
        person.post("/api/me/feeds", {"label": "x"})["feed"]["turns"].removeprefix(
            "http://localhost"
        )
        for person in (program, mine)
    ]
    hook = made(program)["id"]
    del mine.headers["Authorization"]
    clock.forward(TOKEN_WORKS_FOR)
    with app.app_context():
        assert purge(clock())["expired tokens"] == 1
        assert purge(clock())["expired tokens"] == 0
    assert [mine.send("GET", each).status_code for each in feeds] == [404, 200]
    (webhook,) = cast.alice.get("/api/me/webhooks")["webhooks"]
    assert (webhook["id"], webhook["off_why"]) == (hook, "token")
    assert program.refused("GET", "/api/me", "not-signed-in")["why"] == "expired"


@pytest.mark.both_databases
def test_a_code_is_exchanged_once_and_using_it_again_ends_everything(app, cast):
    """Also what the token has made."""
    code = agreed(cast.alice, CLIENT, scope="read account")
    program = cast.nobody
    program.headers["Authorization"] = f"Bearer {exchanged(app, CLIENT, code).json['access_token']}"
    more = program.post(TOKENS, {"label": "more", "scopes": ["read"]})["token"]
    program.get("/api/me")
    assert error(exchanged(app, CLIENT, code)) == "invalid_grant"
    assert program.refused("GET", "/api/me", "not-signed-in")["why"] == "revoked"
    program.headers["Authorization"] = f"Bearer {more['secret']}"
    program.refused("GET", "/api/me", "not-signed-in")
    assert cast.alice.get(TOKENS)["tokens"] == []
    assert error(exchanged(app, CLIENT, code)) == "invalid_grant"


OTHERS = {
    "another client": {"client_id": "other.example"},
    "another address": {"redirect_uri": "https://client.example/other"},
    "the address in another form": {"redirect_uri": f"{SITE}/"},
    "another verifier": {"code_verifier": "x" * 43},
    "the challenge as the verifier": {"code_verifier": CLIENT.request()["code_challenge"]},
    "an invented code": {"code": "x" * 43},
}


@sqlite_only
@pytest.mark.parametrize("changed", OTHERS.values(), ids=OTHERS)
def test_a_code_is_for_those_who_asked_for_it(app, cast, changed):
    """A stolen code is worth nothing, and stays good for its client."""
    code = agreed(cast.alice, CLIENT)
    assert error(exchanged(app, CLIENT, code, **changed)) == "invalid_grant"
    assert cast.alice.get(TOKENS)["tokens"] == []
    assert exchanged(app, CLIENT, code).status_code == 200


@sqlite_only
def test_whoever_only_finds_a_used_code_ends_nothing(app, cast):
    """It may stay in the history of a browser."""
    code = agreed(cast.alice, CLIENT)
    assert exchanged(app, CLIENT, code).status_code == 200
    assert error(exchanged(app, CLIENT, code, code_verifier="x" * 43)) == "invalid_grant"
    assert len(cast.alice.get(TOKENS)["tokens"]) == 1


@sqlite_only
def test_using_a_code_again_ends_its_token_even_after_signing_out(app, cast):
    code = agreed(cast.alice, CLIENT)
    secret = exchanged(app, CLIENT, code).json["access_token"]
    cast.alice.delete("/api/me/sign-ins")
    assert error(exchanged(app, CLIENT, code)) == "invalid_grant"
    headers = {"Authorization": f"Bearer {secret}"}
    assert app.test_client().get("/api/me", headers=headers).json["why"] == "revoked"


@sqlite_only
def test_a_code_of_one_player_does_not_sign_another_in(app, cast):
    """Whoever slips their own code into another's browser fails at its verifier."""
    attacker = OauthClient()
    attacker.verifier = "of the attacker".replace(" ", "-") + "x" * 43
    injected = agreed(cast.carol, attacker)
    assert error(exchanged(app, CLIENT, injected)) == "invalid_grant"


@sqlite_only
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"grant_type": ""}, "unsupported_grant_type"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"client_id": ""}, "invalid_client"),
        ({"client_secret": "x"}, "invalid_client"),
        ({"code": ""}, "invalid_request"),
        ({"code": "é"}, "invalid_request"),
        ({"code_verifier": ""}, "invalid_request"),
        ({"code_verifier": "x" * 42}, "invalid_request"),
        ({"code_verifier": f"{VERIFIER}\n"}, "invalid_request"),
        ({"redirect_uri": ""}, "invalid_grant"),
    ],
)
def test_what_a_client_sends_wrongly_is_told_in_oauths_words(app, cast, changed, why):
    code = agreed(cast.alice, CLIENT)
    assert error(exchanged(app, CLIENT, code, **changed)) == why
    assert exchanged(app, CLIENT, code).status_code == 200


@sqlite_only
def test_bodies_that_cannot_be_read_are_refused(app, cast):
    http, form = app.test_client(), CLIENT.exchange(agreed(cast.alice, CLIENT))
    kind = {"content_type": "application/x-www-form-urlencoded"}
    twice = f"{urlencode(form)}&code=x"
    for body in (twice, "%ff=%ff&" + urlencode({**form, "code": "a\0b"}), "&".join(["a=b"] * 40)):
        assert error(http.post("/oauth/token", data=body, **kind)) == "invalid_request"
    assert http.post("/oauth/token", json=form).status_code == 415
    in_query = http.post(f"/oauth/token?{urlencode(form)}", data="", **kind)
    assert error(in_query) == "unsupported_grant_type", "secrets do not belong into addresses"
    assert http.get(f"/oauth/token?{urlencode(form)}").status_code == 405
    unknown = http.post("/oauth/token", data={**form, "resource": "https://tegami.example"})
    assert unknown.status_code == 200


@sqlite_only
def test_a_code_ends_soon_and_with_the_sign_in(app, cast, clock):
    late, in_time = agreed(cast.alice, CLIENT), agreed(cast.alice, CLIENT)
    clock.forward(WORKS_FOR - 1)
    assert exchanged(app, CLIENT, in_time).status_code == 200
    clock.forward(1)
    assert error(exchanged(app, CLIENT, late)) == "invalid_grant"
    signed_out = agreed(cast.alice, CLIENT)
    cast.alice.delete("/api/me/sign-ins")
    assert error(exchanged(app, CLIENT, signed_out)) == "invalid_grant"


@sqlite_only
def test_a_code_does_not_outlive_a_change_of_how_to_sign_in(app, cast):
    """Somebody who had the key for a moment cannot return with a code that was issued in that moment."""
    other = cast.alice.signed_in()
    thief = type(cast.alice)(app).be(other)
    thief.post("/api/sign-ins", {"key": cast.alice.key})
    code = agreed(thief, CLIENT)
    wish = {"handle": "alice", "address": "alice@example.org"}
    cast.alice.post("/api/me/registration", wish)
    assert error(exchanged(app, CLIENT, code)) == "invalid_grant"


@pytest.mark.both_databases
def test_codes_are_erased_with_their_player_and_purged_with_time(app, cast):
    code = agreed(cast.alice, CLIENT)
    agreed(cast.carol, CLIENT)
    cast.alice.post("/api/me/erasure", {}, 204)
    assert error(exchanged(app, CLIENT, code)) == "invalid_grant"
    assert len(dump(app)["authorization_codes"]) == 1
    with app.app_context():
        assert purge(START + WORKS_FOR + KEPT - 1)["authorization codes"] == 0
        assert purge(START + WORKS_FOR + KEPT)["authorization codes"] == 1
    assert KEPT == DAY


@sqlite_only
def test_only_digests_are_stored(app, cast):
    code = agreed(cast.alice, CLIENT)
    stored = str(dump(app))
    secret = exchanged(app, CLIENT, code).json["access_token"]
    assert code not in stored and code not in str(dump(app)) and secret not in str(dump(app))


@pytest.mark.both_databases
def test_a_client_ends_its_token(app, cast):
    """With everything that was made with it; ending it again is no error."""
    program = program_of(app, cast.alice, CLIENT, scope="account read")
    program.post(TOKENS, {"label": "more", "scopes": ["read"]})
    answer = ended(app, secret_of(program))
    assert (answer.status_code, answer.data) == (200, b"")
    program.refused("GET", "/api/me", "not-signed-in")
    assert cast.alice.get(TOKENS)["tokens"] == []
    assert ended(app, secret_of(program)).status_code == 200
    assert ended(app, "tgm_unknown").status_code == 200


@sqlite_only
def test_only_the_client_that_got_a_token_ends_it_there(app, cast):
    program = program_of(app, cast.alice, CLIENT)
    assert error(ended(app, secret_of(program), "other.example")) == "invalid_grant"
    assert error(ended(app, secret_of(program), "")) == "invalid_client"
    assert error(ended(app, secret_of(cast.bob))) == "invalid_grant"
    assert error(ended(app, "")) == "invalid_request"
    program.get("/api/me")
    cast.bob.get("/api/me")


@sqlite_only
def test_the_player_ends_it_in_the_settings(app, cast):
    program = program_of(app, cast.alice, CLIENT)
    (token,) = cast.alice.get(TOKENS)["tokens"]
    cast.alice.delete(f"{TOKENS}/{token['id']}")
    program.refused("GET", "/api/me", "not-signed-in")


@sqlite_only
def test_the_export_tells_who_got_a_token(app, cast):
    program_of(app, cast.alice, CLIENT)
    (token,) = cast.alice.get("/api/me/export")["tokens"]
    assert token["client"] == "https://client.example"


@sqlite_only
def test_pages_of_other_sites_exchange_and_read(app, cast):
    """Nor does a cookie count that comes along."""
    code = agreed(cast.alice, CLIENT)
    answer = cast.alice.http.post("/oauth/token", data=CLIENT.exchange(code), headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Set-Cookie" not in answer.headers
    http = app.test_client()
    asking = {**ELSEWHERE, "Access-Control-Request-Method": "POST"}
    asking["Access-Control-Request-Headers"] = "content-type"
    for path in ("/oauth/token", "/oauth/revoke"):
        assert http.options(path, headers=asking).headers["Access-Control-Allow-Origin"] == "*"
        refused = http.post(path, data={"a": "b"}, headers=ELSEWHERE)
        assert refused.headers["Access-Control-Allow-Origin"] == "*"
    asking["Access-Control-Request-Method"] = "GET"
    told = http.get("/.well-known/oauth-authorization-server", headers=ELSEWHERE)
    assert told.headers["Access-Control-Allow-Origin"] == "*"
    page = cast.alice.send("GET", CLIENT.address(), headers={"Origin": ELSEWHERE["Origin"]})
    assert "Access-Control-Allow-Origin" not in page.headers


@sqlite_only
def test_the_server_tells_what_it_can_do(app):
    told = app.test_client().get("/.well-known/oauth-authorization-server").json
    told |= {"issuer": told["issuer"].replace("http:", "https:")}
    secured = {
        name: value.replace("http://", "https://") if isinstance(value, str) else value
        for name, value in told.items()
    }
    metadata = rfc8414.AuthorizationServerMetadata(secured)
    metadata.validate(metadata_classes=[rfc9207.AuthorizationServerMetadata])
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["scopes_supported"] == list(SCOPES)
    addresses = {
        name.removesuffix("_endpoint"): value.removeprefix("http://localhost")
        for name, value in told.items()
        if name.endswith("_endpoint")
    }
    assert addresses == {
        "authorization": "/oauth/authorize",
        "token": "/oauth/token",
        "revocation": "/oauth/revoke",
    }


@sqlite_only
def test_no_secret_of_a_client_is_in_logs(app, cast, capsys):
    code = agreed(cast.alice, CLIENT)
    secret = exchanged(app, CLIENT, code).json["access_token"]
    exchanged(app, CLIENT, code)
    ended(app, secret)
    said = "".join(capsys.readouterr())
    assert (
        '"what": "POST /oauth/token"' in said and "invalid_grant" in said and cast.alice.id in said
    )
    for each in (code, secret, VERIFIER, "client.example"):
        assert each not in said


@sqlite_only
@pytest.mark.parametrize("by", ["the site", "its player", "its player without scripts"])
def test_the_audit_log_says_whose_token_is_revoked(app, cast, capsys, by):
    program = program_of(app, cast.alice, CLIENT)
    (token,) = cast.alice.get(TOKENS)["tokens"]
    form = form_token_in(cast.alice.get("/plain/tokens").decode())
    capsys.readouterr()
    if by == "the site":
        assert error(ended(app, secret_of(program), "other.example")) == "invalid_grant"
        ended(app, secret_of(program))
    elif by == "its player":
        cast.alice.delete(f"{TOKENS}/{token['id']}")
    else:
        cast.alice.send("POST", "/plain/tokens", data={"form": form, "revoke": token["id"]})
    lines = [json.loads(each) for each in capsys.readouterr().err.splitlines()]
    found = [(each["outcome"], each["who"]) for each in lines if each["event"] == "audit"]
    refused = [("invalid_grant", cast.alice.id)] if by == "the site" else []
    assert found == [*refused, ("done", cast.alice.id)]
