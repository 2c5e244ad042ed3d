"""Coming back by password or by mail; the list of sign-ins, and ending them."""

from __future__ import annotations

import pytest

from service import create_app
from service.passwords import Passwords
from tests.contract import CheckedClient
from tests.service.accounts import OTHER, PASSWORD, Bag, Counting, register, sign_in, text_of
from tests.service.cast import Person, sqlite_only
from tests.service.databases import disconnect
from tests.service.dump import dump, execute

HOUR = 3_600_000
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
    assert person.post("/api/links", {"kind": kind, "who": who}, 202) == b""


def test_handle_or_verified_address_and_password_sign_in(app, alice):
    for who in ("alice", "Alice", "alice@example.org", "Alice@Example.org"):
        assert sign_in(app, who).get("/api/me")["player"]["id"] == alice.id
    for who, password in (("alice", OTHER), ("bob", PASSWORD), ("alice@example.com", PASSWORD)):
        wrong = {"who": who, "password": password}
        Person(app).refused("POST", "/api/sign-ins", "wrong-password", wrong)


@sqlite_only
def test_a_sign_in_goes_one_way(app):
    for body in (
        {},
        {"who": "alice"},
        {"password": PASSWORD},
        {"key": "x" * 43, "who": "alice"},
        {"key": "x" * 43, "mailed": "x" * 50},
        {"who": "alice", "password": PASSWORD, "mailed": "x" * 50},
    ):
        Person(app).refused("POST", "/api/sign-ins", "invalid-body", body)


def test_a_link_by_mail_signs_in_once(app, alice, bag):
    ask(Person(app), "sign-in", "alice")
    key = bag.key("sign-in")
    phone = Person(app)
    assert phone.post("/api/sign-ins", {"mailed": key})["player"]["id"] == alice.id
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})
    phone.get("/api/me")


def test_one_use_ends_all_links(app, alice, bag):
    for kind in ("sign-in", "reset"):
        ask(alice, kind, "alice@example.org")
    signing, resetting = bag.fetch()
    key = text_of(signing).partition("#sign-in=")[2].split()[0]
    other = text_of(resetting).partition("#reset=")[2].split()[0]
    Person(app).post("/api/sign-ins", {"mailed": key})
    body = {"key": other, "password": OTHER}
    Person(app).refused("POST", "/api/password-resets", "wrong-key", body)


@sqlite_only
def test_a_link_is_good_for_an_hour(app, alice, bag, clock):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    clock.forward(HOUR + 1000)
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})


@sqlite_only
def test_a_mail_that_comes_an_hour_late_is_not_sent(alice, bag, clock):
    ask(alice, "sign-in", "alice")
    clock.forward(HOUR)
    assert bag.fetch() == []


@sqlite_only
def test_a_link_is_for_one_purpose(app, alice, bag):
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    body = {"key": key, "password": OTHER}
    Person(app).refused("POST", "/api/password-resets", "wrong-key", body)
    Person(app).refused("POST", "/api/verifications", "wrong-key", {"key": key})
    Person(app).post("/api/sign-ins", {"mailed": key})


def test_a_link_ends_with_the_address_that_it_was_sent_to(app, alice, bag):
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


def test_two_uses_of_a_link_at_once_are_one(app, alice, bag):
    """The row says so, not the moment at which it was read."""
    ask(alice, "sign-in", "alice")
    key = bag.key("sign-in")
    execute(app, "UPDATE accounts SET generation = generation + 1")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"mailed": key})


# The list


def test_sign_ins_are_listed_coarsely_and_end_alone(app, alice, clock):
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


def test_when_somebody_was_here_is_known_to_the_minute(alice, clock):
    clock.forward(59_000)
    alice.get("/api/me")
    assert alice.get("/api/me/sign-ins")["sign_ins"][0]["seen_at"] == "2026-11-21T10:00:00.000Z"
    clock.forward(1_000)
    alice.get("/api/me")
    assert alice.get("/api/me/sign-ins")["sign_ins"][0]["seen_at"] == "2026-11-21T10:01:00.000Z"


def test_who_polls_is_here(app, cast, clock):
    game_id = cast.start()
    tag = cast.carol.send("GET", f"/api/games/{game_id}").headers["ETag"]
    clock.forward(60_000)
    poll = {"If-None-Match": tag}
    for _ in range(2):
        answer = cast.carol.send("GET", f"/api/games/{game_id}", headers=poll)
        assert answer.status_code == 304
    (seen,) = cast.carol.get("/api/me/sign-ins")["sign_ins"]
    assert seen["seen_at"] == "2026-11-21T10:01:00.000Z"


def test_sign_out_everywhere_ends_all_but_tokens(app, alice):
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
def test_a_guest_who_signs_out_everywhere_keeps_the_way_back(app, cast):
    cast.alice.delete("/api/me/sign-ins")
    cast.alice.refused("GET", "/api/me", "not-signed-in")
    Person(app).post("/api/sign-ins", {"key": cast.alice.key})


@sqlite_only
def test_who_has_registered_but_could_not_come_back_keeps_it_too(app, cast, bag):
    """A handle, no password, and an address with a slip in it."""
    register(bag, cast.alice, "alice", None, verified=False)
    cast.alice.delete("/api/me/sign-ins")
    Person(app).post("/api/sign-ins", {"key": cast.alice.key})


@sqlite_only
def test_nobody_ends_the_sign_ins_of_others(cast, alice):
    (mine,) = alice.get("/api/me/sign-ins")["sign_ins"]
    cast.carol.refused("DELETE", f"/api/me/sign-ins/{mine['id']}", "not-found")
    (token,) = cast.bob.get("/api/me/tokens")["tokens"]
    cast.alice.refused("DELETE", f"/api/me/sign-ins/{token['id']}", "not-found")


# Hashes


def test_a_password_is_hashed_anew_when_the_settings_have_changed(app, config, outside, alice):
    (before,) = execute(app, "SELECT password FROM accounts")
    hasher = Counting(rounds=2)
    stricter = create_app(config, outside, Passwords(config, hasher))
    stricter.test_client_class = CheckedClient
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
