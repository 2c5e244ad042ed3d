"""A first look by somebody who sits at the table goes round Flask: the same answer to the same people, to the byte."""

from __future__ import annotations

import itertools
import random

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from service.web.app import create_app
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.proposing import PAUSE
from tests.support.watching import watched

LANGUAGES = ("en", "ja")


def look(person, game_id, **headers):
    answer = person.send("GET", f"/api/games/{game_id}", headers=headers)
    answer.headers.pop("Date", None)  # gunicorn's
    return answer.status_code, sorted(answer.headers), answer.data


def usual(person, game_id, **headers):
    """The application's: nobody else looks at this header."""
    return look(person, game_id, Range="x", **headers)


def assert_same(cast, game_id):
    """Everybody, in every language, is shown what the application shows."""
    everybody = (*cast.seated, cast.mallory, cast.nobody)
    for person, language in itertools.product(everybody, LANGUAGES):
        first = look(person, game_id, **{"Accept-Language": language})
        assert first == usual(person, game_id, **{"Accept-Language": language})


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_first_looks_are_those_of_the_application(cast, clock, slug):
    game_id = cast.open(slug)
    assert_same(cast, game_id)
    for person in cast.seated[1 : cast.alice.game(game_id)["players"]]:
        person.post(f"/api/games/{game_id}/seats", {})
    assert_same(cast, game_id)
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    for _ in itertools.islice(cast.moves(game_id, random.Random(7).choice), 3):
        assert_same(cast, game_id)
        clock.forward(7)
    cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert_same(cast, game_id)
    cast.bob.post(f"/api/games/{game_id}/resignation", {}, status=200)
    assert_same(cast, game_id)


@sqlite_only
def test_a_game_that_is_over_and_a_private_one_are_shown_alike(cast):
    game_id = cast.start(CARAVAN)
    cast.play(game_id)
    assert_same(cast, game_id)
    hidden = cast.start(CARAVAN, private=True)
    assert_same(cast, hidden)
    assert look(cast.mallory, hidden)[0] == 404


def test_a_process_that_has_not_seen_the_game_reads_its_log(cast, config, runtime):
    game_id = cast.start()
    for _ in itertools.islice(cast.moves(game_id, random.Random(3).choice), 3):
        pass
    other = create_app(config, runtime).test_client(use_cookies=False)
    there = other.get(f"/api/games/{game_id}", headers=cast.bob.headers)
    assert (there.status_code, there.data) == usual(cast.bob, game_id)[::2]


def test_a_first_look_is_two_statements_and_writes_nothing(app, cast):
    game_id = cast.start()
    looked = {person: look(person, game_id) for person in cast.seated}
    cast.alice.answer(cast.alice.game(game_id))
    with watched(app) as seen:
        for person, before in looked.items():
            seen.clear()
            assert look(person, game_id)[2] != before[2]
            assert (len(seen.statements), seen.commits) == (2, 0)


def test_whoever_may_not_look_is_refused_alike(cast):
    game_id = cast.start()
    secret = cast.bob.post("/api/me/tokens", {"label": "x", "scopes": ["talk"]})["token"]["secret"]
    for bearer, status in ((secret, 403), ("tgm_unknown", 401), ("", 401)):
        headers = {"Authorization": f"Bearer {bearer}"}
        first = look(cast.nobody, game_id, **headers)
        assert first[0] == status
        assert first == usual(cast.nobody, game_id, **headers)
    assert look(cast.alice, f"{game_id}x") == usual(cast.alice, f"{game_id}x")


class Broken:
    """States that cannot be read: with a defect of ours, or because the database is away."""

    def __init__(self, error):
        self.error = error

    def load_by(self, _read, _game):
        raise self.error


@pytest.mark.parametrize(
    ("error", "status", "logged"),
    [
        (ZeroDivisionError("the king of spades"), 500, ["crash"]),
        (OperationalError("no database", None, Exception()), 200, []),
    ],
)
def test_a_defect_is_told_and_a_database_that_is_away_is_left_to_the_application(
    config, runtime, cast, error, status, logged
):
    game_id = cast.start()
    other = create_app(config, runtime)
    there = other.extensions["tegami"]
    states = Broken(error)
    states.load = there.states.load
    other.extensions["tegami"] = there._replace(states=states)
    with capture_logs() as lines:
        got = other.test_client(use_cookies=False).get(
            f"/api/games/{game_id}", headers=cast.bob.headers
        )
    assert got.status_code == status
    assert [line["event"] for line in lines if line["log_level"] == "error"] == logged
    assert "king" not in got.get_data(as_text=True) + repr(lines)
