"""Registration: a guest keeps everything and gets a handle, an address and perhaps a password."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY
from tests.support.accounts import OTHER, PASSWORD, Bag, key_in, register, sign_in, text_of
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump

WISH = {"handle": "alice", "address": "alice@example.org", "password": PASSWORD}


@pytest.fixture
def bag(app):
    return Bag(app)


def me(person):
    return person.get("/api/me")["player"]


def test_a_guest_keeps_the_seats(app, cast, bag):
    game_id = cast.start()
    seat = cast.alice.game(game_id)["seat"]
    register(bag, cast.alice, "alice")
    elsewhere = sign_in(app, "alice")
    assert elsewhere.game(game_id)["seat"] == seat
    assert me(elsewhere)["id"] == cast.alice.id


def test_what_a_registered_player_is_shown(cast, bag):
    made = cast.alice.post("/api/me/registration", {**WISH, "handle": "Alice"})["player"]
    assert made["handle"] == "alice"
    assert (made["address"], made["unverified_address"]) == (None, "alice@example.org")
    assert (made["guest"], made["has_password"]) == (False, True)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    verified = me(cast.alice)
    assert (verified["address"], verified["unverified_address"]) == ("alice@example.org", None)


def test_without_a_password_one_stays_a_guest_until_the_address_is_verified(cast, bag):
    register(bag, cast.alice, "alice", None, verified=False)
    assert me(cast.alice)["guest"]
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert not me(cast.alice)["guest"]


@pytest.mark.both_databases
def test_a_handle_belongs_to_one_player(cast, bag):
    register(bag, cast.alice, "alice")
    for handle in ("alice", "ALICE"):
        wish = {"handle": handle, "address": "carol@example.org"}
        cast.carol.refused("POST", "/api/me/registration", "handle-taken", wish)
    cast.carol.refused(
        "POST", "/api/me/registration", "handle-taken", {**WISH, "handle": "operator"}
    )
    assert me(cast.carol)["handle"] is None
    register(bag, cast.carol, "carol")


@sqlite_only
def test_nobody_registers_twice(app, cast, bag):
    register(bag, cast.alice, "alice")
    stored = dump(app)
    cast.alice.refused("POST", "/api/me/registration", "already-registered", WISH)
    assert dump(app) == stored


@sqlite_only
@pytest.mark.usefixtures("unchanged")
def test_invalid_handles_addresses_and_passwords_are_refused(cast):
    def refused(**wrong):
        told = cast.alice.refused("POST", "/api/me/registration", "invalid-body", {**WISH, **wrong})
        assert list(told["errors"]) == list(wrong)

    for handle in ("", "ab", "1ab", "_ab", "a b", "a@b", "りんご", "a" * 25, "alicé", "alice\n"):
        refused(handle=handle)
    for address in (
        *(
            "",
            "a",
            "a@b",
            "@b.org",
            "a@",
            "a@@b.org",
            "a b@c.org",
            "a@b.org\n",
            "a@b.o",
            "A <a@b.org>",
        ),
        *(".a@b.org", "a..b@c.org", "a@-b.org", "a@b-.org", "a@b..org", "ü@b.org", "a@ü.org"),
        *(
            "a@b.org,c@d.org",
            "a@b.org\r\nBcc: c@d.org",
            "=?utf-8?q?c=40d?=@b.org",
            "a=?b@c.org",
            f"{'a' * 250}@b.org",
        ),
    ):
        refused(address=address)
    for password in ("", "short", "x" * 201):
        refused(password=password)


@sqlite_only
def test_a_token_may_not_change_how_its_player_signs_in(app, cast):
    bob, stored = cast.bob, dump(app)
    for method, path, body in (
        ("POST", "/api/me/registration", WISH),
        ("PUT", "/api/me/password", {"password": PASSWORD}),
        ("PUT", "/api/me/address", {"address": "bob@example.org"}),
        ("POST", "/api/verifications", {"key": "x" * 50}),
        ("POST", "/api/me/link", None),
        ("DELETE", "/api/me/sign-ins", None),
        ("DELETE", "/api/me/sign-ins/k_0123456789abcdefABCDEF", None),
        ("POST", "/api/me/erasure", {}),
    ):
        bob.refused(method, path, "cookie-only", body)
        cast.nobody.refused(method, path, "not-signed-in", body)
    assert dump(app) == stored


# The address


@pytest.mark.both_databases
def test_a_key_verifies_an_address_once(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    key = bag.key("verify")
    cast.alice.post("/api/verifications", {"key": key}, 204)
    cast.alice.refused("POST", "/api/verifications", "wrong-key", {"key": key})


@sqlite_only
def test_a_key_expires_after_three_days(cast, bag, clock):
    register(bag, cast.alice, "alice", verified=False)
    key = bag.key("verify")
    clock.forward(3 * DAY + 1000)
    cast.alice.refused("POST", "/api/verifications", "wrong-key", {"key": key})
    assert me(cast.alice)["address"] is None


@sqlite_only
def test_other_and_forged_keys_are_refused(cast, bag):
    register(bag, cast.alice, "alice")
    cast.alice.post("/api/links", {"kind": "sign-in", "who": "alice"}, 202)
    key = bag.key("sign-in")
    payload, time, signature = key.split(".")
    register(bag, cast.carol, "carol", verified=False)
    other = bag.key("verify").split(".")
    for wrong in (
        key,
        f"{other[0]}.{time}.{signature}",
        f"{other[0]}.{other[1]}.{signature}",
        f"{payload}.{other[1]}.{other[2]}",
        "x" * 100,
        "." * 50,
    ):
        cast.alice.refused("POST", "/api/verifications", "wrong-key", {"key": wrong})


def test_the_old_address_counts_until_the_new_one_is_verified_and_is_notified(app, cast, bag):
    register(bag, cast.alice, "alice")
    change = {"address": "Alice@mail.example", "current_password": PASSWORD}
    changed = cast.alice.send("PUT", "/api/me/address", json=change)
    assert changed.status_code == 202
    assert changed.json["player"]["address"] == "alice@example.org"
    assert changed.json["player"]["unverified_address"] == "Alice@mail.example"
    sign_in(app, "alice@example.org")
    Person(app).refused(
        "POST",
        "/api/sign-ins",
        "wrong-password",
        {"who": "alice@mail.example", "password": PASSWORD},
    )
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    (told,) = bag.fetch()
    assert told["To"] == "alice@example.org"
    assert "mail.example" not in text_of(told)
    assert me(cast.alice)["address"] == "Alice@mail.example"
    sign_in(app, "ALICE@mail.example")


def test_a_later_change_of_address_ends_the_earlier_key(cast, bag):
    register(bag, cast.alice, "alice")
    keys = []
    for address in ("one@example.org", "two@example.org"):
        change = {"address": address, "current_password": PASSWORD}
        cast.alice.send("PUT", "/api/me/address", json=change)
        keys.append(bag.key("verify"))
    cast.alice.refused("POST", "/api/verifications", "wrong-key", {"key": keys[0]})
    cast.alice.post("/api/verifications", {"key": keys[1]}, 204)
    assert me(cast.alice)["address"] == "two@example.org"


@sqlite_only
def test_a_mail_that_is_out_of_date_is_not_sent(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    change = {"address": "two@example.org", "current_password": PASSWORD}
    cast.alice.send("PUT", "/api/me/address", json=change)
    assert [mail["To"] for mail in bag.fetch()] == ["two@example.org"]


@pytest.mark.both_databases
def test_an_address_belongs_to_whoever_verifies_it_first(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    register_as(cast.carol, "carol", "ALICE@example.org")
    keys = [key_in(mail, "verify") for mail in bag.fetch()]
    cast.carol.post("/api/verifications", {"key": keys[1]}, 204)
    cast.alice.refused("POST", "/api/verifications", "wrong-key", {"key": keys[0]})
    assert me(cast.carol)["address"] == "ALICE@example.org"
    assert me(cast.alice)["address"] is None


def register_as(person, handle, address):
    person.post("/api/me/registration", {"handle": handle, "address": address, "password": OTHER})


# The password


def test_a_password_is_changed_with_the_old_one_and_ends_all_other_sign_ins(app, cast, bag):
    register(bag, cast.alice, "alice")
    phone = sign_in(app, "alice")
    for body in ({"password": OTHER}, {"password": OTHER, "current_password": "wrong"}):
        cast.alice.refused("PUT", "/api/me/password", "wrong-password", body)
    body = {"password": OTHER, "current_password": PASSWORD}
    assert cast.alice.send("PUT", "/api/me/password", json=body).status_code == 204
    me(cast.alice)
    phone.refused("GET", "/api/me", "not-signed-in")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"key": cast.alice.key})
    wrong = {"who": "alice", "password": PASSWORD}
    Person(app).refused("POST", "/api/sign-ins", "wrong-password", wrong)
    sign_in(app, "alice", OTHER)


@sqlite_only
def test_a_first_password_needs_no_old_one(app, cast, bag):
    cast.alice.refused("PUT", "/api/me/password", "not-registered", {"password": OTHER})
    cast.alice.refused("PUT", "/api/me/address", "not-registered", {"address": "a@example.org"})
    register(bag, cast.alice, "alice", None)
    cast.alice.send("PUT", "/api/me/password", json={"password": OTHER})
    sign_in(app, "alice", OTHER)


@sqlite_only
def test_full_width_letters_are_the_same_in_a_password(app, cast, bag):
    register(bag, cast.alice, "alice", "ｋａｋｉの葉ｓｕｓｈｉ１")
    sign_in(app, "alice", "kakiの葉sushi1")
