"""Links in mails that play a move: a GET shows, a POST plays, for one seat and one question."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

from service.core.database.database import db
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import MOST_CHOICES
from tests.service.tables.play.test_hidden_information import cards, known
from tests.support.cast import sqlite_only
from tests.support.dump import dump, execute


@pytest.fixture
def links(app):
    """The paths that play somebody's legal actions in a game, by the words of the action."""

    def made(person, game_id, language="en"):
        with app.app_context():
            game = GameForReader(app.extensions["tegami"], find(game_id), person.id, language)
            paths = {
                each.words: each.url.removeprefix("http://localhost") for each in game.choices()
            }
            db.session.rollback()
        return paths

    return made


@pytest.fixture
def asked(cast, links):
    """A player for whom a new game waits, the id of the game, and the player's links."""
    game_id = cast.start()
    person, _ = cast.asked(game_id)
    return person, game_id, links(person, game_id)


def shown(client, path, method="GET", status=200):
    """The page at a path."""
    answer = client.http.open(path, method=method)
    assert answer.status_code == status, answer.get_data(as_text=True)[:500]
    return answer.get_data(as_text=True)


def events(app, game_id):
    query = (
        "SELECT body FROM events JOIN games ON key = game_key WHERE id = :id ORDER BY events.number"
    )
    return [json.loads(row.body) for row in execute(app, query, id=game_id)]


def test_a_get_shows_the_move_and_changes_nothing(app, cast, asked):
    stored = dump(app)
    for words, path in asked[2].items():
        page = shown(cast.nobody, path)
        assert f"<strong>{words}</strong>" in page
        assert '<form method="post">' in page
    assert dump(app) == stored


def test_the_page_needs_no_script(cast, asked):
    answer = cast.nobody.http.get(next(iter(asked[2].values())))
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(r"<script|\sstyle=|\son\w+=", answer.text)


@pytest.mark.both_databases
def test_a_post_plays_like_the_api(app, cast, asked):
    person, game_id, links = asked
    before = person.game(game_id)
    number = len(events(app, game_id))
    words, path = list(links.items())[-1]
    page = shown(cast.nobody, path, "POST")
    event = events(app, game_id)[number]
    wanted = next(each["action"] for each in before["legal"] if each["words"] == words)
    assert (event["kind"], event["by"], event["seat"]) == ("action", "seat", before["seat"])
    assert event["action"] == wanted
    assert "Played" in page and words in page and "What happened" in page


def test_the_same_link_again_adds_nothing(app, cast, asked):
    path = list(asked[2].values())[-1]
    shown(cast.nobody, path, "POST")
    stored = dump(app)
    for method in ("POST", "GET"):
        assert "You have played this already" in shown(cast.nobody, path, method)
    assert dump(app) == stored


def test_another_answer_to_the_same_question_shows_that_the_first_one_stands(app, cast, asked):
    first, *_, last = asked[2].values()
    shown(cast.nobody, last, "POST")
    stored = dump(app)
    assert "You have already answered this" in shown(cast.nobody, first, "POST")
    page = shown(cast.nobody, first)
    assert "The table has moved on" in page and "<form" not in page
    assert f"/games/{asked[1]}" in page
    assert dump(app) == stored


def test_an_outdated_link_shows_the_present_table(app, cast, asked, links):
    person, game_id, old = asked
    cast.play(game_id, most=6)
    stored = dump(app)
    for path in old.values():
        for method in ("GET", "POST"):
            page = shown(cast.nobody, path, method)
            assert "<form" not in page
            assert cards(page) <= known(app, game_id, person.game(game_id)["seat"])
    assert dump(app) == stored


def test_after_the_end_a_link_shows_the_end(cast, asked):
    _, game_id, links = asked
    cast.play(game_id)
    page = shown(cast.nobody, next(iter(links.values())), "POST")
    assert "<form" not in page and "The game is over" in page


@pytest.mark.parametrize("method", ["GET", "POST"])
@sqlite_only
def test_altered_links_are_not_found(app, cast, asked, method):
    person, game_id, links = asked
    path = next(iter(links.values()))
    tenure, signature, asked_for, place = path.rpartition("/")[2].split(".")
    other = next(each for each in cast.seated if each is not person).game(game_id)["tenure"]
    swapped = [
        signature[:at] + ("A" if signature[at] != "A" else "B") + signature[at + 1 :]
        for at in (5, 30)
    ]
    wrong = [
        (other, signature, asked_for, place),
        *((tenure, each, asked_for, place) for each in swapped),
        (tenure, signature[:-1], asked_for, place),
        (tenure, signature, str(int(asked_for) - 1), place),
        (tenure, signature, "99999", place),
        (tenure, signature, asked_for, "1"),
        (tenure, signature, asked_for, "9999"),
        (tenure, signature, "0" + asked_for, place),
        ("t_" + "x" * 22, signature, asked_for, place),
    ]
    stored = dump(app)
    for parts in wrong:
        cast.nobody.refused(method, "/moves/" + ".".join(parts), "not-found")
    for token in ("x", "a.b.c.d", path.rpartition("/")[2] + ".", "%F0%9F%82%A1"):
        cast.nobody.refused(method, f"/moves/{token}", "not-found")
    assert dump(app) == stored


@sqlite_only
def test_a_browser_gets_a_page_for_an_unknown_link(cast):
    for language, words in (("en", "This link does not work"), ("ja", "このリンクは使えません")):
        headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": language}
        answer = cast.nobody.send("GET", "/moves/x", headers=headers)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert words in answer.text


@sqlite_only
def test_links_of_another_server_are_not_found(app, cast, asked):
    """The other server has a different secret key."""
    services = app.extensions["tegami"]
    app.extensions["tegami"] = replace(
        services,
        config=type(services.config)(**{**vars(services.config), "secret_key": b"\1" * 32}),
    )
    for path in asked[2].values():
        cast.nobody.refused("GET", path, "not-found")


def test_links_end_when_the_seat_changes_hands(app, cast, asked):
    person, game_id, links = asked
    person.post(f"/api/games/{game_id}/resignation", status=200)
    stored = dump(app)
    for path in links.values():
        for method in ("GET", "POST"):
            cast.nobody.refused(method, path, "not-found")
    assert dump(app) == stored


def test_a_link_shows_what_its_seat_sees_and_nothing_else(app, cast, asked):
    person, game_id, links = asked
    seat = person.game(game_id)["seat"]
    for path in links.values():
        assert cards(shown(cast.mallory, path)) <= known(app, game_id, seat)
    assert cards(shown(cast.mallory, path, "POST")) <= known(app, game_id, seat)


@sqlite_only
def test_addresses_name_no_card(asked):
    for path in asked[2].values():
        assert not cards([path.replace("/", " ").replace(".", " ")])
        assert re.fullmatch(r"/moves/t_\w{22}\.[\w-]{43}\.\d+\.\d+", path)


def test_the_page_is_in_the_players_language(cast, links):
    game_id = cast.start()
    person, _ = cast.asked(game_id)
    person.send("PATCH", "/api/me", json={"language": "ja"})
    path = next(iter(links(person, game_id, "ja").values()))
    answer = cast.nobody.send("GET", path, headers={"Accept-Language": "en"})
    assert answer.headers["Content-Language"] == "ja"
    assert '<html lang="ja"' in answer.text and "この手でよろしいですか" in answer.text


def test_a_browser_may_come_from_a_mail_program(cast, asked):
    """Sign-ins are ignored; some browsers send `Origin: null` from a page without a referrer."""
    path = list(asked[2].values())[-1]
    headers = {"Origin": "null", "Sec-Fetch-Site": "cross-site"}
    assert cast.nobody.send("POST", path, headers=headers).status_code == 200


@sqlite_only
def test_a_player_who_is_asked_again_gets_the_next_links_on_the_page(cast, links):
    game_id, rng = cast.start("oracle-land"), random.Random(5)
    for _ in range(40):
        person, _ = cast.asked(game_id)
        page = shown(cast.nobody, rng.choice(list(links(person, game_id).values())), "POST")
        following = re.findall(r'href="http://localhost(/moves/[^"]+)"', page)
        again = len(person.game(game_id)["legal"])
        assert len(following) == (1 + again if again and again <= MOST_CHOICES else min(again, 1))
        if following:
            assert "It is your turn again." in page
            next_page = shown(cast.nobody, following[-1])
            assert ('<form method="post">' in next_page) == (again <= MOST_CHOICES)
            return
    pytest.fail("nobody was asked twice in a row")
