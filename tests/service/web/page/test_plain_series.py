"""Series without scripts: setting one up, joining and leaving it, its standings and rounds."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from service.core.settings.config import Config
from tests.service.web.page.test_plain_circles import buttons
from tests.service.web.page.test_plain_forms import reading
from tests.support import operator_command
from tests.support.cast import CARAVAN, START, Cast, sqlite_only
from tests.support.circles import found
from tests.support.clock import DAY
from tests.support.form_reader import FormReader
from tests.support.proposing import registered
from tests.support.series import enter, games, of, opened, work

pytestmark = sqlite_only


@pytest.fixture
def circle_id(cast: Cast) -> str:
    """A circle of Alice, with Bob and Carol."""
    registered(*cast.everybody)
    return found(cast.alice, cast.bob, cast.carol)


def hrefs(reader: FormReader) -> list[str]:
    return [href for href, _ in reader.page.links]


def test_a_series_is_set_up_and_joined_without_scripts(cast: Cast, circle_id: str) -> None:
    alice, carol = reading(cast.alice), reading(cast.carol)
    alice.open(f"/plain/circles/{circle_id}")
    assert "There is no series at the moment." in alice.page.text
    alice.follow("All series, and setting one up")
    assert f"/circles/{circle_id}/series" in hrefs(alice)
    alice.follow("Caravan")
    assert f"/circles/{circle_id}/series?ruleset=caravan" in hrefs(alice)
    sent = dict(alice.form("Set up a series").fields)
    alice.send("Set up a series", 400, name="Autumn league", starts_in="91")
    sent |= {"name": "Autumn league", "starts_in": "2", "round_days": "7", "repeats": "yes"}
    page = alice.post(f"/plain/circles/{circle_id}/series", sent)
    here = alice.path
    alice.post(f"/plain/circles/{circle_id}/series", sent)
    assert alice.path == here
    (made,) = cast.alice.get("/api/series")["series"]
    assert here == f"/plain/series/{made['id']}"
    assert page.title.startswith("Autumn league, season 1")
    assert f"/series/{made['id']}" in hrefs(alice)
    alice.send("Join the series")
    carol.open(f"/plain/circles/{circle_id}")
    carol.follow("Autumn league, season 1")
    carol.send("Join the series", at_once="2")
    assert "Alice" in carol.page.text and "Carol (you)" in carol.page.text
    carol.send("Save", at_once="3")
    assert cast.carol.get(of(made["id"]))["entry"]["at_once"] == 3


def test_standings_and_rounds_are_shown_without_scripts(
    app: Flask, cast: Cast, clock: Any, circle_id: str
) -> None:
    series_id = opened(cast.alice, circle_id, repeats=True)
    for person in (cast.alice, cast.carol):
        enter(person, series_id)
    clock.at = START + 2 * DAY
    work(app)
    carol, here = reading(cast.carol), f"/plain/series/{series_id}"
    carol.open(here)
    (game_id,) = games(cast.carol.get(of(series_id)))
    assert f"/plain/games/{game_id}" in hrefs(carol) and "being played" in carol.page.text
    cast.carol.post(f"/api/games/{game_id}/resignation", {}, 200)
    clock.forward(DAY)
    work(app)
    page = carol.open(here)
    assert "1. Alice, 2. Carol – over" in page.text and "It is over." in page.text
    assert "1Alice1" in page.text and "2Carol (you)0" in page.text
    assert "Points decide first." in page.text
    assert "Autumn league, season 2" in carol.open(f"/plain/circles/{circle_id}").text


def test_a_place_is_left_to_a_substitute_and_a_series_ended_without_scripts(
    app: Flask, cast: Cast, clock: Any, circle_id: str
) -> None:
    series_id = opened(cast.alice, circle_id)
    for person in (cast.alice, cast.carol):
        enter(person, series_id)
    clock.at = START + 2 * DAY
    work(app)
    enter(cast.bob, series_id)
    alice, carol = reading(cast.alice), reading(cast.carol)
    page = carol.open(f"/plain/series/{series_id}")
    assert "Substitutes Bob" in page.text and "End the series" not in buttons(carol)
    carol.send("Leave the series", 400)
    carol.open(f"/plain/series/{series_id}")
    page = carol.send("Leave the series", sure="yes")
    assert "take over the place of somebody who leaves" in page.text
    assert "Substitutes" not in page.text and "Bob" in page.text
    page = carol.send("Join the series")
    assert "You wait as a substitute." in page.text and "Substitutes Carol (you)" in page.text
    alice.open(f"/plain/series/{series_id}")
    alice.send("End the series", 400)
    alice.open(f"/plain/series/{series_id}")
    alice.send("End the series", sure="yes")
    assert alice.path == f"/plain/series/{series_id}" and "It is over." in alice.page.text
    unbegun = opened(cast.alice, circle_id)
    alice.open(f"/plain/series/{unbegun}")
    alice.send("End the series", sure="yes")
    assert alice.path == f"/plain/circles/{circle_id}/series"
    cast.alice.refused("GET", of(unbegun), "not-found")


def test_strangers_see_only_series_for_everybody_without_scripts(
    config: Config, cast: Cast, app: Flask, circle_id: str
) -> None:
    ours = opened(cast.alice, circle_id)
    operator_command.told(config, "series", "open", "Open league", CARAVAN)
    nobody, mallory = FormReader(app), reading(cast.mallory)
    for reader in (nobody, mallory):
        reader.open("/plain")
        page = reader.follow("Series")
        assert "Open league" in page.text and "Autumn league" not in page.text
        reader.open(f"/plain/series/{ours}", 404)
    mallory.open(f"/plain/circles/{circle_id}/series", 404)
    nobody.open("/plain/series")
    nobody.follow("Open league, season 1")
    assert "Series are for players with a confirmed email address." in nobody.page.text
    assert "Autumn league" in reading(cast.carol).open("/plain/series").text
