"""The daily deal without scripts: begun, played, and compared by links and forms."""

from __future__ import annotations

import random
import re

import pytest

from service.core.runtime.units import DAY
from service.core.words.words import phrases
from tests.support.cast import sqlite_only
from tests.support.daily import TODAY, House
from tests.support.dump import execute
from tests.support.form_reader import FormReader

pytestmark = sqlite_only


@pytest.fixture
def reader(app):
    """Somebody with a text browser."""
    reader = FormReader(app)
    reader.arrive("Aki")
    return reader


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_day_is_played_without_scripts(app, cast, clock, language):
    house = House(app)
    stranger = FormReader(app, language).open("/plain/daily")
    assert not [each for each in stranger.forms if "/daily/" in each.action]
    reader = FormReader(app)
    reader.arrive("Aki")
    execute(app, "UPDATE players SET language = :language", language=language)
    page = reader.open("/plain/daily")
    title = phrases(language).say("page.daily.title")
    assert title in page.title and title in stranger.title
    (begin,) = [each for each in page.forms if "/daily/" in each.action]
    assert page.html.count("<table>") == 0
    reader.post(begin.action, begin.fields)
    assert re.fullmatch(r"/plain/games/g_\w+", reader.path)
    game_id = reader.path.rpartition("/")[2]
    play(app, house, reader, game_id)
    page = reader.open(f"/plain/daily/{TODAY}?friend=12w")
    assert phrases(language).say("page.daily.friend.won", {"n": 12}) in page.text
    assert page.html.count("<table>") == 2
    assert f"/daily/{TODAY}?friend=" in page.text
    assert 'aria-current="true"' in page.html
    clock.forward(DAY)
    later = reader.open(f"/plain/daily/{TODAY}")
    assert TODAY in later.text
    reader.open("/plain/daily/2026-02-30", 404)


def play(app, house, reader, game_id):
    """The reader's game, played to its end through the API."""
    rng = random.Random(3)
    while True:
        house.settle()
        game = reader.http.get(f"/api/games/{game_id}").json
        if game["result"]:
            return
        action = rng.choice(game["legal"])["action"]
        body = {"asked": game["asked"], "action": action}
        reader.http.post(f"/api/games/{game_id}/actions", json=body)


def test_the_commitments_are_told_before(app, cast, clock):
    """That of the day, and that of the next one."""
    shown = cast.alice.get("/api/daily-deals/today")
    text = FormReader(app).open("/plain/daily").text
    assert shown["commitment"] in text and shown["next"]["commitment"] in text


def test_somebody_who_is_new_comes_back_to_the_day(app):
    reader = FormReader(app)
    reader.open(f"/plain/daily/{TODAY}")
    reader.follow(re.compile("^/plain/enter"))
    reader.send("Play with this name", name="Aki")
    reader.follow(re.compile(f"^/plain/daily/{TODAY}$"))
    assert [each for each in reader.page.forms if "/daily/" in each.action]


def test_the_lobby_without_scripts_leads_there(reader):
    reader.open("/plain")
    reader.follow(re.compile("^/plain/daily$"))
    assert "Daily deal" in reader.page.title


def test_a_form_sent_twice_leads_to_the_same_game(reader):
    page = reader.open("/plain/daily")
    (begin,) = [each for each in page.forms if "/daily/" in each.action]
    reader.post(begin.action, begin.fields)
    first = reader.path
    reader.post(begin.action, begin.fields)
    assert reader.path == first
