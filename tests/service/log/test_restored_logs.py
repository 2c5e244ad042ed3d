"""A database is restored, or loses its last commits, while a process runs on: it uses nothing that it remembers of
them.

The same numbers are then those of other events. So nothing is found by a number alone.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from service.core.database.database import transaction
from service.log.table_rows.table import find
from service.operations.worker.house_players import HousePlayers
from service.tables.play import service_events
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.failing_commits import asked, begin_anew
from tests.support.servers.databases import disconnect
from tests.support.thinking import InTurn, in_turn

pytestmark = sqlite_only

BEFORE, LOST = 4, 3
"""The numbers of moves that are kept, and that are lost."""


@pytest.fixture
def save(app):
    """Save the database; returns a function that restores it under the running process."""
    path = app.extensions["tegami"].config.database_url.removeprefix("sqlite:///")

    def saved():
        kept = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(path)) as live:
            live.backup(kept)

        def restore():
            disconnect(app)
            with closing(sqlite3.connect(path)) as live:
                kept.backup(live)

        return restore

    return saved


@pytest.fixture
def other(app, config, runtime):
    """Another process over the same database."""
    made = create_app(config, runtime)
    made.test_client_class = CheckedClient
    yield made
    disconnect(made)


def play(cast, game_id, moves, place):
    """Make this number of moves, each the legal action at this position of the list."""
    for _ in range(moves):
        person, game = cast.asked(game_id)
        person.answer(game, game["legal"][place]["action"])


def seen(app, cast, game_id):
    """Everything that alice is shown of a table and of its past, with the tags."""
    number = cast.alice.game(game_id)["number"]
    below = ["", "/events?limit=200", f"/views?limit={min(number, 50)}"]
    paths = [f"/api/games/{game_id}{each}" for each in below]
    paths += [f"/api/games/{game_id}/views/{n}" for n in range(1, number + 1)]
    answers = [asked(app, cast.alice, path) for path in paths]
    return [(each.status_code, each.headers.get("ETag"), each.json) for each in answers]


def test_nothing_is_shown_of_moves_that_were_lost(app, cast, save, other):
    game_id = cast.start(BOOMERANG)
    play(cast, game_id, BEFORE, -1)
    restore = save()
    play(cast, game_id, LOST, -1)
    lost = seen(app, cast, game_id)
    restore()
    play(cast, game_id, LOST + 1, 0)
    begin_anew(other)
    now = seen(app, cast, game_id)
    assert now == seen(other, cast, game_id)
    assert now != lost


def test_the_same_revision_of_another_past_has_another_tag(app, cast, save):
    game_id = cast.start(BOOMERANG)
    play(cast, game_id, BEFORE, -1)
    restore, path = save(), f"/api/games/{game_id}"
    play(cast, game_id, 1, -1)
    lost = asked(app, cast.alice, path)
    restore()
    play(cast, game_id, 1, 0)
    now = asked(app, cast.alice, path)
    assert now.json["revision"] == lost.json["revision"] and now.json["head"] != lost.json["head"]
    assert now.headers["ETag"] != lost.headers["ETag"]
    polled = cast.alice.send("GET", path, headers={"If-None-Match": lost.headers["ETag"]})
    assert polled.status_code == 200


class Told(InTurn):
    """Thinkers that store their questions."""

    def __init__(self):
        super().__init__(in_turn()._agents)
        self.questions = []

    def give(self, question):
        self.questions.append(question)
        super().give(question)


def test_a_thinker_goes_on_from_no_event_that_was_lost(app, cast, save):
    thinkers, services = Told(), app.extensions["tegami"]
    game_id = cast.start(CARAVAN, house=1)
    players = HousePlayers(services, random.Random(1), thinkers)

    def round_of(place):
        if game := cast.alice.game(game_id)["legal"]:
            cast.alice.answer(cast.alice.game(game_id), game[place]["action"])
        with app.app_context():
            while players.move_all():
                pass

    round_of(-1)
    round_of(-1)
    assert thinkers.questions[-1].after > 0, "usually it goes on"
    restore = save()
    round_of(-1)
    restore()
    before = len(thinkers.questions)
    round_of(0)
    assert thinkers.questions[before].after == 0
    assert all(each.failure is None for each in thinkers.answers())
    assert cast.alice.game(game_id)["legal"]


def test_a_thought_about_a_lost_past_is_not_played(app, cast, save):
    thinkers, services = Told(), app.extensions["tegami"]
    game_id = cast.start(CARAVAN, house=1)
    players = HousePlayers(services, random.Random(1), thinkers)
    restore = save()
    with app.app_context(), transaction():
        service_events.extend(services, find(game_id, lock=True), 0, 60)
    with app.app_context():
        players._ask_all()
    restore()
    with app.app_context(), transaction():
        service_events.extend(services, find(game_id, lock=True), 0, 120)
    (question,) = thinkers.questions
    stored = dump(app)
    with app.app_context():
        assert not players._take(thinkers.answers()[0])
    assert dump(app) == stored
    with app.app_context():
        players._thought_about.clear()
        assert players.move_all() == 1
    assert thinkers.questions[-1].head != question.head
