"""Registering, a new password and a new address end all other credentials; the owner is told by mail."""

from __future__ import annotations

import pytest

from tests.support.accounts import OTHER, PASSWORD, Bag, key_in, register, sign_in, text_of
from tests.support.cast import Person

ADDRESS, NEW = "alice@example.org", "alice@mail.example"


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.fixture
def alice(cast, bag):
    """alice, registered."""
    register(bag, cast.alice, "alice")
    return cast.alice


class WaysIn:
    """Another browser, the secret link and a token of somebody."""

    def __init__(self, app, owner):
        self._app, self.key = app, owner.post("/api/me/link")["link"]["key"]
        self._phone, self._program = Person(app), Person(app)
        self._phone.post("/api/sign-ins", {"key": self.key})
        token = owner.post("/api/me/tokens", {"label": "robot"})["token"]["secret"]
        self._program.headers["Authorization"] = f"Bearer {token}"
        for each in (self._phone, self._program):
            each.get("/api/me")

    def have_ended(self):
        """Whether none of them works."""
        statuses = [
            each.send("GET", "/api/me").status_code for each in (self._phone, self._program)
        ]
        back = Person(self._app).send("POST", "/api/sign-ins", json={"key": self.key})
        return [*statuses, back.status_code] == [401] * 3


def only(mails, start):
    """The one mail; its subject begins with this."""
    (mail,) = mails
    assert mail["Subject"].startswith(start)
    return mail


def test_registering_ends_everything_else(app, cast, bag):
    ways = WaysIn(app, cast.alice)
    game_id = cast.start()
    register(bag, cast.alice, "alice", verified=False)
    assert ways.have_ended()
    assert cast.alice.game(game_id)["seat"] == 0
    assert "@alice" in text_of(only(bag.fetch(), "Confirm"))


def test_a_new_password_ends_everything_else_and_the_owner_is_told(app, alice, bag):
    ways = WaysIn(app, alice)
    body = {"password": OTHER, "current_password": PASSWORD}
    assert alice.send("PUT", "/api/me/password", json=body).status_code == 204
    assert ways.have_ended()
    alice.get("/api/me")
    mail = only(bag.fetch(), "Your Tegami password")
    assert mail["To"] == ADDRESS
    assert "@alice" in text_of(mail)
    sign_in(app, "alice", OTHER)


@pytest.mark.both_databases
def test_a_reset_ends_everything_else_and_the_owner_is_told(app, alice, bag):
    ways = WaysIn(app, alice)
    alice.post("/api/links", {"kind": "reset", "who": "alice"}, 202)
    back = Person(app)
    back.post("/api/password-resets", {"key": bag.key("reset"), "password": OTHER})
    assert ways.have_ended()
    alice.refused("GET", "/api/me", "not-signed-in")
    back.get("/api/me")
    assert only(bag.fetch(), "Your Tegami password")["To"] == ADDRESS


def test_a_new_address_ends_everything_else_and_the_old_address_is_told(app, alice, bag):
    ways = WaysIn(app, alice)
    change = {"address": NEW, "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=change)
    assert not ways.have_ended(), "nothing has changed yet"
    alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert ways.have_ended()
    alice.get("/api/me")
    mail = only(bag.fetch(), "The email address")
    assert mail["To"] == ADDRESS
    assert NEW not in text_of(mail)


def test_verifying_the_first_or_the_same_address_again_ends_nothing(app, cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    ways = WaysIn(app, cast.alice)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    change = {"address": ADDRESS.upper(), "current_password": PASSWORD}
    cast.alice.send("PUT", "/api/me/address", json=change)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert not ways.have_ended()


def test_what_is_refused_ends_nothing(app, alice):
    ways = WaysIn(app, alice)
    wish = {"handle": "alice", "address": ADDRESS}
    alice.refused("POST", "/api/me/registration", "already-registered", wish)
    wrong = {"password": OTHER, "current_password": "wrong"}
    alice.refused("PUT", "/api/me/password", "wrong-password", wrong)
    assert not ways.have_ended()


def test_the_credentials_of_others_stay(app, cast, alice):
    ways = WaysIn(app, cast.carol)
    body = {"password": OTHER, "current_password": PASSWORD}
    alice.send("PUT", "/api/me/password", json=body)
    assert not ways.have_ended()


@pytest.mark.parametrize("how", ["change", "reset"])
def test_a_new_password_forgets_an_address_that_was_to_come(app, alice, bag, how):
    """Somebody who was in the account for a moment cannot take it over later with an earlier key."""
    change = {"address": NEW, "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=change)
    key = bag.key("verify")
    if how == "change":
        body = {"password": OTHER, "current_password": PASSWORD}
        alice.send("PUT", "/api/me/password", json=body)
    else:
        alice.post("/api/links", {"kind": "reset", "who": "alice"}, 202)
        reset = key_in(bag.fetch()[-1], "reset")
        alice.post("/api/password-resets", {"key": reset, "password": OTHER})
    alice.refused("POST", "/api/verifications", "wrong-key", {"key": key})
    told = alice.get("/api/me")["player"]
    assert (told["address"], told["unverified_address"]) == (ADDRESS, None)


def test_a_new_password_keeps_the_first_address_that_is_not_verified_yet(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    body = {"password": OTHER, "current_password": PASSWORD}
    cast.alice.send("PUT", "/api/me/password", json=body)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert cast.alice.get("/api/me")["player"]["address"] == ADDRESS
