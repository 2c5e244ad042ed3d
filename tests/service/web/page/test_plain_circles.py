"""Circles, following and inviting people by name, without scripts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.web.app import create_app
from service.web.http.limits.rate_limits import WINDOWS, count_anew
from tests.service.web.page.test_plain_forms import reading
from tests.support.cast import BOOMERANG, Cast, Person, sqlite_only
from tests.support.circles import found, path
from tests.support.form_reader import FormReader
from tests.support.proposing import registered
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only


@pytest.fixture
def cast(cast: Cast) -> Cast:
    """Everybody has a verified address."""
    registered(*cast.everybody)
    return cast


def buttons(reader: FormReader) -> list[str]:
    return [form.button for form in reader.page.forms]


def unread(person: Person) -> int:
    (circle,) = person.get("/api/me/circles")["circles"]
    return int(circle["unread"])


def test_each_form_counts_as_what_it_does(config: Config, runtime: Runtime) -> None:
    app = create_app(replace(config, rate_limits=True), runtime)
    alice, bob = Person(app, "Alice"), Person(app, "Bob")
    registered(alice, bob)
    circle_id = found(alice, bob)
    bob.post(path(circle_id, "messages"), {"text": "rude words"})
    reader, here = reading(alice), f"/plain/circles/{circle_id}"
    count_anew(app)
    for where, button, fields, limit in (
        ("/plain/people", "Start a circle", {"name": "Tuesday club"}, "circles"),
        (here, "Send", {"text": "Who plays?"}, "messages"),
        (here, "Make a new link", {}, "circles"),
        (here, "Report to the operator", {}, "reports"),
    ):
        reader.open(where)
        reader.send(button, **fields)
        assert counted(app) == {limit}, button
    disconnect(app)


def counted(app: Flask) -> set[str]:
    """The limits to which requests have counted since this was last asked."""
    names = {name for name, _ in app.extensions[WINDOWS]._windows}
    count_anew(app)
    return names


def test_people_are_followed_and_circles_founded_without_scripts(cast: Cast) -> None:
    game_id = cast.start(BOOMERANG)
    alice, carol = reading(cast.alice), reading(cast.carol)
    alice.open(f"/plain/games/{game_id}/talk")
    page = alice.send("Follow Carol")
    assert "Carol" in page.text and "Unfollow Carol" in buttons(alice)
    carol.open("/plain/people")
    carol.send("Stop Alice from following me")
    assert cast.alice.get("/api/me/follows")["follows"] == []
    alice.open("/plain/people")
    page = alice.send("Start a circle", name="Monday club")
    assert page.title.startswith("Monday club")
    (circle,) = cast.alice.get("/api/me/circles")["circles"]
    assert circle["name"] == "Monday club"
    alice.open("/plain/people")
    alice.send("Start a circle", 422, name="see example.org")
    form = alice.open("/plain/people").forms[0].fields["form"]
    alice.post("/plain/people", {"form": form, "do": "follow", "game": game_id}, 400)
    alice.post("/plain/people", {"form": form, "do": "found"}, 400)


def test_a_circle_is_joined_and_played_in_without_scripts(app: Flask, cast: Cast) -> None:
    circle_id = found(cast.alice)
    link = cast.alice.get(path(circle_id))["link"]["url"]
    carol = reading(cast.carol)
    carol.open(f"/plain/circles/{circle_id}", 404)
    carol.open("/plain/invited")
    page = carol.send("Continue", link=link)
    assert "Alice invites you to this circle. Members: 1." in page.text
    page = carol.send("Join")
    assert "Carol (you)" in page.text
    carol.send("Send", text="Who plays?")
    assert "Who plays?" in carol.page.text
    carol.open(f"/plain/circles/{circle_id}")
    carol.follow("Caravan")
    carol.send("Open the table")
    (table,) = cast.alice.get(path(circle_id, "games"))["games"]
    assert table["private"]
    alice = reading(cast.alice)
    page = alice.open(f"/plain/circles/{circle_id}")
    assert f"/plain/games/{table['id']}" in [href for href, _ in page.links]
    assert unread(cast.alice) == 1, "a browser may have fetched the page that nobody has looked at"
    alice.send("Send", text="I do.")
    assert unread(cast.alice) == 0
    nobody = FormReader(app)
    nobody.open(f"/plain/circles/{circle_id}", 401)


def test_a_host_removes_hands_over_and_leaves_without_scripts(cast: Cast) -> None:
    circle_id = found(cast.alice, cast.carol, cast.mallory)
    alice = reading(cast.alice)
    alice.open(f"/plain/circles/{circle_id}")
    alice.send("Remove Mallory")
    assert "Let Mallory join again" in buttons(alice)
    cast.mallory.refused("GET", path(circle_id), "not-found")
    alice.send("Let Mallory join again")
    alice.send("Save", name="Tuesday club", about="Slow games.")
    assert "Slow games." in alice.page.text
    alice.send("Make a new link")
    alice.send("Leave the circle", 400)
    alice.open(f"/plain/circles/{circle_id}")
    alice.send("Make Carol the host")
    assert "Save" not in buttons(alice)
    alice.send("Leave the circle", sure="yes")
    cast.alice.refused("GET", path(circle_id), "not-found")
    carol = reading(cast.carol)
    carol.open(f"/plain/circles/{circle_id}")
    carol.send("End the circle", sure="yes")
    cast.carol.refused("GET", path(circle_id), "not-found")


def test_a_table_opens_each_week_without_scripts(cast: Cast) -> None:
    circle_id = found(cast.alice, cast.carol)
    carol = reading(cast.carol)
    carol.open(f"/plain/circles/{circle_id}")
    carol.follow("Caravan")
    page = carol.send("Open the table", weekday="1", weekly_at="19:30")
    assert "opens next on" in page.text and "19:30 in UTC" in page.text
    (weekly,) = cast.alice.get(path(circle_id))["weeklies"]
    assert (weekly["weekday"], weekly["time"]) == (1, "19:30")
    assert cast.alice.get(path(circle_id, "games"))["games"] == []
    carol.send("Stop opening Caravan each week")
    assert cast.alice.get(path(circle_id))["weeklies"] == []


def test_messages_are_hidden_and_reported_without_scripts(cast: Cast) -> None:
    circle_id = found(cast.alice, cast.carol)
    cast.carol.post(path(circle_id, "messages"), {"text": "rude words"})
    alice = reading(cast.alice)
    alice.open(f"/plain/circles/{circle_id}")
    alice.send("Report to the operator")
    alice.send("Hide this")
    assert "rude words" not in alice.page.text
    cast.mallory.refused("GET", path(circle_id), "not-found")


def test_players_are_invited_by_handle_and_because_one_follows_them(cast: Cast) -> None:
    game_id = cast.start(BOOMERANG)
    body = {"game": game_id, "tenure": cast.carol.game(game_id)["tenure"]}
    cast.alice.post("/api/me/follows", body)
    table = cast.open(BOOMERANG)
    alice = reading(cast.alice)
    alice.open(f"/plain/games/{table}")
    alice.send("Invite Carol")
    alice.send("Invite", handle="mallory")
    sent = cast.alice.get(f"/api/games/{table}/invitations")["invitations"]
    assert sorted(each["name"] for each in sent) == ["Carol", "Mallory"]
    alice.open(f"/plain/games/{table}")
