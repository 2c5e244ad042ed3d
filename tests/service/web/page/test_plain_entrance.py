"""The entrance without scripts: a name, the secret link, a password, a mailed link; and out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.web.app import create_app
from service.web.http.limits.rate_limits import LIMITS
from tests.support.accounts import OTHER, PASSWORD, Bag, key_in, register
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump
from tests.support.form_reader import FormReader
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only


@pytest.fixture
def reader(app: Flask) -> FormReader:
    """A visitor with a text browser, at the entrance."""
    reader = FormReader(app)
    reader.open("/plain/enter")
    return reader


def fill(reader: FormReader, kind_of: str, /, **typed: str) -> dict[str, str]:
    """The fields of the form at the entrance that does this."""
    form = next(each for each in reader.page.forms if each.fields.get("do") == kind_of)
    return {**form.fields, **typed}


def enter(reader: FormReader, do: str, status: int = 200, **typed: str) -> None:
    reader.open("/plain/enter")
    reader.post("/plain/enter", fill(reader, do, **typed), status)


def name_of(reader: FormReader) -> str | None:
    """The name of the player who is signed in."""
    answer = reader.http.get("/api/me")
    return str(answer.json["player"]["name"]) if answer.status_code == 200 else None


def test_the_secret_link_is_shown_once_and_leads_back(app: Flask, reader: FormReader) -> None:
    link = reader.arrive("Aki")
    assert name_of(reader) == "Aki" and link not in reader.page.html
    other = FormReader(app)
    for pasted in (f"http://localhost/{link}", link, link.removeprefix("#"), f" {link}\r\n"):
        other = FormReader(app)
        enter(other, "link", link=pasted)
        assert name_of(other) == "Aki" and other.path == "/plain"
    other.open("/plain/me")
    page = other.send("Create a new secret link")
    assert link not in page.html and "#back=" in page.text
    late = FormReader(app)
    enter(late, "link", status=401, link=link)
    assert name_of(late) is None


def test_one_signs_in_by_password(app: Flask, reader: FormReader) -> None:
    register(Bag(app), Person(app, "Aki"), "aki")
    enter(reader, "password", status=401, who="aki", password="wrong")
    assert name_of(reader) is None
    enter(reader, "password", who="aki", password=PASSWORD)
    assert name_of(reader) == "Aki"
    reader.open("/plain/me")
    reader.send("Sign out here")
    assert name_of(reader) is None


def test_mailed_links_sign_in_and_set_a_password(app: Flask, reader: FormReader) -> None:
    bag, aki = Bag(app), Person(app, "Aki")
    register(bag, aki, "aki")
    enter(reader, "mail", who="aki", kind="sign-in")
    assert "If this account exists, an email is on its way." in reader.page.text
    (mail,) = bag.fetch()
    enter(reader, "link", link=f"http://localhost/#sign-in={key_in(mail, 'sign-in')}")
    assert name_of(reader) == "Aki"
    again = FormReader(app)
    enter(again, "link", status=401, link=f"#sign-in={key_in(mail, 'sign-in')}")
    enter(again, "mail", who="aki@example.org", kind="reset")
    reset = f"http://localhost/#reset={bag.key('reset')}"
    enter(again, "link", link=reset)
    form = again.page.forms[0]
    again.post(form.action, {**form.fields, "password": "x"}, status=400)
    again.post(form.action, {**form.fields, "password": OTHER})
    assert name_of(again) == "Aki"
    last = FormReader(app)
    enter(last, "password", who="aki", password=OTHER)
    assert name_of(last) == "Aki"


def test_an_address_is_verified(app: Flask, reader: FormReader) -> None:
    bag, aki = Bag(app), Person(app, "Aki")
    register(bag, aki, "aki", verified=False)
    reader.http = aki.http
    reader.open("/plain/me")
    reader.send("This is my address", link=f"http://localhost/#verify={bag.key('verify')}")
    assert aki.get("/api/me")["player"]["address"] is not None


def test_a_guest_registers_and_is_mailed(app: Flask, reader: FormReader) -> None:
    bag = Bag(app)
    reader.arrive("Aki")
    for wrong in ({"handle": "1"}, {"address": "aki"}, {"password": "short"}):
        reader.open("/plain/me")
        typed = {"handle": "aki", "address": "aki@example.org", **wrong}
        page = reader.send("Register", status=400, **typed)
        assert "Please check what you entered." in page.text and "`errors`" not in page.text
    reader.open("/plain/me")
    reader.send("Register", handle="aki", address="aki@example.org", password=PASSWORD)
    assert "Register" not in [form.button for form in reader.page.forms]
    reader.send("This is my address", link=f"http://localhost/#verify={bag.key('verify')}")
    assert "aki@example.org" in reader.page.text
    other = FormReader(app)
    enter(other, "password", who="aki@example.org", password=PASSWORD)
    assert name_of(other) == "Aki"
    late = FormReader(app)
    late.arrive("Bea")
    late.open("/plain/me")
    late.send("Register", status=409, handle="AKI", address="bea@example.org")


@pytest.mark.parametrize("then", ["/plain/new/caravan", "/plain/me"])
def test_one_goes_on_to_where_one_came_from(reader: FormReader, then: str) -> None:
    reader.open(f"/plain/enter?then={then}")
    reader.send("Play with this name", name="Aki")
    assert (then, "Continue") in reader.page.links
    reader.open(f"/plain/enter?then={then}")
    assert reader.path == then


@pytest.mark.parametrize(
    "then",
    [
        "https://evil.example",
        "//evil.example",
        "/plain//evil.example",
        "/plain/../api",
        "/plain\\evil.example",
        "/plainly",
        "/plain?x=1",
        "/plain\n",
        "/plain/%0d%0aSet-Cookie:x",
        "javascript:alert(1)",
        "/",
        "",
    ],
)
def test_one_goes_on_only_to_these_pages(app: Flask, reader: FormReader, then: str) -> None:
    answer = reader.http.get("/plain/enter", query_string={"then": then})
    assert answer.status_code == 400
    stored = dump(app)
    fields = fill(reader, "guest", name="Aki", then=then)
    answer = reader.http.post("/plain/enter", data=fields)
    if then.strip() in {"", "/plain"}:  # what is left blank is missing
        assert "evil" not in answer.text
    else:
        assert answer.status_code == 400 and dump(app) == stored


@pytest.mark.parametrize(
    "typed",
    [
        {"name": ""},
        {"name": "x" * 41},
        {"name": "A\x00ki"},
        {"name": "A\u202eki"},
        {"name": "Aki", "password": "x"},
        {"do": "link", "name": "Aki"},
        {"do": "password", "who": "aki"},
    ],
    ids=str,
)
def test_wrong_fields_make_nobody(app: Flask, reader: FormReader, typed: dict[str, str]) -> None:
    stored = dump(app)
    reader.post("/plain/enter", fill(reader, "guest", **typed), status=400)
    assert name_of(reader) is None and dump(app) == stored


def test_what_is_typed_is_shown_as_text(reader: FormReader) -> None:
    reader.post("/plain/enter", fill(reader, "guest", name="<b>&amp;"))
    assert "(<b>&amp;)" in reader.open("/plain").text


def test_a_form_of_another_visitor_signs_nobody_in(app: Flask, reader: FormReader) -> None:
    """Otherwise somebody could be made to play as somebody else."""
    link = FormReader(app).arrive("Mallory")
    foreign = FormReader(app)
    foreign.open("/plain/enter")
    fields = fill(foreign, "link", link=link)
    for victim in (reader, FormReader(app)):
        answer = victim.http.post("/plain/enter", data=fields)
        assert answer.json["type"] == "/problems/wrong-form"
        assert name_of(victim) is None


def test_no_secret_stays_in_an_address(reader: FormReader) -> None:
    reader.arrive("Aki")
    for path, _ in reader.open("/plain/me").links:
        assert not re.search(r"[0-9A-Za-z]{43}|form=", path)


def test_the_language_is_the_readers(reader: FormReader) -> None:
    reader.arrive("Aki")
    reader.open("/plain/me")
    reader.send("Save", language="ja", time_zone="Asia/Tokyo")
    assert reader.http.get("/plain", headers=reader.headers).headers["Content-Language"] == "ja"
    assert "テーブル" in reader.open("/plain/new/caravan").text
    visitor = FormReader(reader.http.application, "ja")
    assert "JavaScript" in visitor.open("/plain").html
    assert visitor.http.get("/plain", headers=visitor.headers).headers["Content-Language"] == "ja"


@pytest.fixture
def limited(config: Any, runtime: Any) -> Iterator[Flask]:
    app = create_app(replace(config, rate_limits=True, attempt_limits=True), runtime)
    yield app
    disconnect(app)


def test_guessing_is_limited(limited: Flask) -> None:
    reader, most = FormReader(limited), int(LIMITS["sign-ins"].split()[0])
    reader.open("/plain/enter")
    fields = fill(reader, "password", who="aki", password="guess")
    statuses = [reader.http.post("/plain/enter", data=fields).status_code for _ in range(most + 1)]
    assert statuses[0] == 401 and statuses[-1] == 429 and 429 in statuses[:most]


def test_an_invitation_by_the_operator_is_asked_for(config: Any, runtime: Any) -> None:
    app = create_app(replace(config, registration="invited"), runtime)
    reader = FormReader(app)
    reader.open("/plain/enter")
    assert "Invitation code" in reader.page.text
    reader.post("/plain/enter", fill(reader, "guest", name="Aki", invitation="#invited=x"), 403)
    disconnect(app)
