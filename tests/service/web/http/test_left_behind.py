"""Responses that end or replace a sign-in make the browser forget its data, and no others do."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from service.core.database.database import db, transaction
from service.core.models.people import Credential
from tests.support.accounts import OTHER, PASSWORD, Bag, register, sign_in
from tests.support.cast import Person, sqlite_only
from tests.support.form_reader import FormReader

pytestmark = sqlite_only

HEADER = "Clear-Site-Data"
EVERYTHING = '"cache", "storage"'
CACHE = '"cache"'
"""The page empties its storage itself, except for what the next sign-in needs."""


@pytest.fixture
def alice(app, cast) -> Person:
    """alice, registered."""
    register(Bag(app), cast.alice, "alice")
    return cast.alice


def told(person: Person, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    """What the response tells the browser to clear."""
    answer = person.send(method, path, json=body)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.headers.get(HEADER)


def elsewhere(app) -> Person:
    """Another browser in which alice is signed in."""
    return sign_in(app, "alice")


@pytest.mark.parametrize("path", ["/api/sign-ins/current", "/api/me/sign-ins"])
def test_signing_out_clears_everything(alice: Person, path: str) -> None:
    assert told(alice, "DELETE", path, status=204) == EVERYTHING
    assert told(alice, "GET", "/api/me", status=401) is None, "there is no cookie any more"


def test_ending_the_present_sign_in_in_the_list_signs_out_here(app, alice: Person) -> None:
    other = elsewhere(app)
    ids = {each["current"]: each["id"] for each in alice.get("/api/me/sign-ins")["sign_ins"]}
    assert told(alice, "DELETE", f"/api/me/sign-ins/{ids[False]}", status=204) is None
    assert told(other, "GET", "/api/me", status=401) == CACHE
    assert told(alice, "DELETE", f"/api/me/sign-ins/{ids[True]}", status=204) == EVERYTHING


def test_erasure_clears_everything(alice: Person) -> None:
    body = {"current_password": PASSWORD}
    assert told(alice, "POST", "/api/me/erasure", body, 204) == EVERYTHING


def test_leaving_without_scripts_clears_everything(app) -> None:
    reader = FormReader(app)
    reader.arrive("Aki")
    reader.open("/plain/me")
    leave = next(each for each in reader.page.forms if each.action.endswith("/leave"))
    answer = reader.http.post("/plain/leave", data=leave.fields)
    assert (answer.status_code, answer.headers[HEADER]) == (303, EVERYTHING)


@pytest.mark.parametrize("how", ["everywhere", "password", "erasure"])
def test_an_end_elsewhere_is_told_once_by_whatever_notices_it(app, alice, open_id, how) -> None:
    other = elsewhere(app)
    if how == "everywhere":
        alice.delete("/api/me/sign-ins")
    elif how == "password":
        alice.put("/api/me/password", {"current_password": PASSWORD, "password": OTHER}, 204)
    else:
        alice.post("/api/me/erasure", {"current_password": PASSWORD}, 204)
    assert told(other, "GET", "/api/me", status=401) == CACHE
    assert told(other, "GET", "/api/me", status=401) is None
    assert told(other, "GET", "/api/games") is None
    assert told(other, "GET", "/plain") == EVERYTHING, "no script of the page has emptied it"
    assert told(other, "GET", "/plain") is None
    assert told(other, "GET", "/api/me", status=401) is None


def test_an_answer_to_visitors_notices_it_too(app, alice: Person, open_id: str) -> None:
    other = elsewhere(app)
    alice.delete("/api/me/sign-ins")
    assert told(other, "GET", f"/api/games/{open_id}") == CACHE


def test_whoever_signs_in_finds_nothing_of_somebody_else(app, alice: Person) -> None:
    """Nothing is cleared for a player who was already there."""
    other = elsewhere(app)
    same = {"who": "alice", "password": PASSWORD}
    assert told(other, "POST", "/api/sign-ins", same, 201) is None
    assert told(other, "POST", "/api/players", {"name": "Ken"}, 201) == CACHE
    assert told(other, "POST", "/api/sign-ins", same, 201) == CACHE


def test_without_scripts_whoever_signs_in_after_an_end_elsewhere_finds_nothing(app, alice) -> None:
    reader = FormReader(app)
    reader.arrive("Aki")
    reader.open("/plain/enter")
    with app.app_context(), transaction():
        db.session.execute(update(Credential).values(ended_at=1))
    reader.open("/plain/enter")
    reader.http.delete_cookie("tegami-ended")  # as if the page had not come
    form = next(each for each in reader.page.forms if each.fields.get("do") == "password")
    typed = {**form.fields, "who": "alice", "password": PASSWORD}
    answer = reader.http.post("/plain/enter", data=typed)
    assert (answer.status_code, answer.headers[HEADER]) == (303, EVERYTHING)


def test_newcomers_and_programs_are_told_nothing(app, cast) -> None:
    newcomer = Person(app)
    assert told(newcomer, "POST", "/api/players", {"name": "Ken"}, 201) is None
    assert told(cast.bob, "GET", "/api/me") is None
    assert told(Person(app), "GET", "/api/me", status=401) is None


def test_a_late_answer_takes_no_sign_in_away(app, alice: Person) -> None:
    """By then the cookie may belong to somebody else."""
    other = elsewhere(app)
    alice.delete("/api/me/sign-ins")
    answer = other.send("GET", "/api/me")
    names = [each.partition("=")[0] for each in answer.headers.getlist("Set-Cookie")]
    assert names == ["tegami-ended"]
