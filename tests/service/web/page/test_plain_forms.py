"""Forms of the pages without scripts: only the person who was shown one can send it, and nobody else's
table changes.
"""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.contract import operations
from tests.service.web.http.test_cross_site import FOREIGN
from tests.support.cast import BOOMERANG, CARAVAN, Cast, Person, sqlite_only
from tests.support.dump import dump
from tests.support.every_operation import path_of
from tests.support.form_reader import Form, FormReader

pytestmark = sqlite_only

KEY = "0" * 32


@pytest.fixture
def reader(app: Flask) -> FormReader:
    """Aki, with a text browser."""
    reader = FormReader(app)
    reader.arrive("Aki")
    return reader


def reading(person: Person) -> FormReader:
    """Somebody who uses a text browser with their present sign-in."""
    reader = FormReader(person.http.application)
    reader.http = person.http
    return reader


def every_form(cast: Cast) -> list[tuple[FormReader, Form]]:
    """A form of each kind, as shown to alice."""
    alice = reading(cast.alice)
    running, opened = cast.start(CARAVAN), cast.open()
    proposed = cast.start(BOOMERANG)
    cast.bob.post(f"/api/games/{proposed}/proposals", {"kind": "pause", "seconds": 86400})
    found = []
    paths = [
        "/plain/me",
        "/plain/new/caravan",
        "/plain/invited",
        "/plain/vacations",
        f"/plain/games/{opened}",
        *(f"/plain/games/{running}{page}" for page in ("/talk", "/proposals", "/resignation")),
        f"/plain/games/{running}/notes",
        f"/plain/games/{proposed}/proposals",
    ]
    for path in paths:
        found += alice.open(path).forms
    alice.open(f"/plain/games/{running}")
    while not any(form.button == "Play it" for form in alice.page.forms):
        alice.follow(re.compile(r"/move\?asked=\d+&"))
    return [(alice, form) for form in [*found, *alice.page.forms]]


def filled(form: Form) -> dict[str, str]:
    """The fields of a form, filled in so that it is accepted."""
    typed = {
        "handle": "aki",
        "address": "aki@example.org",
        "text": "Hello",
        "sure": "yes",
        "link": "http://localhost/games/g_" + "0" * 22,
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "first": "2026-12-24",
        "last": "2026-12-26",
    }
    boxes = {name: typed[name] for name in ("sure",) if name in form.options}
    return {name: value or typed.get(name, "") for name, value in form.fields.items()} | boxes


def test_every_form_changes_something_when_it_is_sent(app: Flask, cast: Cast) -> None:
    """So the refusals below have the right reason."""
    for reader, form in every_form(cast):
        if form.action in {"/plain/invited", "/plain/leave"}:
            continue
        stored = dump(app)
        if form.fields.get("do") == "language":
            form.fields["language"] = "ja"
        answer = reader.http.post(form.action, data=filled(form), headers=reader.headers)
        assert answer.status_code in {200, 303, 409}, (form, answer.text[:500])
        assert dump(app) != stored or answer.status_code == 409, form


def test_a_form_without_the_token_of_this_sign_in_changes_nothing(
    app: Flask, cast: Cast, reader: FormReader
) -> None:
    forms = every_form(cast)
    reader.open("/plain/me")
    others = reader.page.forms[0].fields["form"]
    visitor = FormReader(app).open("/plain/enter").forms[0].fields["form"]
    stored = dump(app)
    for alice, form in forms:
        own = form.fields["form"]
        for token in (None, "", "x", others, visitor, own[:-1], own + "A", own.lower(), "手"):
            fields = {**filled(form), "form": token or ""}
            if token is None:
                del fields["form"]
            answer = alice.http.post(form.action, data=fields)
            assert answer.json["type"] == "/problems/wrong-form", (form, token)
    assert dump(app) == stored


def test_other_sites_cannot_send_a_form(app: Flask, cast: Cast) -> None:
    """Even the right token does not help."""
    forms = every_form(cast)
    stored = dump(app)
    for alice, form in forms:
        for headers in FOREIGN[:7]:
            answer = alice.http.post(form.action, data=filled(form), headers=headers)
            assert answer.json["type"] == "/problems/cross-site"
    assert dump(app) == stored


def test_a_token_ends_with_its_sign_in(app: Flask, reader: FormReader) -> None:
    reader.open("/plain/me")
    form = reader.form("Save")
    reader.send("Sign out here")
    assert reader.path == "/plain"
    assert reader.http.post(form.action, data=form.fields).json["type"] == "/problems/not-signed-in"
    reader.arrive("Aki")
    assert reader.http.post(form.action, data=form.fields).json["type"] == "/problems/wrong-form"


def test_strangers_are_told_to_sign_in_before_anything_else(app: Flask, cast: Cast) -> None:
    """This holds for any form where the contract requires a sign-in; a browser gets the sign-in page, and
    comes back.
    """
    game_id = cast.start(CARAVAN)
    visitor = app.test_client()
    token = FormReader(app).open("/plain/enter").forms[0].fields["form"]
    asked = [
        each for each in operations() if each.path.startswith("/plain") and each.method == "post"
    ]
    stored = dump(app)
    for operation in (each for each in asked if all(each.spec["security"] or [{}])):
        path = path_of(operation, game_id)
        for sent in ({}, {"data": {"form": token}}, {"json": {}}, {"data": "%ff=\xff"}):
            answer = visitor.post(path, **sent)
            assert answer.json["type"] == "/problems/not-signed-in", (path, sent)
            page = visitor.post(path, headers={"Accept": "text/html"}, **sent)
            assert (page.status_code, page.mimetype) == (401, "text/html")
            assert "/plain/enter" in page.text
    assert len(asked) > 8 and dump(app) == stored


def test_a_bearer_token_is_for_programs(cast: Cast) -> None:
    game_id = cast.start(CARAVAN)
    for path in ("", "/me", "/enter", f"/games/{game_id}", f"/games/{game_id}/talk"):
        cast.bob.refused("GET", f"/plain{path}", "cookie-only")
    cast.bob.refused("POST", f"/plain/games/{game_id}/resignation", "cookie-only", data={})


def test_nobody_acts_at_the_tables_of_others(app: Flask, cast: Cast) -> None:
    """The forms are their own, but the tables are not."""
    forms = every_form(cast)
    mallory = reading(cast.mallory)
    token = mallory.open("/plain/me").forms[0].fields["form"]
    stored = dump(app)
    at_tables = [form for _, form in forms if re.search("/games/(?!.*/notes)", form.action)]
    assert len(at_tables) > 10
    for form in at_tables:
        answer = mallory.http.post(form.action, data={**filled(form), "form": token})
        assert answer.status_code in {403, 404, 409}, (form, answer.get_data())
    assert dump(app) == stored


def test_a_private_table_is_not_there(app: Flask, cast: Cast) -> None:
    private = cast.open(CARAVAN, private=True)
    for person in (cast.mallory, cast.nobody):
        for page in ("", "/history", "/proposals"):
            person.refused("GET", f"/plain/games/{private}{page}", "not-found")
    for page in ("/talk", "/move?asked=1"):
        cast.mallory.refused("GET", f"/plain/games/{private}{page}", "not-found")
        cast.nobody.refused("GET", f"/plain/games/{private}{page}", "not-signed-in")


def test_a_get_changes_nothing(app: Flask, cast: Cast) -> None:
    reader, game_id = reading(cast.alice), cast.start(CARAVAN)
    seen, done = [f"/plain/games/{game_id}", "/plain"], set[str]()
    stored = dump(app)
    while seen:
        path = seen.pop(0)  # pages near the table first: there are more pages than are read here
        if path in done or not path.startswith("/plain") or "step=" in path or len(done) > 80:
            continue
        done.add(path)
        seen += [link.partition("#")[0] for link, _ in reader.open(path).links]
    assert f"/plain/games/{game_id}/resignation" in done and len(done) > 15
    assert dump(app) == stored


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 403),
        (b"do=guest", 403),
        (b"\xff\xfe", 400),
        (b"name=%ff", 400),
        (b"form=a&form=b", 400),
        (b"&".join(b"f%d=1" % n for n in range(60)), 400),
        (b"=", 403),
        (b"%00=%00", 403),
        (b"x" * 70_000, 413),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_odd_bodies_are_refused(app: Flask, reader: FormReader, body: bytes, status: int) -> None:
    stored = dump(app)
    for path in ("/plain/enter", "/plain/me", "/plain/leave", "/plain/new/caravan"):
        kind = "application/x-www-form-urlencoded"
        answer = reader.http.post(path, data=body, content_type=kind)
        assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
        page = reader.http.post(path, data=body, content_type=kind, headers=reader.headers)
        assert (page.status_code, page.mimetype) == (status, "text/html")
    assert dump(app) == stored


@pytest.mark.parametrize(
    "kind", ["application/json", "multipart/form-data; boundary=x", "text/plain"]
)
def test_only_forms_are_read(reader: FormReader, kind: str) -> None:
    answer = reader.http.post("/plain/leave", data=b"{}", content_type=kind)
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "fly"},
        {"do": "language", "language": "xx"},
        {"do": "language", "time_zone": "Mars/Olympus"},
        {"do": "language", "time_zone": "../../etc/passwd"},
        {"do": "language", "unknown": "1"},
        {"do": "verify"},
        {"do": "mails", "digest": "8"},
        {"do": "mails", "quiet_from": "22:00"},
        {"do": "mails", "quiet_from": "22:00", "quiet_until": "22:00"},
        {"do": "mails", "mail-unknown": "yes"},
        {"do": "language", "digest": "08:00"},
        {"do": "verify", "link": "x"},
        {"do": "verify", "link": "http://localhost/#verify=" + "x" * 60},
        {"do": "verify", "link": "http://localhost/#sign-in=" + "x" * 60},
        {},
    ],
    ids=str,
)
def test_wrong_fields_change_nothing(
    app: Flask, reader: FormReader, fields: dict[str, str]
) -> None:
    token = reader.open("/plain/me").forms[0].fields["form"]
    stored = dump(app)
    answer = reader.http.post("/plain/me", data={**fields, "form": token}, headers=reader.headers)
    assert answer.status_code in {400, 401, 422} and answer.mimetype == "text/html"
    assert dump(app) == stored
