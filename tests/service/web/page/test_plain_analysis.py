"""The analysis of one's decisions without scripts: asked for, waited for, and read, decision by decision."""

from __future__ import annotations

import re

import pytest

from service.core.words.words import phrases
from service.operations.worker.analyses import Analyses
from tests.service.tables.play.analyses.conftest import FEW, finished
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.daily import House, drawn, played
from tests.support.dump import execute
from tests.support.form_reader import FormReader
from tests.support.thinking import in_turn

pytestmark = sqlite_only


def browser_of(app, person):
    """A text browser in which this person is signed in."""
    reader = FormReader(app)
    reader.http._cookies = dict(person.signed_in()["cookies"])
    return reader


def work(app):
    """Work out all that wait."""
    worker = Analyses(app.extensions["tegami"], in_turn, lambda *_: FEW)
    with app.app_context():
        worker.step()
        while worker.step():
            pass


@pytest.mark.parametrize("language", ["en", "ja"])
def test_decisions_are_analysed_without_scripts(app, cast, language):
    game_id, say = finished(cast), phrases(language).say
    execute(app, "UPDATE players SET language = :language", language=language)
    reader = browser_of(app, cast.alice)
    reader.open(f"/plain/games/{game_id}")
    reader.follow(say("page.analysis.start"))
    assert say("page.analysis.what") in reader.page.text
    reader.send(say("page.analysis.ask"))
    spoken = {"headers": {"Accept-Language": language}}
    api = cast.alice.get(f"/api/games/{game_id}/analysis", **spoken)
    assert say("page.analysis.progress", {"done": 0, "of": api["of"]}) in reader.page.text
    work(app)
    reader.follow(say("plain.refresh"))
    api = cast.alice.get(f"/api/games/{game_id}/analysis", **spoken)
    listed = [int(each) for each in re.findall(r"decision=(\d+)", reader.page.html)]
    numbers = [each["number"] for each in api["decisions"]]
    assert listed == api["turning_points"] + numbers, "the turning points first"
    for each in api["decisions"]:
        look_at(reader, say, each, numbers.index(each["number"]) + 1)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_deep_analysis_is_asked_for_without_scripts(app, cast, language):
    """The usual one is read until the deep one is done; and if that fails, it can be asked for again."""
    game_id, say = finished(cast), phrases(language).say
    execute(app, "UPDATE players SET language = :language", language=language)
    reader = browser_of(app, cast.alice)
    reader.open(f"/plain/games/{game_id}/analysis")
    reader.send(say("page.analysis.ask"))
    assert say("page.analysis.deep.what") not in reader.page.text
    work(app)
    reader.follow(say("plain.refresh"))
    assert say("page.analysis.deep.what") in reader.page.text
    reader.send(say("page.analysis.deep.ask"))
    of = cast.alice.get(f"/api/games/{game_id}/analysis")["of"]
    assert say("page.analysis.deep.progress", {"done": 0, "of": of}) in reader.page.text
    assert say("page.analysis.all") in reader.page.text
    execute(app, "UPDATE analyses SET failed = TRUE, ended_at = 1 WHERE thinker LIKE '%deep'")
    reader.follow(say("plain.refresh"))
    assert say("page.analysis.deep.failed") in reader.page.text
    reader.send(say("page.analysis.deep.ask"))
    work(app)
    reader.follow(say("plain.refresh"))
    assert say("page.analysis.deep.shown") in reader.page.text
    assert say("page.analysis.deep.what") not in reader.page.text


def test_a_deep_analysis_can_be_the_first_that_is_asked_for(app, cast):
    game_id, say = finished(cast), phrases("en").say
    reader = browser_of(app, cast.alice)
    reader.open(f"/plain/games/{game_id}/analysis")
    assert reader.form(say("page.analysis.ask"))
    reader.send(say("page.analysis.deep.ask"))
    assert say("page.analysis.progress", {"done": 0, "of": 0}) not in reader.page.text
    work(app)
    reader.follow(say("plain.refresh"))
    assert say("page.analysis.deep.shown") in reader.page.text


def look_at(reader, say, decision, place):
    """A decision, on the page of its own."""
    reader.open(re.sub(r"\?.*", "", reader.path) + f"?decision={decision['number']}")
    text = " ".join(reader.page.text.split())
    for each in decision["choices"]:
        assert " ".join(each["words"].split()) in text
    same = decision["choices"][0]["played"]
    assert (say("page.analysis.same") in text) == same
    assert say("page.analysis.go", {"n": place}) not in text
    assert say("plain.analysis.seen") in text


def test_a_decision_shows_what_the_others_held(app, cast):
    """And, above it, the table as the reader saw it, without that."""
    game_id = finished(cast)
    reader = browser_of(app, cast.alice)
    reader.open(f"/plain/games/{game_id}/analysis")
    reader.send("Start the analysis")
    work(app)
    number = cast.alice.get(f"/api/games/{game_id}/analysis")["decisions"][0]["number"]
    reader.open(f"/plain/games/{game_id}/analysis?decision={number}")
    parts = "<h2>The table as you saw it|<h2>What the others held|<ul class=.ways.>"
    seen, held = re.split(parts, reader.page.html)[2:4]
    for name in ("Bob", "Carol"):
        assert name in held
    assert "Alice" not in held
    assert "Alice" in seen


def test_only_whoever_sat_there_reads_it_and_only_when_the_game_is_over(app, cast, clock):
    game_id, running = finished(cast), cast.start(BOOMERANG)
    path = f"/plain/games/{game_id}/analysis"
    stranger, alice = browser_of(app, cast.mallory), browser_of(app, cast.alice)
    stranger.open(path, 403)
    FormReader(app).open(path, 401)
    alice.open(f"/plain/games/{running}/analysis", 409)
    alice.open(f"{path}?decision=3", 404)
    for reader, of in ((stranger, game_id), (alice, running), (FormReader(app), game_id)):
        page = reader.open(f"/plain/games/{of}")
        assert not [link for link, _ in page.links if link.endswith("/analysis")]


def test_the_analysis_of_a_daily_deal_is_offered_when_its_day_is_over(app, cast, clock):
    game_id = played(House(app), cast.alice, drawn(5))["id"]
    alice = browser_of(app, cast.alice)
    alice.open(f"/plain/games/{game_id}/analysis", 409)
    page = alice.open(f"/plain/games/{game_id}")
    assert not [link for link, _ in page.links if link.endswith("/analysis")]
    clock.forward(24 * 3600 * 1000)
    alice.open(f"/plain/games/{game_id}")
    alice.follow("Analyze my decisions")
    assert alice.form("Start the analysis")
