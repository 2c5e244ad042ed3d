"""Forms of the pages without scripts: only the person who was shown one can send it, and nobody else's
table changes.
"""

from __future__ import annotations

import random
import re

import pytest
from flask import Flask

from tests.contract import operations
from tests.service.web.http.test_cross_site import FOREIGN
from tests.support.cast import BOOMERANG, CARAVAN, Cast, Person, sqlite_only
from tests.support.dump import dump
from tests.support.every_operation import path_of
from tests.support.form_reader import Form, FormReader
from tests.support.post_office import Office

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
    seen, done = ["/plain"], set[str]()
    stored = dump(app)
    while seen:
        path = seen.pop()
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


def about_mails(reader: FormReader) -> Form:
    """The form on the page of settings."""
    forms = reader.open("/plain/me").forms
    return next(each for each in forms if each.fields.get("do") == "mails")


def test_one_says_which_mails_one_wants_and_when(app: Flask, cast: Cast) -> None:
    Office(app).address(cast.alice)
    alice = reading(cast.alice)
    fields = about_mails(alice).fields
    assert fields["mail-turn"] == fields["mail-nudge"] == "yes"
    del fields["mail-nudge"]
    times = {"digest": "08:30", "quiet_from": "22:00", "quiet_until": "07:00"}
    alice.post("/plain/me", {**fields, **times})
    settings = cast.alice.get("/api/me/settings")["settings"]
    assert settings["unwanted"] == ["nudge"]
    assert (settings["digest"], settings["quiet"]) == ("08:30", "22:00-07:00")
    cast.alice.send("PATCH", "/api/me/settings", json={"unwanted": ["digest", "turn"]})
    form = about_mails(alice)
    assert form.options["mail-turn"] == ["yes"] and form.fields["digest"] == "08:30"
    alice.post("/plain/me", {**form.fields, "digest": "", "quiet_from": "", "quiet_until": ""})
    settings = cast.alice.get("/api/me/settings")["settings"]
    assert settings["unwanted"] == ["turn", "digest"], "what is not asked for stays"
    assert settings["digest"] is settings["quiet"] is None


def test_a_guest_who_gets_no_mails_may_have_quiet_hours(cast: Cast, reader: FormReader) -> None:
    form = about_mails(reader)
    assert not {name for name in (*form.fields, *form.options) if name.startswith("mail-")}
    reader.post("/plain/me", {**form.fields, "quiet_from": "23:00", "quiet_until": "06:00"})
    settings = reader.http.get("/api/me/settings").json["settings"]
    assert settings["quiet"] == "23:00-06:00" and settings["unwanted"] == []


def test_friends_are_invited_by_mail(app: Flask, cast: Cast) -> None:
    office, alice, game_id = Office(app), reading(cast.alice), cast.open()
    alice.open(f"/plain/games/{game_id}")
    assert "Send the invitation" not in [form.button for form in alice.page.forms], "no address"
    office.address(cast.alice)
    alice.open(f"/plain/games/{game_id}")
    alice.send("Send the invitation", address="bea@example.net")
    assert "bea@example.net" in alice.page.text
    assert [mail["To"] for mail in office.deliver()] == ["bea@example.net"]
    alice.send("Send the invitation", status=400, address="bea")
    cast.carol.post(f"/api/games/{game_id}/seats")
    carol = reading(cast.carol).open(f"/plain/games/{game_id}")
    assert "bea@example.net" not in carol.html and "somebody invited by email" in carol.text


def test_a_table_is_opened_once(reader: FormReader) -> None:
    reader.open("/plain/new/caravan")
    form = reader.form("Play now against house players")
    reader.post(form.action, form.fields)
    first = reader.path
    reader.post(form.action, form.fields)
    assert reader.path == first
    assert len(reader.http.get("/api/games?mine=true").json["games"]) == 1


def test_what_was_said_is_said_once(cast: Cast) -> None:
    reader, game_id = reading(cast.alice), cast.start(CARAVAN)
    reader.open(f"/plain/games/{game_id}/talk")
    form = reader.form("Send")
    for _ in range(2):
        page = reader.post(form.action, {**form.fields, "text": "One\r\n<b>two</b> & "})
    assert page.html.count("One<br>&lt;b&gt;two&lt;/b&gt; &amp;") == 1
    said = cast.bob.get(f"/api/games/{game_id}/messages?channel=seats")["messages"]
    assert [each["text"] for each in said] == ["One\n<b>two</b> &"]


def test_a_pause_is_proposed_and_agreed_on(cast: Cast) -> None:
    alice, game_id = reading(cast.alice), cast.start(BOOMERANG)
    alice.open(f"/plain/games/{game_id}/proposals")
    alice.send("Propose a pause", days="3")
    carol = reading(cast.carol)
    assert "proposes a pause" in carol.open(f"/plain/games/{game_id}").text
    assert "Bob and you." in carol.open(f"/plain/games/{game_id}/proposals").text
    carol.send("Reject")
    assert "The table has not agreed" in carol.page.text


def test_a_seat_is_given_up_only_with_the_box_ticked(cast: Cast) -> None:
    alice, game_id = reading(cast.alice), cast.start(BOOMERANG)
    alice.open(f"/plain/games/{game_id}/resignation")
    assert "Tick the box first." in alice.send("Resign", status=400).text
    alice.open(f"/plain/games/{game_id}/resignation")
    assert "A house player is playing for you here." in alice.send("Resign", sure="yes").text
    assert "Take my seat back" not in alice.send("Take my seat back").text
    assert cast.alice.game(game_id)["seat"] is not None


def test_a_table_is_set_up_joined_and_started(app: Flask, cast: Cast) -> None:
    aki, bea = FormReader(app), FormReader(app)
    aki.arrive("Aki")
    aki.open("/plain/new/boomerang-auction")
    aki.send("Open the table", seats="private", pace="daily")
    table = aki.path
    link = re.search(r"http://localhost/games/\S+#invitation=\w+", aki.page.text)
    assert link
    bea.arrive("Bea")
    bea.open(table, status=404)
    bea.open("/plain/invited")
    page = bea.send("Continue", link=link[0])
    assert "Boomerang Auction" in page.title and "Aki" in page.text
    bea.send("Sit down")
    assert bea.path == table
    aki.open(table)
    assert "Remove Bea" in [form.button for form in aki.page.forms]
    aki.send("Add a house player")
    assert "2 of 3" not in aki.page.text
    for each in (aki, bea):
        text = each.open(table).text
        assert "Choose a move" in text or "Waiting for" in text


def test_a_table_is_opened_that_rests(cast: Cast) -> None:
    alice = reading(cast.alice)
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    wish = {"seats": "public", "pace": "daily", "rest": "weekends"}
    assert "Times are those of Asia/Tokyo" in alice.open("/plain/new/boomerang-auction").text
    alice.send("Open the table", open_from="09:00", status=400, **wish)
    alice.open("/plain/new/boomerang-auction")
    alice.send("Open the table", status=422, **{**wish, "pace": "quick"})
    alice.open("/plain/new/boomerang-auction")
    alice.send("Open the table", open_from="09:00", open_until="21:00", **wish)
    rests = "A move a day, rests at weekends, and outside 09:00–21:00"
    assert rests in alice.page.text
    rest = cast.alice.get("/api/games?mine=true")["games"][0]["pace"]["rest"]
    assert (rest["time_zone"], rest["days"], rest["open"]) == ("Asia/Tokyo", [6, 7], "09:00-21:00")
    assert rests in reading(cast.bob).open("/plain").text


def test_a_table_rests_on_any_days(cast: Cast) -> None:
    alice = reading(cast.alice)
    form = alice.open("/plain/new/boomerang-auction").text
    assert all(day in form for day in ("Monday", "Wednesday", "Sunday"))
    days = {f"rest-{day}": "yes" for day in (1, 3, 7)}
    alice.send("Open the table", seats="public", pace="daily", rest="weekends", **days)
    assert "rests on Monday, Wednesday, Saturday and Sunday" in alice.page.text
    alice.open("/plain/new/boomerang-auction")
    days = {f"rest-{day}": "yes" for day in range(1, 7)}
    alice.send("Open the table", status=422, seats="public", pace="daily", **days)


def test_one_leaves_before_the_start(cast: Cast) -> None:
    mallory, game_id = reading(cast.mallory), cast.open()
    mallory.open(f"/plain/games/{game_id}")
    mallory.send("Sit down")
    assert "(you)" in mallory.page.text
    mallory.send("Leave the table")
    assert mallory.path == "/plain"
    assert len(cast.alice.game(game_id)["seats"]) == 1


def test_an_invitation_is_looked_at_declined_and_accepted(app: Flask, cast: Cast) -> None:
    Office(app).address(cast.alice, cast.mallory, cast.carol)
    game_id = cast.open(private=True)
    for name in ("mallory", "carol"):
        address = {"address": f"{name}@example.org"}
        cast.alice.post(f"/api/games/{game_id}/invitations", address)
    mallory, carol = reading(cast.mallory), reading(cast.carol)
    mallory.open("/plain")
    mallory.follow("Alice invites you to play Boomerang Auction.")
    mallory.send("Decline")
    assert mallory.path == "/plain" and "invites you" not in mallory.page.text
    hidden = mallory.open(f"/plain/games/{game_id}", status=404)
    assert ("/plain/invited", "Open a table with a link") in hidden.links
    carol.open("/plain")
    carol.follow("Alice invites you to play Boomerang Auction.")
    carol.send("Sit down")
    assert "(you)" in carol.page.text


def test_the_next_table_is_one_link_away(cast: Cast) -> None:
    games = [cast.start(CARAVAN), cast.start(CARAVAN)]
    alice = reading(cast.alice)
    alice.open(f"/plain/games/{games[0]}")
    assert alice.page.title.startswith("●")
    alice.choose(random.Random(1))
    assert not alice.page.title.startswith("●")
    alice.follow("Next table: Caravan")
    assert alice.path == f"/plain/games/{games[1]}" and alice.page.title.startswith("●")


def test_strangers_watch_and_are_offered_nothing(cast: Cast) -> None:
    game_id = cast.start(CARAVAN)
    for person in (cast.mallory, cast.nobody):
        watcher = reading(person)
        for page in ("", "/history", "/proposals"):
            shown = watcher.open(f"/plain/games/{game_id}{page}")
            assert shown.forms == [] and "/move" not in shown.html
    asked = cast.alice.game(game_id)["asked"]
    page = reading(cast.mallory).open(f"/plain/games/{game_id}/move?asked={asked}&place=0")
    assert page.forms == []
    cast.mallory.refused("GET", f"/plain/games/{game_id}/resignation", "not-seated")
