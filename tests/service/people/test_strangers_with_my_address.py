"""Somebody registers with an address that is not theirs, before its owner does.

The attacks are those of "Pre-hijacked accounts" (Sudhodanan and Paverd, 2022). mallory knows alice's address; alice
reads the mails that come there.
"""

from __future__ import annotations

import pytest

from tests.support.accounts import OTHER, PASSWORD, Bag, key_in, sign_in, text_of
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump

ADDRESS = "alice@example.org"
THEIRS = {"handle": "not_alice", "address": ADDRESS, "password": OTHER}
HERS = {"handle": "alice", "address": "Alice@example.org", "password": PASSWORD}


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.fixture
def key(cast, bag):
    """The key that is mailed to alice because mallory typed her address."""
    cast.mallory.post("/api/me/registration", THEIRS)
    return bag.key("verify")


def me(person):
    return person.get("/api/me")["player"]


def test_the_owner_of_an_address_gets_an_account_of_her_own(app, cast, bag, key):
    cast.alice.refused("POST", "/api/verifications", "other-account", {"key": key})
    cast.alice.post("/api/me/registration", HERS)
    cast.alice.refused("POST", "/api/verifications", "other-account", {"key": key})
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert me(cast.alice)["address"] == HERS["address"]
    assert me(cast.mallory)["address"] is None
    cast.mallory.refused("POST", "/api/verifications", "wrong-key", {"key": key})
    assert me(sign_in(app, ADDRESS))["id"] == cast.alice.id
    theirs = {"who": ADDRESS, "password": OTHER}
    Person(app).refused("POST", "/api/sign-ins", "wrong-password", theirs)


def test_a_visitor_verifies_nothing(app, cast, key):
    """Opening the link out of curiosity does not make the account of a stranger one's own."""
    stored = dump(app)
    Person(app).refused("POST", "/api/verifications", "not-signed-in", {"key": key})
    assert dump(app) == stored
    assert me(cast.mallory)["address"] is None


@sqlite_only
@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("kind", ["sign-in", "reset"])
def test_an_address_that_is_not_verified_leads_into_no_account(app, bag, kind):
    Person(app).post("/api/links", {"kind": kind, "who": ADDRESS}, 202)
    assert bag.fetch() == []


def test_sign_ins_of_a_stranger_do_not_survive_in_the_owners_account(app, cast, bag, key):
    """Neither a password, a sign-in, a secret link, a token, nor an address that is to come later does."""
    token = cast.mallory.post("/api/me/tokens", {"label": "later"})["token"]["secret"]
    link = cast.mallory.post("/api/me/link")["link"]["key"]
    cast.alice.post("/api/me/registration", HERS)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    program, phone = Person(app), Person(app)
    program.headers["Authorization"] = f"Bearer {token}"
    phone.post("/api/sign-ins", {"key": link})
    for person in (cast.mallory, program, phone):
        assert me(person)["id"] == cast.mallory.id
    cast.alice.post("/api/links", {"kind": "reset", "who": ADDRESS}, 202)
    cast.alice.post("/api/password-resets", {"key": bag.key("reset"), "password": PASSWORD + "!"})
    assert me(cast.alice)["handle"] == "alice"


@pytest.mark.both_databases
def test_the_owner_of_an_address_removes_it_from_the_account_of_a_stranger(app, cast, bag):
    cast.mallory.post("/api/me/registration", THEIRS)
    (mail,) = bag.fetch()
    key = key_in(mail, "not-me")
    assert key == key_in(mail, "verify")
    assert (
        f'href="http://localhost/plain/keys/not-me/{key}"' in mail.get_body(("html",)).get_content()
    )
    Person(app).post("/api/address-rejections", {"key": key}, 204)
    assert me(cast.mallory)["unverified_address"] is None
    cast.mallory.refused("POST", "/api/verifications", "wrong-key", {"key": key})
    Person(app).refused("POST", "/api/address-rejections", "wrong-key", {"key": key})
    assert ADDRESS not in str(dump(app)["accounts"])


@sqlite_only
def test_only_an_address_that_is_not_verified_can_be_rejected(app, cast, bag):
    cast.alice.post("/api/me/registration", HERS)
    key = bag.key("verify")
    cast.alice.post("/api/verifications", {"key": key}, 204)
    Person(app).refused("POST", "/api/address-rejections", "wrong-key", {"key": key})
    Person(app).post("/api/links", {"kind": "sign-in", "who": "alice"}, 202)
    other = bag.key("sign-in")
    for wrong in (other, "x" * 100):
        Person(app).refused("POST", "/api/address-rejections", "wrong-key", {"key": wrong})
    assert me(cast.alice)["address"] == HERS["address"]


@sqlite_only
def test_the_mail_says_where_the_link_works(cast, bag):
    cast.mallory.post("/api/me/registration", THEIRS)
    (mail,) = bag.fetch()
    assert "signed in as @not_alice" in text_of(mail).replace("\n", " ")
