"""No response reveals whether an address is registered: status, body, headers, work and rows are the same."""

from __future__ import annotations

import pytest

from service.people.credentials.passwords import Passwords
from tests.support.accounts import (
    OTHER,
    PASSWORD,
    Bag,
    Counting,
    app_with_passwords,
    register,
    text_of,
)
from tests.support.cast import CARAVAN, Cast, Person
from tests.support.dump import dump
from tests.support.servers.databases import disconnect

VERIFIED, UNVERIFIED, UNKNOWN = "alice@example.org", "carol@example.org", "nobody@example.org"
ADDRESSES = (VERIFIED, UNVERIFIED, UNKNOWN)
OWN = {"unverified_address": 0, "verification_number": 0}
"""The player's own parts of a response: what they typed, and digits derived from their id and a random nonce."""
HEADERS = {"RateLimit"}
"""The headers that differ from one response to the next."""


@pytest.fixture
def hasher():
    return Counting()


@pytest.fixture
def app(config, runtime, hasher):
    app = app_with_passwords(config, runtime, Passwords(config, hasher))
    yield app
    disconnect(app)


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.fixture
def cast(app, bag):
    """alice has verified her address, carol has not; mallory tries things."""
    cast = Cast(app)
    register(bag, cast.alice, "alice")
    register(bag, cast.carol, "carol", verified=False)
    bag.fetch()
    return cast


def seen(answer):
    """Everything that a stranger sees of a response."""
    headers = {name: value for name, value in answer.headers if name not in HEADERS}
    return answer.status_code, answer.data, headers


def sizes(app):
    """The number of rows of each table."""
    return {name: len(rows) for name, rows in dump(app).items()}


@pytest.mark.usefixtures("cast")
def test_a_wrong_password_gets_the_same_answer_for_every_login(app, hasher):
    answers, works = [], set()
    tried = [(who, OTHER) for who in (*ADDRESSES, "alice", "carol", "nobody")]
    for who, password in (*tried, (UNVERIFIED, PASSWORD), (UNKNOWN, PASSWORD)):
        before = hasher.hashes
        body = {"who": who, "password": password}
        answers.append(seen(Person(app).send("POST", "/api/sign-ins", json=body)))
        works.add(hasher.hashes - before)
    assert works == {1}
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == 401


@pytest.mark.usefixtures("cast")
@pytest.mark.parametrize("kind", ["sign-in", "reset"])
def test_asking_for_a_link_is_the_same_for_every_login(app, hasher, bag, kind):
    answers, works = [], []
    for who in (*ADDRESSES, "alice", "carol", "nobody"):
        hashes, rows = hasher.hashes, sizes(app)
        answers.append(
            seen(Person(app).send("POST", "/api/links", json={"kind": kind, "who": who}))
        )
        grown = {name: size - rows[name] for name, size in sizes(app).items()}
        works.append((hasher.hashes - hashes, grown))
    assert all(answer == answers[0] for answer in answers)
    assert all(work == works[0] for work in works)
    assert [mail["To"] for mail in bag.fetch()] == [VERIFIED, VERIFIED]


@pytest.mark.both_databases
@pytest.mark.parametrize("password", [PASSWORD, None])
def test_registering_is_the_same_with_every_address(app, cast, hasher, bag, password):
    answers, works = [], []
    for address in ADDRESSES:
        person = Person(app, "Eve")
        wish = {"handle": "eve", "address": address} | ({"password": password} if password else {})
        hashes, rows = hasher.hashes, sizes(app)
        answer = person.send("POST", "/api/me/registration", json=wish)
        grown = {name: size - rows[name] for name, size in sizes(app).items()}
        works.append((hasher.hashes - hashes, grown))
        told = answer.json["player"]
        answers.append((answer.status_code, {**told, "id": 0, **OWN}))
        assert told["unverified_address"] == address
        assert [mail["To"] for mail in bag.fetch()] == [address]
        assert person.get("/api/me/export")["mails"] == []
        erase = {"current_password": password} if password else {}
        person.post("/api/me/erasure", erase, 204)
    assert all(answer == answers[0] for answer in answers)
    assert all(work == works[0] for work in works)


def test_changing_the_address_is_the_same_with_every_address(app, cast, bag):
    eve = Person(app, "Eve")
    register(bag, eve, "eve")
    answers = []
    for address in ADDRESSES:
        change = {"address": address, "current_password": PASSWORD}
        answer = eve.send("PUT", "/api/me/address", json=change)
        answers.append((answer.status_code, {**answer.json["player"], **OWN}))
    assert all(answer == answers[0] for answer in answers)


def test_only_the_owner_of_a_known_address_is_notified(app, cast, bag):
    eve = Person(app, "Zed")
    wish = {"handle": "zed", "address": "ALICE@example.org", "password": PASSWORD}
    eve.post("/api/me/registration", wish)
    (mail,) = bag.fetch()
    assert mail["To"] == VERIFIED
    assert "@alice" in text_of(mail)
    assert "zed" not in text_of(mail).lower()
    assert "/verify/" not in text_of(mail)
    eve.refused(
        "POST", "/api/sign-ins", "wrong-password", {"who": VERIFIED, "password": PASSWORD + "!"}
    )
    assert eve.get("/api/me")["player"]["address"] is None


def test_the_outcome_of_an_invitation_is_not_revealed(app, cast, bag):
    """A reader who has blocked the inviter gets no mail, and only registered players can have done that."""
    eve = Person(app, "Eve")
    register(bag, eve, "eve")
    game_id = eve.post("/api/games", {"ruleset": CARAVAN})["id"]
    tenure = eve.game(game_id)["tenure"]
    cast.alice.post("/api/me/blocks", {"game": game_id, "tenure": tenure})
    for address in ADDRESSES:
        eve.post(f"/api/games/{game_id}/invitations", {"address": address})
    assert [mail["To"] for mail in bag.fetch()] == [UNVERIFIED, UNKNOWN]
    told = eve.get("/api/me/export")
    assert told["mails"] == []
    assert [each["address"] for each in told["invitations"]] == list(ADDRESSES)
    assert {each["game"] for each in told["invitations"]} == {game_id}
