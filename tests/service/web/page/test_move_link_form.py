"""The form behind a link in a mail: it leads to a move step by step, only by links, for one seat and one question."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.core.database.database import db
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import MOST_CHOICES
from tests.service.tables.play.test_hidden_information import cards, known
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.each_game import each_ruleset
from tests.support.post_office import Office, part
from tests.support.post_office import moves as links_in

LINK = re.compile(r'<li><a class="button" href="http://localhost([^"]+)">')
BACK = re.compile(r'<p><a href="http://localhost([^"]+)">')
MANY = 5
"""The number of decisions of a game that are made through forms."""


@pytest.fixture
def form(app):
    """The path of the form that answers somebody's present question in a game."""

    def made(person, game_id):
        with app.app_context():
            url = GameForReader(app.extensions["tegami"], find(game_id), person.id, "en").form_url
            db.session.rollback()
        return url.removeprefix("http://localhost")

    return made


@pytest.fixture
def asked(cast, form):
    """Somebody with many choices in a new game, its id, and the path of the form."""
    game_id = cast.start(CARAVAN)
    person, game = cast.asked(game_id)
    assert len(game["legal"]) > MOST_CHOICES
    return person, game_id, form(person, game_id)


def shown(client, path, method="GET", status=200):
    """The page at a path."""
    answer = client.http.open(path, method=method)
    assert answer.status_code == status, answer.get_data(as_text=True)[:500]
    return answer.get_data(as_text=True)


def options(page):
    """The paths that a step leads to."""
    return [html.unescape(path) for path in LINK.findall(page)]


def chosen(client, path, rng):
    """The path of a move that the form leads to."""
    for _ in range(30):
        following = options(shown(client, path))
        path = rng.choice(following)
        if "step=" not in path:
            return path
    raise AssertionError("thirty steps led to no move")


def every_page(client, path) -> Iterator[str]:
    """Every step of a form."""
    page = shown(client, path)
    yield page
    for each in options(page):
        if "step=" in each:
            yield from every_page(client, each)


@each_ruleset
@sqlite_only
def test_every_game_can_be_played_through_forms(app, cast, form, ruleset):
    rng = random.Random(ruleset.slug)
    players = ruleset.players[0]
    if ruleset.live(players, ruleset.settle(players, {})):
        pytest.skip("not played here yet")
    wish = {"players": players, "house": max(0, players - 3)}
    game_id = cast.start(ruleset.slug, version=ruleset.version, **wish)
    for _ in range(MANY):
        person, game = cast.asked(game_id)
        move = chosen(cast.nobody, form(person, game_id), rng)
        assert '<form method="post">' in shown(cast.nobody, move)
        page = shown(cast.nobody, move, "POST")
        assert "Played" in page
        after = person.game(game_id)
        assert after["number"] > game["number"] and after["asked"] > game["asked"]


def test_every_move_can_be_reached_in_exactly_one_way(app, cast, asked):
    person, game_id, path = asked
    stored = dump(app)
    found = [each for page in every_page(cast.nobody, path) for each in options(page)]
    found = [each for each in found if "step=" not in each]
    legal = person.game(game_id)["legal"]
    places = sorted(int(each.rpartition(".")[2]) for each in found)
    assert places == list(range(len(legal)))
    assert dump(app) == stored


def test_each_step_leads_back_to_the_one_before(cast, asked):
    path, before = asked[2], []
    while "step=" in path or not before:
        page = shown(cast.nobody, path)
        assert BACK.findall(page) == before
        before, path = [path], options(page)[0]
    assert "step=" in before[0]


@sqlite_only
def test_addresses_name_no_card(cast, asked):
    path = asked[2]
    assert re.fullmatch(r"/moves/t_\w{22}\.[\w-]{43}\.\d+", path)
    for page in every_page(cast.nobody, path):
        for each in options(page):
            assert re.fullmatch(r"/moves/t_\w{22}\.[\w-]{43}\.\d+(\.\d+|\?step=\d+(\.\d+)*)", each)


def test_a_form_shows_what_its_seat_sees_and_nothing_else(app, cast, asked):
    person, game_id, path = asked
    may_know = known(app, game_id, person.game(game_id)["seat"])
    for page in every_page(cast.mallory, path):
        assert cards(page) <= may_know


def test_the_form_needs_no_script(cast, asked):
    answer = cast.nobody.http.get(asked[2])
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(r"<script|<form|\sstyle=|\son\w+=", answer.text)


@pytest.mark.parametrize("step", ["99", "0.99", "0.0.0.0.0", "00000.99999"])
@sqlite_only
def test_unknown_steps_begin_anew(cast, asked, step):
    beginning = options(shown(cast.nobody, asked[2]))
    assert options(shown(cast.nobody, f"{asked[2]}?step={step}")) == beginning


@pytest.mark.parametrize(
    "step",
    [
        "",
        "x",
        "-1",
        "1.",
        ".1",
        "1..2",
        "1,2",
        "%00",
        "%D9%A5",
        "1%0A",
        "9" * 6,
        "0." * 60 + "0",
        "0&more=1",
    ],
)
@sqlite_only
def test_invalid_steps_are_refused(cast, asked, step):
    cast.nobody.refused("GET", f"{asked[2]}?step={step}", "invalid-query")


def test_a_form_plays_nothing(app, cast, asked):
    stored = dump(app)
    cast.nobody.refused("POST", asked[2], "not-found")
    cast.nobody.refused("POST", f"{asked[2]}?step=0", "not-found")
    assert dump(app) == stored


def test_an_outdated_form_shows_the_present_table(app, cast, asked):
    person, game_id, path = asked
    cast.play(game_id, most=6)
    stored = dump(app)
    for each in (path, f"{path}?step=0"):
        page = shown(cast.nobody, each)
        assert "The table has moved on" in page and "step=" not in page
        assert cards(page) <= known(app, game_id, person.game(game_id)["seat"])
    assert dump(app) == stored


def test_after_the_end_a_form_shows_the_end(cast, asked):
    _, game_id, path = asked
    cast.play(game_id)
    assert options(shown(cast.nobody, path)) == []


@pytest.mark.parametrize("method", ["GET", "POST"])
@sqlite_only
def test_altered_links_are_not_found(app, cast, asked, method):
    person, game_id, path = asked
    tenure, signature, asked_for = path.rpartition("/")[2].split(".")
    other = next(each for each in cast.seated[:2] if each is not person).game(game_id)["tenure"]
    swapped = signature[:5] + ("A" if signature[5] != "A" else "B") + signature[6:]
    move = chosen(cast.nobody, path, random.Random(3)).rpartition("/")[2]
    wrong = [
        (other, signature, asked_for),
        (tenure, swapped, asked_for),
        (tenure, signature, str(int(asked_for) + 1)),
        (tenure, signature, "0" + asked_for),
        (tenure, signature, asked_for, "0"),  # the signature of a form is not that of a move
        tuple(move.split(".")[:3]),  # and the other way round
    ]
    stored = dump(app)
    for parts in wrong:
        cast.nobody.refused(method, "/moves/" + ".".join(parts), "not-found")
        cast.nobody.refused(method, "/moves/" + ".".join(parts) + "?step=0", "not-found")
    assert dump(app) == stored


@sqlite_only
def test_links_of_another_server_are_not_found(app, cast, asked):
    """The other server has a different secret key."""
    services = app.extensions["tegami"]
    config = type(services.config)(**{**vars(services.config), "secret_key": b"\1" * 32})
    app.extensions["tegami"] = replace(services, config=config)
    cast.nobody.refused("GET", asked[2], "not-found")


def test_links_end_when_the_seat_changes_hands(app, cast, form):
    game_id = cast.start()
    person, _ = cast.asked(game_id)
    path = form(person, game_id)
    assert options(shown(cast.nobody, path))
    person.post(f"/api/games/{game_id}/resignation", status=200)
    stored = dump(app)
    for each in (path, f"{path}?step=0"):
        cast.nobody.refused("GET", each, "not-found")
    page = cast.nobody.send("GET", path, headers={"Accept": "text/html"})
    assert (page.status_code, "A house player has your seat" in page.text) == (200, True)
    assert dump(app) == stored


def test_a_mail_with_many_choices_links_the_form_and_the_table(app, cast, form):
    office = Office(app)
    office.address(cast.alice)
    office.address(cast.bob, language="ja")
    game_id = cast.start(CARAVAN)
    letters = {str(letter["To"]): letter for letter in office.deliver()}
    for person, words in ((cast.alice, "Choose a move"), (cast.bob, "手を選ぶ")):
        letter = letters[f"{person.name.lower()}@example.org"]
        path = form(person, game_id)
        assert links_in(letter) == [path]
        assert f'href="http://localhost{path}"' in part(letter, "html")
        assert f"http://localhost/tables/{person.game(game_id)['tenure']}." in part(letter)
        assert words in part(letter, "html") and words in shown(cast.nobody, path)


@pytest.mark.both_databases
def test_after_a_move_the_next_form_is_linked(cast, form, asked):
    person, game_id, path = asked
    move = chosen(cast.nobody, path, random.Random(1))
    shown(cast.nobody, move, "POST")
    while True:
        other, game = cast.asked(game_id)
        if other is person and len(game["legal"]) > MOST_CHOICES:
            break
        other.answer(game)
    page = shown(cast.nobody, move)
    assert "You have played this already" in page
    assert f'href="http://localhost{form(person, game_id)}"' in page
