"""Passwords as people type them: any text, of which every character counts."""

from __future__ import annotations

import pytest

from tests.support.accounts import Bag, register, sign_in
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

UNUSUAL = (
    "two  spaces, one at the end ",
    "ねこが窓辺でねむる",
    "🎴🀄🂡🃏🎲🀀🀁🀂",
    "onlysmallletterssoit",
    "83716250394857",
    "'; DROP TABLE players; --",
    '<b>"&amp;\\u0041%41',
)


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.mark.parametrize("password", UNUSUAL)
def test_a_password_may_hold_any_text(app, cast, bag, password):
    register(bag, cast.alice, "alice", password)
    assert sign_in(app, "alice", password).get("/api/me")["player"]["handle"] == "alice"


def test_every_character_of_a_long_password_counts(app, cast, bag):
    long = "".join(chr(0x4E00 + number * number % 9973) for number in range(199))
    register(bag, cast.alice, "alice", f"{long}x")
    sign_in(app, "alice", f"{long}x")
    for other in (f"{long}y", long, f"x{long}"):
        body = {"who": "alice", "password": other}
        cast.nobody.refused("POST", "/api/sign-ins", "wrong-password", body)
    body = {"password": f"{long}xx", "current_password": f"{long}x"}
    cast.alice.refused("PUT", "/api/me/password", "invalid-body", body)


def test_equal_passwords_have_different_hashes(app):
    passwords = app.extensions["tegami"].passwords
    hashes = {passwords.hash("correct horse battery") for _ in range(3)}
    salts = {each.split("$")[4] for each in hashes}
    assert len(hashes) == len(salts) == 3
    assert all(len(salt) >= 22 for salt in salts), "128 bits in Base64"
