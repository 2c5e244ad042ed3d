"""Tokens: what each may do, until when, and what it can pass on."""

from __future__ import annotations

import re

import pytest

from service.core.runtime.units import DAY
from service.people.credentials.credentials import SCOPES
from tests.contract import operations
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.every_operation import made_up, path_of


def needed(operation):
    """The scopes that the operation names: one, or none."""
    kinds = [key for each in operation.spec["security"] for key in each]
    return [kind for kind in kinds if kind != "cookie"]


NAMED = [each for each in operations() if needed(each)]
BROWSER_ONLY = [each for each in operations() if each.spec["security"] == [{"cookie": []}]]
PUBLIC = [each for each in operations() if each.spec["security"] == []]


def program(person, *scopes, **more):
    """A program with a token of this person, who has a cookie."""
    wish = {"label": "robot", "scopes": list(scopes), **more}
    return with_token(person.http.application, person.post("/api/me/tokens", wish)["token"])


def with_token(app, token):
    made = Person(app)
    made.headers["Authorization"] = f"Bearer {token['secret']}"
    return made


def call(person, operation):
    """The answer to a request of this operation, which need not be about anything that exists."""
    path = path_of(operation, made_up("game_id"))
    body = {"json": {}} if "requestBody" in operation.spec else {}
    return person.send(operation.method.upper(), path, **body)


def slug(answer):
    """The type of the problem, if the response is one."""
    problem = answer.mimetype == "application/problem+json"
    return answer.json["type"].rpartition("/")[2] if problem else None


def test_every_operation_says_who_may_use_it():
    for operation in operations():
        kinds = [key for each in operation.spec["security"] for key in each]
        assert kinds in ([], ["cookie"], *(["cookie", scope] for scope in SCOPES)), operation.name
        assert all(not any(each.values()) for each in operation.spec["security"]), operation.name
    assert len(NAMED) > 40 and len(BROWSER_ONLY) > 5


def test_what_needs_a_browser_is_what_the_introduction_lists():
    browser = {each.name for each in BROWSER_ONLY if each.path.startswith("/api/")}
    registering = {"registerMe", "verifyAddress", "adoptProvenAddress", "forgetProvenAddress"}
    changing = {"changePassword", "changeAddress", "makeLink"}
    assert browser == registering | changing | {
        "endSignIns",
        "endSignIn",
        "eraseMe",
        "subscribeBrowser",
    }


def test_each_scope_is_for_what_the_introduction_lists():
    """The scopes follow from the last part of the addresses and, for `read`, which changes nothing, from the method."""
    last = {
        scope: {
            re.sub(r"/\{\w+\}$", "", each.path).rpartition("/")[2]
            for each in NAMED
            if needed(each) == [scope]
        }
        for scope in SCOPES
    }
    account = "settings vacations blocks tokens feeds webhooks export sign-ins push".split()
    circles = {"follows", "followers", "circles", "link", "host", "members", "removals"}
    circles |= {"series", "entry"}
    delivered = {"secret", "ping", "deliveries", "redelivery"}
    assert last["account"] == {"me", *account} | circles | delivered
    assert last["talk"] == {"messages", "mark", "marks", "reports", "mutes"}
    sitting = {"games", "seats", "start", "nonce", "rematch", "return", "resignation"}
    inviting, voting = {"invitations", "invitation-key", "nudge"}, {"proposals", "votes"}
    choosing, learning = (
        {"actions", "preview", "why-not", "take-back"},
        {"lessons", "lesson", "answers"},
    )
    other = {"notes", "orders", "live-wishes", "ready", "tries", "analysis", "weeklies"}
    assert last["play"] == sitting | inviting | choosing | voting | learning | other
    changing = {each.name for each in NAMED if needed(each) == ["read"] and each.method != "get"}
    assert changing == {"previewSignIn", "signOut"}, "these two say who one is, and leave"


@sqlite_only
def test_a_token_may_do_exactly_what_its_scopes_say(cast):
    """Each operation is tried with every single scope, and with all the others."""
    alone = {scope: program(cast.alice, scope) for scope in SCOPES}
    rest = {
        scope: program(cast.alice, *(other for other in SCOPES if other != scope))
        for scope in SCOPES
    }
    for operation in NAMED:
        (one,) = needed(operation)
        for scope in SCOPES:
            if scope != one:
                assert slug(call(alone[scope], operation)) == "missing-scope", operation.name
        refused = call(rest[one], operation)
        assert (slug(refused), refused.json["scope"]) == ("missing-scope", one), operation.name
        assert slug(call(alone[one], operation)) != "missing-scope", operation.name


@sqlite_only
def test_no_scope_opens_what_needs_a_browser_or_closes_what_is_public(cast):
    everything = program(cast.alice, *SCOPES)
    for operation in BROWSER_ONLY:
        assert slug(call(everything, operation)) == "cookie-only", operation.name
    talking = program(cast.alice, "talk")
    for operation in PUBLIC:
        assert slug(call(talking, operation)) != "missing-scope", operation.name


def test_without_a_wish_a_token_reads_and_plays(cast):
    made = cast.alice.post("/api/me/tokens", {"label": "robot"})["token"]
    assert made["scopes"] == ["read", "play"]
    assert (made["expires_at"], made["used_at"]) == (None, None)
    robot = with_token(cast.app, made)
    game = robot.post(
        "/api/games", {"ruleset": CARAVAN, "house": 1, "start": "full", "nonce": None}
    )
    robot.answer(game)
    robot.refused("GET", "/api/me/export", "missing-scope")
    robot.refused("POST", "/api/me/tokens", "missing-scope", {"label": "more"})
    robot.refused("PATCH", "/api/me", "missing-scope", {"name": "Robot"})
    says = {"channel": "seats", "text": "beep"}
    robot.refused("POST", f"/api/games/{game['id']}/messages", "missing-scope", says)


@sqlite_only
def test_the_first_token_of_a_program_may_do_what_it_asks_for_too(app):
    body = {"name": "Bot", "token": "my bot", "scopes": ["talk"], "expires_in_days": 7}
    token = Person(app).post("/api/players", body)["token"]
    assert token["scopes"] == ["read", "play", "talk"]
    assert token["expires_at"] == "2026-11-28T10:00:00.000Z"
    plain = Person(app).post("/api/players", {"name": "Bot", "token": "my bot"})["token"]
    assert plain["scopes"] == ["read", "play"]


@sqlite_only
@pytest.mark.usefixtures("unchanged")
def test_bad_wishes_are_refused(cast):
    for wish in (
        {"scopes": []},
        {"scopes": ["read", "read"]},
        {"scopes": ["admin"]},
        {"scopes": "read"},
        {"expires_in_days": 0},
        {"expires_in_days": 3651},
        {"expires_in_days": "7"},
    ):
        for path, body in (
            ("/api/me/tokens", {"label": "robot"}),
            ("/api/players", {"name": "Bot", "token": "bot"}),
        ):
            cast.alice.refused("POST", path, "invalid-body", body | wish)
    cast.nobody.refused("POST", "/api/players", "invalid-body", {"name": "Bo", "scopes": ["read"]})


@pytest.mark.both_databases
def test_an_expired_token_is_unknown(cast, clock):
    robot = program(cast.alice, *SCOPES, expires_in_days=1)
    game = cast.start()
    clock.forward(DAY - 1)
    robot.send("GET", "/api/me")
    answer = robot.send("GET", f"/api/games/{game}")  # how quiet it is now is in its tag
    poll = {"If-None-Match": answer.headers["ETag"]}
    assert robot.send("GET", f"/api/games/{game}", headers=poll).status_code == 304
    clock.forward(1)
    robot.refused("GET", "/api/me", "not-signed-in")
    robot.refused("GET", f"/api/games/{game}", "not-signed-in", headers=poll)
    assert cast.alice.get("/api/me/tokens")["tokens"] == []
    assert cast.alice.get("/api/me/export")["tokens"] == []


def test_an_idle_poll_needs_the_scope_too(cast):
    game = cast.start()
    tag = program(cast.alice, "read").send("GET", f"/api/games/{game}").headers["ETag"]
    talking = program(cast.alice, "talk")
    path = f"/api/games/{game}"
    talking.refused("GET", path, "missing-scope", headers={"If-None-Match": tag})


@sqlite_only
def test_a_token_passes_on_no_more_than_it_has(cast):
    keeper = program(cast.alice, "read", "account", expires_in_days=3)
    wish = {"label": "more", "scopes": ["read", "play"]}
    told = keeper.refused("POST", "/api/me/tokens", "missing-scope", wish)
    assert told["scope"] == "play"
    keeper.refused("POST", "/api/me/tokens", "missing-scope", {"label": "default"})
    for days in ({}, {"expires_in_days": 30}):
        made = keeper.post("/api/me/tokens", {"label": "more", "scopes": ["read"], **days})["token"]
        assert made["expires_at"] == "2026-11-24T10:00:00.000Z"
    wish = {"label": "less", "scopes": ["read"], "expires_in_days": 1}
    assert keeper.post("/api/me/tokens", wish)["token"]["expires_at"] == "2026-11-22T10:00:00.000Z"


@pytest.mark.both_databases
def test_the_last_use_is_shown(cast, clock):
    robot = program(cast.alice, "read")
    clock.forward(90_000)
    assert cast.alice.get("/api/me/tokens")["tokens"][0]["used_at"] is None
    robot.get("/api/me")
    (token,) = cast.alice.get("/api/me/tokens")["tokens"]
    assert token["used_at"] == "2026-11-21T10:01:30.000Z"
    assert token["created_at"] == "2026-11-21T10:00:00.000Z"
    (exported,) = cast.alice.get("/api/me/export")["tokens"]
    assert exported["scopes"] == ["read"]
