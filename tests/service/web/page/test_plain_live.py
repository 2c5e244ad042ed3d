"""Live games without scripts: a table is opened and begins, and a wish to be told of others is made, seen and ended."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.support.cast import CARAVAN, sqlite_only
from tests.support.form_reader import FormReader

pytestmark = sqlite_only


def arrived(app: Flask, *names: str) -> list[FormReader]:
    """People with text browsers."""
    readers = [FormReader(app) for _ in names]
    for reader, name in zip(readers, names, strict=True):
        reader.arrive(name)
    return readers


def told(reader: FormReader, path: str) -> Any:
    """What the API says."""
    return reader.http.get(f"/api{path}").json


def test_a_live_table_is_opened_without_scripts(app: Flask) -> None:
    """It is played at once by all; no house player, pace or rest is offered there."""
    aki, *others = arrived(app, "Aki", "Bo", "Cleo")
    aki.open("/plain")
    aki.follow("Live games")
    page = aki.follow("Open the table")
    form = next(each for each in page.forms if "live.3.0" in each.options.get("table", []))
    assert "3 players · 5 minutes" in page.text
    assert form.options["seats"] == ["public", "private"] and "pace" not in form.fields
    sent = {**form.fields, "table": "live.3.3"}
    aki.post(form.action, sent)
    path = aki.path
    assert "Everybody plays at once here" in aki.page.text
    for reader in others:
        reader.open(path)
        reader.send("Sit down")
    for reader in (aki, *others):
        reader.open(path)
        reader.send("I am here")
    game = told(aki, path.removeprefix("/plain"))
    assert (game["status"], game["options"]["tempo"]) == ("running", "live")
    assert game["options"]["minutes"] == 5
    aki.post(form.action, sent)
    assert aki.path == path, "a form is sent once"


def test_a_live_table_takes_no_house_players(app: Flask) -> None:
    (aki,) = arrived(app, "Aki")
    page = aki.open("/plain/new/2459n")
    form = next(each for each in page.forms if "live.3.0" in each.options.get("table", []))
    stored = told(aki, "/games?status=open")
    aki.post(form.action, {**form.fields, "seats": "house"}, 400)
    aki.post(form.action, {**form.fields, "table": "live.9.0"}, 400)
    assert told(aki, "/games?status=open") == stored
    assert not any("live." in str(each.options) for each in aki.open(f"/plain/new/{CARAVAN}").forms)


def test_a_wish_to_play_live_is_made_seen_and_ended_without_scripts(app: Flask) -> None:
    (aki,) = arrived(app, "Aki")
    page = aki.open("/plain/live")
    assert [each.fields["slug"] for each in page.forms if "slug" in each.fields] == ["2459n"]
    page = aki.send("Tell me when two others are waiting")
    assert "you cannot be told yet" in page.text, "a guest without an address"
    (wish,) = told(aki, "/me/live-wishes")["live_wishes"]
    assert (wish["ruleset"], wish["name"]) == ("2459n", "2459n!")
    form = aki.form("Do not tell me")
    for _ in range(2):
        page = aki.post(form.action, form.fields)
        assert told(aki, "/me/live-wishes") == {"live_wishes": []}
    assert any(each.button == "Tell me when two others are waiting" for each in page.forms)
    aki.post(form.action, {**form.fields, "do": "wish", "slug": CARAVAN}, 404)
    assert "Enter a name" in FormReader(app).open("/plain/live").text
