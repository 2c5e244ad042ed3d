"""Without scripts: a text browser plays games against house players, from a name to the result."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

import rules
from service.operations.worker.house_players import HousePlayers
from tests.service.tables.play.test_hidden_information import cards, known
from tests.support.cast import sqlite_only
from tests.support.form_reader import FormReader, Page
from tests.support.thinking import in_turn

pytestmark = sqlite_only

EACH_TIME = (
    "boomerang-auction",
    "caravan",
    "trunk-and-peddler",
    "auction-draw",
    "abbott-auction",
)
"""A game of each kind; the others need --thorough."""
GAMES = [
    pytest.param(slug, marks=[] if slug in EACH_TIME else pytest.mark.thorough)
    for slug in rules.slugs()
]
MOST = 400
"""The number of decisions after which an unfinished game has gone wrong."""
ACTIONS = re.compile(r"(?:/move\?asked=\d+(?:&step=[\d.]+)?(?:&place=\d+)?|/history\?after=\d+)$")


@pytest.fixture
def house(app: Flask) -> Callable[[], None]:
    """Let house players play until a person is asked, or the game is over."""
    players = HousePlayers(app.extensions["tegami"], random.Random(3), in_turn())

    def settle() -> None:
        with app.app_context():
            while players.move_all():
                pass

    return settle


@pytest.fixture
def reader(app: Flask) -> FormReader:
    """Aki, with a text browser."""
    reader = FormReader(app)
    reader.arrive("Aki")
    return reader


def at_a_table(reader: FormReader, slug: str) -> str:
    """The address of a new table of this game, which the reader opens against house players."""
    reader.open("/plain")
    reader.follow(re.compile(f"/plain/new/{slug}$"))
    reader.send("Play now against house players")
    return reader.path


def decisions(
    reader: FormReader, table: str, settle: Callable[[], None], rng: random.Random
) -> Iterator[Page]:
    """Plays to the end; the page of the table before each decision."""
    for _ in range(MOST):
        settle()
        page = reader.open(table)
        if "The game is over." in page.text:
            return
        yield page
        assert reader.choose(rng), page.text
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("slug", GAMES)
def test_a_text_browser_plays_a_whole_game(
    reader: FormReader, house: Callable[[], None], slug: str
) -> None:
    table = at_a_table(reader, slug)
    assert not postmarked(reader, table)
    name = rules_name(reader, slug)
    for page in decisions(reader, table, house, random.Random(slug)):
        assert name in page.title
        assert not cards([page.title, *(path for path, _ in page.links)])
    assert postmarked(reader, table)
    assert "Play again" in [form.button for form in reader.page.forms], "with programs alone"
    told = reader.http.get(f"/api{table.removeprefix('/plain')}/deals").json
    said = [each["words"] for deal in told["deals"] for each in (deal, *deal["entries"])]
    said += [zone["words"] for zone in told["hidden"]]
    assert all(re.sub(r"\s+", " ", words) in reader.page.text for words in said)
    reader.follow("History")
    while any(words == "Earlier" for _, words in reader.page.links):
        reader.follow("Earlier")
    assert "The game begins." in reader.page.text
    reader.open("/plain/finished")
    assert table in [path for path, _ in reader.page.links]
    assert postmarked(reader, "/plain/finished")


def postmarked(reader: FormReader, path: str) -> bool:
    """Whether the stamp on a page is cancelled with a date."""
    return (
        re.search(
            r'class="postmark".*?<text y="6">\d+ [A-Z][a-z]+</text>', reader.http.get(path).text
        )
        is not None
    )


def rules_name(reader: FormReader, slug: str) -> str:
    name: str = reader.http.get(f"/api/rulesets/{slug}").json["name"]
    return name


def test_pages_show_what_their_reader_may_know(
    app: Flask, reader: FormReader, house: Callable[[], None]
) -> None:
    """This includes every step of choosing, the history, and the view of a stranger."""
    table = at_a_table(reader, "caravan")
    game_id = table.rpartition("/")[2]
    seat = reader.http.get(f"/api/games/{game_id}").json["seat"]
    stranger = FormReader(app)
    played = decisions(reader, table, house, random.Random(2))
    for _ in range(4):
        page = next(played)
        mine = known(app, game_id, seat)
        steps = [path for path, _ in page.links if "/move?" in path]
        for path in (table, f"{table}/history", f"{table}/proposals", *steps):
            shown = reader.open(path)
            assert cards(shown.html) <= mine
            assert not cards([path, shown.title])
            assert all(ACTIONS.search(link) for link, _ in shown.links if "?a" in link)
        for path in (table, f"{table}/history", f"{table}/proposals"):
            assert cards(stranger.open(path).html) <= known(app, game_id, None)
        assert stranger.open(table).forms == []
        reader.open(table)


def test_a_question_that_has_been_answered_is_explained(
    reader: FormReader, house: Callable[[], None]
) -> None:
    table = at_a_table(reader, "boomerang-auction")
    played = decisions(reader, table, house, random.Random(5))
    before = next(played)
    step = next(path for path, _ in before.links if "/move?" in path)
    after = next(played)
    shown = reader.open(step)
    assert "The table has moved on" in shown.text
    assert [link for link in shown.links if "/move?" in link[0]] == [
        link for link in after.links if "/move?" in link[0]
    ]


def test_a_move_that_is_sent_twice_is_played_once(
    reader: FormReader, house: Callable[[], None]
) -> None:
    table = at_a_table(reader, "boomerang-auction")
    house()
    confirm(reader, table)
    form = reader.form("Play it")
    number = events(reader, table)
    for _ in range(2):
        reader.post(form.action, form.fields)
        assert reader.path == table
    assert events(reader, table) == number + 1
    other = {**form.fields, "action": '{"type":"pass","extra":1}'}
    page = reader.post(form.action, other)
    assert "You have already answered" in page.text or "moved on" in page.text
    assert events(reader, table) == number + 1


def confirm(reader: FormReader, table: str) -> None:
    """Go to the page that asks for confirmation of the first move."""
    reader.open(table)
    while not any(form.button == "Play it" for form in reader.page.forms):
        reader.follow(re.compile(r"/move\?asked=\d+&"))


def events(reader: FormReader, table: str) -> int:
    """The number of logged events."""
    number: int = reader.http.get(f"/api{table.removeprefix('/plain')}").json["number"]
    return number


@pytest.mark.parametrize(
    "action",
    [
        "",
        "{",
        "[]",
        "7",
        '"pass"',
        "{}",
        '{"type": 7}',
        '{"type": "pass", "type": "bid"}',
        '{"type": "fly"}',
        '{"type": "pass", "seat": 1}',
        "[" * 3000,
        '{"type": "\\ud800"}',
        '{"type": NaN}',
        "\x00",
        "手" * 7000,
    ],
)
def test_an_action_that_is_not_legal_changes_nothing(
    reader: FormReader, house: Callable[[], None], action: str
) -> None:
    table = at_a_table(reader, "caravan")
    house()
    confirm(reader, table)
    form, number = reader.form("Play it"), events(reader, table)
    answer = reader.http.post(
        form.action, data={**form.fields, "action": action}, headers=reader.headers
    )
    assert answer.status_code in {200, 400} and answer.mimetype == "text/html"
    assert "Play it" not in answer.text
    assert events(reader, table) == number
