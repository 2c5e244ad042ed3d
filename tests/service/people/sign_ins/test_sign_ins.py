"""Signing in by password or by mailed key; listing and ending sign-ins."""

from __future__ import annotations

import pytest

from service.core.database.database import db, transaction
from service.core.runtime.units import HOUR
from service.people import players
from service.people.accounts import accounts, preferences
from service.people.credentials import credentials
from service.people.credentials.passwords import Passwords
from service.people.sign_ins import sign_ins
from tests.support.accounts import (
    OTHER,
    PASSWORD,
    Bag,
    Counting,
    app_with_passwords,
    key_in,
    register,
    sign_in,
)
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.servers.databases import disconnect

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.fixture
def alice(cast, bag):
    """alice, registered."""
    register(bag, cast.alice, "alice")
    return cast.alice


def ask(person, kind, who):
    assert person.post("/api/links", {"kind": kind, "who": who}, 202) == {"waits_until": None}


def test_handle_or_verified_address_and_password_sign_in(app, alice):
    for who in ("alice", "Alice", "alice@example.org", "Alice@Example.org"):
        assert sign_in(app, who).get("/api/me")["player"]["id"] == alice.id
    for who, password in (("alice", OTHER), ("bob", PASSWORD), ("alice@example.com", PASSWORD)):
        wrong = {"who": who, "password": password}
        Person(app).refused("POST", "/api/sign-ins", "wrong-password", wrong)


@sqlite_only
def test_a_sign_in_uses_exactly_one_way(app):
    for body in (
        {},
        {"who": "alice"},
        {"password": PASSWORD},
        {"key": "x" * 43, "who": "alice"},
        {"key": "x" * 43, "mailed": "x" * 50},
        {"who": "alice", "password": PASSWORD, "mailed": "x" * 50},
    ):
        Person(app).refused("POST", "/api/sign-ins", "invalid-body", body)


@pytest.mark.both_databases
def test_a_mailed_link_signs_in_once(app, alice, bag):
    ask(Person(app), "sign-in", "alice")
    key = bag.key("sign-in")
    phone = Person(app)
    assert phone.post("/api/sign-ins", {"mailed": key})["player"]["id"] == alice.id
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})
    phone.get("/api/me")


def test_using_a_mailed_link_ends_all_of_them(app, alice, bag):
    for kind in ("sign-in", "reset"):
        ask(alice, kind, "alice@example.org")
    signing, resetting = bag.fetch()
    key = key_in(signing, "sign-in")
    other = key_in(resetting, "reset")
    Person(app).post("/api/sign-ins", {"mailed": key})
    body = {"key": other, "password": OTHER}
    Person(app).refused("POST", "/api/password-resets", "wrong-key", body)


@sqlite_only
def test_a_mailed_link_expires_after_an_hour(app, alice, bag, clock):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    clock.forward(HOUR + 1000)
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})


@sqlite_only
def test_a_mail_with_an_expired_link_is_not_sent(alice, bag, clock):
    ask(alice, "sign-in", "alice")
    clock.forward(HOUR)
    assert bag.fetch() == []


@sqlite_only
def test_a_mailed_link_has_one_purpose(app, alice, bag):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    body = {"key": key, "password": OTHER}
    Person(app).refused("POST", "/api/password-resets", "wrong-key", body)
    alice.refused("POST", "/api/verifications", "wrong-key", {"key": key})
    Person(app).post("/api/sign-ins", {"mailed": key})


def test_a_change_of_address_ends_mailed_links(app, alice, bag):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    change = {"address": "alice@mail.example", "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=change)
    alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})


def test_a_reset_signs_in_and_ends_everything_else(app, alice, bag):
    phone = sign_in(app, "alice")
    ask(Person(app), "reset", "alice@example.org")
    key = bag.key("reset")
    back = Person(app)
    body = {"key": key, "password": OTHER}
    assert back.post("/api/password-resets", body)["player"]["id"] == alice.id
    for person in (phone, alice):
        person.refused("GET", "/api/me", "not-signed-in")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"key": alice.key})
    Person(app).refused("POST", "/api/password-resets", "wrong-key", body)
    sign_in(app, "alice", OTHER)


@pytest.mark.both_databases
def test_of_two_simultaneous_uses_of_a_link_one_succeeds(app, alice, bag):
    """The row decides when it is updated, not when it was read."""
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    execute(app, "UPDATE accounts SET generation = generation + 1")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})


# The list


@pytest.mark.both_databases
def test_sign_ins_are_listed_and_ended_one_by_one(app, alice, clock):
    clock.forward(HOUR)
    phone = Person(app)
    phone.post(
        "/api/sign-ins", {"who": "alice", "password": PASSWORD}, headers={"User-Agent": FIREFOX}
    )
    first, second = phone.get("/api/me/sign-ins")["sign_ins"]
    assert (first["current"], second["current"]) == (False, True)
    assert (first["browser"], second["browser"]) == (None, "Firefox · Linux")
    assert second["created_at"] == "2026-11-21T11:00:00.000Z"
    assert first["seen_at"] == "2026-11-21T10:00:00.000Z"
    alice.delete(f"/api/me/sign-ins/{second['id']}")
    phone.refused("GET", "/api/me", "not-signed-in")
    (left,) = alice.get("/api/me/sign-ins")["sign_ins"]
    assert left["id"] == first["id"]


@pytest.mark.both_databases
def test_uses_are_recorded_to_the_minute(alice, clock):
    clock.forward(59_000)
    alice.get("/api/me")
    assert alice.get("/api/me/sign-ins")["sign_ins"][0]["seen_at"] == "2026-11-21T10:00:00.000Z"
    clock.forward(1_000)
    alice.get("/api/me")
    assert alice.get("/api/me/sign-ins")["sign_ins"][0]["seen_at"] == "2026-11-21T10:01:00.000Z"


def test_an_idle_poll_is_recorded_as_a_use(app, cast, clock):
    game_id = cast.start()
    tag = cast.carol.send("GET", f"/api/games/{game_id}").headers["ETag"]
    clock.forward(60_000)
    poll = {"If-None-Match": tag}
    for _ in range(2):
        answer = cast.carol.send("GET", f"/api/games/{game_id}", headers=poll)
        assert answer.status_code == 304
    (seen,) = cast.carol.get("/api/me/sign-ins")["sign_ins"]
    assert seen["seen_at"] == "2026-11-21T10:01:00.000Z"


def test_signing_out_everywhere_ends_all_but_tokens(app, alice):
    token = alice.post("/api/me/tokens", {"label": "robot"})["token"]["secret"]
    phone = sign_in(app, "alice")
    phone.delete("/api/me/sign-ins")
    assert phone.http.get_cookie("tegami") is None
    for person in (phone, alice):
        person.refused("GET", "/api/me", "not-signed-in")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"key": alice.key})
    program = Person(app)
    program.headers["Authorization"] = f"Bearer {token}"
    program.get("/api/me")


@sqlite_only
def test_a_guest_who_signs_out_everywhere_keeps_the_link(app, cast):
    cast.alice.delete("/api/me/sign-ins")
    cast.alice.refused("GET", "/api/me", "not-signed-in")
    Person(app).post("/api/sign-ins", {"key": cast.alice.key})


@sqlite_only
def test_an_account_without_another_way_to_sign_in_keeps_the_link(app, cast, bag):
    """A handle, no password, and an address that was never verified."""
    register(bag, cast.alice, "alice", None, verified=False)
    key = cast.alice.post("/api/me/link")["link"]["key"]
    cast.alice.delete("/api/me/sign-ins")
    Person(app).post("/api/sign-ins", {"key": key})


@sqlite_only
def test_the_sign_ins_of_others_are_not_found(cast, alice):
    (mine,) = alice.get("/api/me/sign-ins")["sign_ins"]
    cast.carol.refused("DELETE", f"/api/me/sign-ins/{mine['id']}", "not-found")
    (token,) = cast.bob.get("/api/me/tokens")["tokens"]
    cast.alice.refused("DELETE", f"/api/me/sign-ins/{token['id']}", "not-found")


# Hashes


class Watching(Counting):
    """A hasher that notes whether a connection is held while it works."""

    def __init__(self):
        super().__init__()
        self.held = []

    def hash(self, *args, **more):
        self.held.append(db.session().in_transaction())
        return super().hash(*args, **more)

    def verify(self, *args, **more):
        self.held.append(db.session().in_transaction())
        return super().verify(*args, **more)


@pytest.fixture
def watching(app, config, runtime, alice):
    """The passwords of an application, with their hasher."""
    hasher = Watching()
    passwords = Passwords(config, hasher)
    with app.app_context():
        yield passwords, hasher


@sqlite_only
def test_no_connection_is_held_while_a_password_is_hashed(watching, alice, runtime):
    passwords, hasher = watching
    sign_ins.by_password(runtime, passwords, "alice", PASSWORD, None)
    accounts.confirm_password(passwords, alice.id, PASSWORD)
    assert hasher.held and not any(hasher.held)


@sqlite_only
def test_confirming_a_password_inside_a_transaction_fails_and_loses_nothing(watching, alice):
    passwords, _ = watching
    with transaction():
        players.update_row(alice.id, {"name": "Alicia"})
        with pytest.raises(RuntimeError, match="transaction"):
            accounts.confirm_password(passwords, alice.id, PASSWORD)
    assert players.get(alice.id).name == "Alicia"


@sqlite_only
def test_reading_keeps_the_changes_of_a_transaction(watching, alice, runtime):
    with transaction():
        players.update_row(alice.id, {"name": "Alicia"})
        accounts.find_by_login("alice")
        accounts.get(alice.id)
        credentials.active(runtime, alice.id, "cookie")
        preferences.as_json(players.get(alice.id))
    assert players.get(alice.id).name == "Alicia"


def test_a_password_is_rehashed_after_a_change_of_settings(app, config, runtime, alice):
    (before,) = execute(app, "SELECT password FROM accounts")
    hasher = Counting(rounds=2)
    stricter = app_with_passwords(config, runtime, Passwords(config, hasher))
    sign_in(stricter, "alice")
    assert hasher.hashes == 2
    (after,) = execute(app, "SELECT password FROM accounts")
    assert (",t=1," in before.password, ",t=2," in after.password) == (True, True)
    sign_in(stricter, "alice")
    assert hasher.hashes == 3
    disconnect(stricter)


@sqlite_only
def test_neither_passwords_nor_mailed_keys_are_stored(app, alice, bag):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    stored = str(dump(app))
    assert "argon2id" in stored
    for secret in (PASSWORD, key, key.rpartition(".")[2]):
        assert secret not in stored
