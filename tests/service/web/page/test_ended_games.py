"""A game that ended outside its rules is over on every page: it says who won, and asks nothing."""

from __future__ import annotations

import json

import pytest

from service.core.database.database import db, transaction
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader, table_url
from service.notifications.mail_texts.mail_links import table_link
from service.tables.play import proposals, service_events
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.form_reader import Page
from tests.support.in_one_go import case
from tests.support.proposing import DRAW, propose, vote

pytestmark = sqlite_only

HTML = {"Accept": "text/html", "Accept-Language": "en"}
OVER = "The game is over."
QUESTION = "Choose a number card"
BELOW = ("", "/history", "/talk", "/proposals", "/move?asked=3", "/move?asked=99", "/resignation")
"""The pages under the address of a table."""
RESULTS = {
    "resigned": "Bob has resigned. You won.",
    "agreed": "The players agreed to a draw.",
    "abandoned": "abandoned",
    "removed": "operator",
}


def end(app, cast, game_id, why):
    """Let the game end in this way."""
    if why == "resigned":
        cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    elif why == "agreed":
        propose(cast.bob, game_id, DRAW)
        vote(cast.alice, game_id)
    else:
        with app.app_context(), transaction():
            service_events.close(app.extensions["tegami"], proposals.running(game_id), why)


def links_of(app, cast, game_id):
    """The links mailed to alice: two moves, the form, and the table."""
    with app.app_context():
        game = GameForReader(app.extensions["tegami"], find(game_id), cast.alice.id, "en")
        first, second, *_ = game.choices()
        table = table_link(game.services.config, game.holder)
        urls = [first.url, second.url, game.form_url, table]
        db.session.rollback()
    return [url.removeprefix("http://localhost") for url in urls]


@pytest.fixture(params=RESULTS)
def ended(app, cast, request):
    """A game that ended in this way: its id, the reason, an unanswered question of alice, and her links."""
    game_id = cast.start(CARAVAN)
    shown, links = cast.alice.game(game_id), links_of(app, cast, game_id)
    assert QUESTION in shown["view"]["prompt_words"]
    end(app, cast, game_id, request.param)
    return game_id, request.param, shown, links


def page(person, path, status=200, **more):
    """A page in the browser of somebody."""
    answer = person.http.open(path, headers=HTML, **more)
    assert answer.status_code == status, answer.get_data(as_text=True)[:500]
    return Page(answer.get_data(as_text=True))


def assert_over(shown, why):
    text = shown.text
    assert QUESTION not in text and "choose again" not in text and "moved on" not in text
    assert OVER in text or OVER.strip(".") in shown.title
    assert RESULTS[why] in text


def test_every_page_knows_that_it_is_over(app, cast, ended):
    game_id, why, _, links = ended
    stored = dump(app)
    for below in BELOW:
        with case(below):
            seen = page(cast.alice, f"/plain/games/{game_id}{below}")
            assert QUESTION not in seen.text and "choose again" not in seen.text
            if not below or "move" in below or "resign" in below:
                assert_over(seen, why)
    *moves, form, table = links
    for path in (*moves, form):
        with case(path):
            assert_over(page(cast.nobody, path), why)
    for path in moves:
        assert_over(page(cast.nobody, path, method="POST"), why)
    seen = page(cast.nobody, table)
    assert OVER in seen.text and QUESTION not in seen.text
    assert not [
        path for path, _ in seen.links if path == f"{table_url(config(app), game_id)}?panel=time"
    ]
    assert dump(app) == stored


def config(app):
    return app.extensions["tegami"].config


def test_a_move_by_form_that_comes_too_late_shows_the_result(app, cast, ended):
    game_id, why, shown, _ = ended
    seen = page(cast.alice, f"/plain/games/{game_id}")
    assert not [each for each in seen.forms if "move" in each.action]
    token = seen.forms[0].fields | {"do": ""}
    del token["do"]
    fields = {**token, "action": json.dumps(shown["legal"][0]["action"])}
    fields["asked"] = str(shown["asked"])
    path = f"/plain/games/{game_id}/move"
    assert_over(page(cast.alice, path, 409, method="POST", data=fields), why)


def test_the_api_asks_nothing_after_the_end(cast, ended):
    game_id, _, shown, _ = ended
    for person in cast.everybody:
        game = person.game(game_id)
        assert game["waiting"] == game["legal"] == game["proposals"] == []
        assert game["view"]["prompt"] == {} and game["view"]["prompt_words"] == OVER
    path = f"/api/games/{game_id}/views"
    last, before = game["number"], shown["number"]
    for query in ("", "?show=all"):
        assert cast.alice.get(f"{path}/{last}{query}")["view"]["prompt_words"] == OVER
    assert QUESTION in cast.alice.get(f"{path}/{before}")["view"]["prompt_words"]
    assert cast.alice.get("/api/me/turns")["turns"] == []
