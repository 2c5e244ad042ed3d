"""The pages behind mailed keys, without scripts: they name the player, a button acts, and nobody adopts another's
account.
"""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.support.accounts import OTHER, PASSWORD, Bag, register
from tests.support.cast import Cast, Person, sqlite_only
from tests.support.dump import dump
from tests.support.form_reader import FormReader
from tests.support.strangers_browser import Stranger

pytestmark = sqlite_only

ADDRESS = "aki@example.org"


@pytest.fixture
def bag(app: Flask) -> Bag:
    return Bag(app)


@pytest.fixture
def aki(app: Flask, bag: Bag) -> Person:
    """Somebody who has registered, but not verified the address yet."""
    aki = Person(app, "Aki")
    register(bag, aki, "aki", verified=False)
    return aki


def address(person: Person) -> str | None:
    found: str | None = person.get("/api/me")["player"]["address"]
    return found


def test_the_address_is_confirmed_in_another_browser_by_the_number(
    app: Flask, bag: Bag, aki: Person
) -> None:
    path = f"/plain/keys/verify/{bag.key('verify')}"
    other, stored = Stranger(app), dump(app)
    page = other.open(path)
    assert "Aki" in page.text and "@aki" in page.text and ADDRESS in page.text
    assert dump(app) == stored and not other.is_signed_in
    number = aki.get("/api/me")["player"]["verification_number"]
    assert re.fullmatch("[0-9]{6}", number)
    wrong = f"{(int(number) + 1) % 10**6:06d}"
    form = next(each for each in page.forms if "number" in each.fields)
    for typed in (wrong, "", number[:-1], "手"):
        other.post(path, {**form.fields, "number": typed}, 400)
    assert address(aki) is None
    other.post(path, {**form.fields, "number": f"{number[:3]} {number[3:]}"})
    assert "Your address is confirmed." in other.page.title
    assert address(aki) == ADDRESS and not other.is_signed_in
    assert "verification_number" not in aki.get("/api/me")["player"]
    other.open(path, 401)


def test_or_by_the_password(app: Flask, bag: Bag, aki: Person) -> None:
    path = f"/plain/keys/verify/{bag.key('verify')}"
    other = Stranger(app)
    form = next(each for each in other.open(path).forms if "password" in each.fields)
    other.post(path, {**form.fields, "password": OTHER}, 401)
    assert address(aki) is None
    other.post(path, {**form.fields, "password": PASSWORD})
    assert address(aki) == ADDRESS and not other.is_signed_in


def test_where_one_is_signed_in_a_button_suffices(app: Flask, bag: Bag, aki: Person) -> None:
    reader = FormReader(app)
    reader.http = aki.http
    reader.open(f"/plain/keys/verify/{bag.key('verify')}")
    reader.send("This is my address")
    assert address(aki) == ADDRESS


def test_the_owner_of_an_address_does_not_adopt_the_account_of_a_stranger(
    app: Flask, cast: Cast, bag: Bag, aki: Person
) -> None:
    """This holds for a visitor and for somebody signed in to another account; an account without a password
    has none.
    """
    path = f"/plain/keys/verify/{bag.key('verify')}"
    alice = FormReader(app)
    alice.http = cast.alice.http
    for reader in (Stranger(app), alice):
        form = reader.open(path).forms[0]
        reader.post(path, {"form": form.fields["form"]}, 400)
        reader.post(path, {"form": form.fields["form"], "password": PASSWORD + "x"}, 401)
    assert address(aki) is None
    without = Person(app, "Bea")
    register(bag, without, "bea", None, verified=False)
    path = f"/plain/keys/verify/{bag.key('verify')}"
    form = Stranger(app).open(path).forms[0]
    reader = Stranger(app)
    token = reader.open(path).forms[0].fields["form"]
    reader.post(path, {"form": token, "password": ""}, 400)
    reader.post(path, {"form": token, "password": PASSWORD}, 401)
    assert address(without) is None


@pytest.mark.parametrize("by", ["verify", "not-me"])
def test_an_address_is_removed_from_the_account_of_a_stranger(
    app: Flask, bag: Bag, aki: Person, by: str
) -> None:
    key = bag.key("verify")
    reader = Stranger(app)
    reader.open(f"/plain/keys/{by}/{key}")
    reader.send("This was not me" if by == "verify" else "Remove my address")
    assert "removed" in reader.page.title
    assert aki.get("/api/me")["player"]["unverified_address"] is None
    reader.open(f"/plain/keys/{by}/{key}", 401)


def test_a_link_signs_in_by_its_button_alone(app: Flask, bag: Bag, aki: Person) -> None:
    aki.post("/api/verifications", {"key": bag.key("verify")}, 204)
    aki.post("/api/links", {"kind": "sign-in", "who": "aki"}, 202)
    path = f"/plain/keys/sign-in/{bag.key('sign-in')}"
    reader, scanner = Stranger(app), Stranger(app)
    for _ in range(2):
        assert "Aki" in scanner.open(path).text and not scanner.is_signed_in
    form = reader.open(path).forms[0]
    answer = scanner.http.post(path, data=form.fields, headers=scanner.headers)
    assert answer.status_code == 403, "a form of another browser"
    answer = reader.http.post(path, data=form.fields, headers=reader.headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert reader.is_signed_in and not scanner.is_signed_in
    scanner.open(path, 401)


def test_a_new_password_is_chosen(app: Flask, bag: Bag, aki: Person) -> None:
    aki.post("/api/verifications", {"key": bag.key("verify")}, 204)
    aki.post("/api/links", {"kind": "reset", "who": "aki"}, 202)
    path = f"/plain/keys/reset/{bag.key('reset')}"
    reader = Stranger(app)
    form = reader.open(path).forms[0]
    reader.post(path, {**form.fields, "password": "x"}, 400)
    reader.post(path, form.fields, 400)
    assert not reader.is_signed_in
    answer = reader.http.post(path, data={**form.fields, "password": OTHER})
    assert answer.status_code == 303 and reader.is_signed_in
    Person(app).post("/api/sign-ins", {"who": "aki", "password": OTHER})


def test_a_key_has_one_purpose(app: Flask, bag: Bag, aki: Person) -> None:
    key, stored, reader = bag.key("verify"), dump(app), Stranger(app)
    for purpose in ("sign-in", "reset"):
        reader.open(f"/plain/keys/{purpose}/{key}", 401)
    reader.open(f"/plain/keys/other/{key}", 404)
    reader.open(f"/plain/keys/verify/{key}x", 401)
    reader.open(f"/plain/keys/verify/{'x' * 300}", 401)
    assert dump(app) == stored
