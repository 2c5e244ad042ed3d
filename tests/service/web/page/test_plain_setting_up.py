"""What is set up by forms without scripts: mails, invitations, and tables from opening them to leaving."""

from __future__ import annotations

import random
import re

from flask import Flask

from tests.service.web.page.test_plain_forms import reader, reading
from tests.support.cast import BOOMERANG, CARAVAN, Cast, sqlite_only
from tests.support.form_reader import Form, FormReader
from tests.support.post_office import Office

__all__ = ["reader"]

pytestmark = sqlite_only


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
    assert (
        "Times are in the time zone Asia/Tokyo" in alice.open("/plain/new/boomerang-auction").text
    )
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
