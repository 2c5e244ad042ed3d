"""Passwords that nobody may choose: the commonest, and those that anybody who knows the person could guess."""

from __future__ import annotations

import pytest

from service.core.runtime.problems import CommonPassword, PersonalPassword
from service.people.credentials import password_rules
from tests.support.accounts import OTHER, PASSWORD, Bag, register, sign_in
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.in_one_go import in_one_go

KNOWN = ("Alice Liddell", "alice_l", "alice.liddell@wonder.example", None, "あい", "りんごの木")
MORE_COMMON = (
    *(
        "00000000",
        "87654321",
        "12341234",
        "aaaaaaaa",
        "abcdefgh",
        "abababab",
        "zyxwvuts",
        "michelle",
    ),
    *("password12345", "passwordpassword", "administrator", "aa12345678", "手紙手紙手紙手紙"),
    *(" " * 8, "\u200b" * 8, "!!!!!!!!!!!!"),
)
COMMON = (
    "12345678",
    "password1",
    "Football",
    "PASSWORD1!",
    "ｐａｓｓｗｏｒｄ１",
    "qwertyuiop",
    *MORE_COMMON,
)
PERSONAL = (
    *("alice liddell", "AliceLiddell", "alice_l!", "alice_l 2026", "alice.liddell"),
    *("alice.liddell@wonder.example", "Ａｌｉｃｅ＿Ｌ", "alice_lalice_l", "りんごの木2026"),
)
WISH = {"handle": "alice", "address": "alice@example.org"}


@in_one_go("password", COMMON)
def test_the_commonest_passwords_are_refused(password):
    with pytest.raises(CommonPassword):
        password_rules.check(password, KNOWN)


@in_one_go("password", PERSONAL)
def test_name_handle_and_address_are_refused(password):
    with pytest.raises(PersonalPassword):
        password_rules.check(password, KNOWN)


@pytest.mark.parametrize(
    "password", [PASSWORD, OTHER, "alice has a white cat", "りんごの木の下で", "83746501929384"]
)
def test_other_passwords_may_contain_them(password):
    password_rules.check(password, KNOWN)


@pytest.fixture
def bag(app):
    return Bag(app)


@sqlite_only
@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("short", "invalid-body"),
        ("12345678", "common-password"),
        ("alice@example.org", "personal-password"),
        ("alice 2026", "personal-password"),
    ],
)
def test_a_weak_password_is_refused_wherever_one_is_chosen(app, cast, bag, password, problem):
    alice, weak = cast.alice, {"password": password}
    stored = dump(app)
    alice.refused("POST", "/api/me/registration", problem, WISH | weak)
    assert dump(app) == stored
    register(bag, alice, "alice")
    alice.post("/api/links", {"kind": "reset", "who": "alice"}, 202)
    reset = {"key": bag.key("reset")}
    stored = dump(app)
    alice.refused("PUT", "/api/me/password", problem, weak | {"current_password": PASSWORD})
    alice.refused("POST", "/api/password-resets", problem, weak | reset)
    assert dump(app) == stored
    alice.post("/api/password-resets", {"password": OTHER} | reset)


@sqlite_only
def test_a_weak_password_that_somebody_has_still_signs_in(app, cast, bag):
    register(bag, cast.alice, "alice")
    with app.app_context():
        kept = app.extensions["tegami"].passwords.hash("12345678")
    execute(app, "UPDATE accounts SET password = :kept", kept=kept)
    sign_in(app, "alice", "12345678")
    wrong = {"who": "alice", "password": PASSWORD}
    Person(app).refused("POST", "/api/sign-ins", "wrong-password", wrong)
