"""`tegami copy-database`: every row, every log and every count arrives in the other kind of database, and back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from service.operations.stored_data.copy_database import CannotCopy, copy, opened, proven
from service.web.app import create_app
from tests.support.cast import CARAVAN, Cast
from tests.support.changed import UNCHANGED, changed
from tests.support.dump import dump, execute
from tests.support.operator_command import told
from tests.support.servers.databases import KINDS, disconnect, plain

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.skipif(
        not changed(
            "service/operations/stored_data/copy_database.py",
            "service/core/models",
            "service/core/database",
            "tests/service/operations/commands/test_copy_database.py",
        ),
        reason=UNCHANGED,
    ),
]


@pytest.fixture
def empty(databases, tmp_path):
    """Makes empty databases of a kind."""
    made = []

    def make(kind):
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(databases.empty(kind, folder))
        return made[-1]

    yield make
    for url in made:
        databases.drop(url)


def silent(_line):
    """Prints nothing."""


def comparable(dumped):
    """The same form for both kinds of database: they have their own types for numbers, bytes and JSON."""
    return {
        name: sorted(repr([normal(value) for value in row]) for row in rows)
        for name, rows in dumped.items()
    }


def normal(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict | list):
        return json.dumps(value)
    return bytes(value) if isinstance(value, memoryview) else value


def with_games(cast):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=5)
    cast.alice.post(
        f"/api/games/{game_id}/messages", {"channel": "seats", "text": '雨 \'n "quotes"'}
    )
    cast.open()
    return game_id


@pytest.mark.own_database
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_and_a_copy_of_it_hold_everything(app, config, cast, runtime, empty, kind):
    game_id = with_games(cast)
    execute(app, "DELETE FROM proposals")
    first, second = empty(kind), empty("sqlite")
    copied = copy(config, config.database_url, first, silent)
    assert copied.games == 1 and copied.rows["events"] > 5 and copied.rows["messages"] == 1
    copy(config, first, second, silent)
    back = create_app(replace(config, database_url=second), runtime)
    assert comparable(dump(back)) == comparable(dump(app))
    there = create_app(replace(config, database_url=first), runtime)
    person = Cast(there)
    newer = person.open(CARAVAN)
    keys = dict(execute(there, "SELECT id, key FROM games"))
    assert keys[newer] == max(keys.values()) > keys[game_id], "keys go on where they were"
    for each in (back, there):
        disconnect(each)


@pytest.mark.own_database
def test_numbers_of_rows_that_are_gone_are_not_given_again(app, config, cast, empty):
    with_games(cast)
    kind = "postgresql" if config.database_url.startswith("sqlite") else "sqlite"
    (last,) = execute(app, "SELECT max(key) FROM games")
    execute(app, "DELETE FROM seats WHERE game_key = :key", key=last[0])
    execute(app, "DELETE FROM tenures WHERE game_key = :key", key=last[0])
    execute(app, "DELETE FROM games WHERE key = :key", key=last[0])
    target = empty(kind)
    copy(config, config.database_url, target, silent)
    there = Cast(create_app(replace(config, database_url=target)))
    there.open()
    assert execute(there.app, "SELECT max(key) FROM games") == [(last[0] + 1,)]
    disconnect(there.app)


@pytest.mark.own_database
def test_a_log_that_is_broken_is_found_and_nothing_is_kept(app, config, cast, empty):
    with_games(cast)
    number = execute(app, "SELECT max(number) FROM events")[0][0]
    fault = "INSERT INTO events (game_key, number, body, digest, at) SELECT game_key, number + 2, "
    execute(app, f"{fault} body, digest, at FROM events WHERE number = {number}")
    target = empty("sqlite")
    with pytest.raises(CannotCopy, match=f"broken at event {number + 2}"):
        copy(config, config.database_url, target, silent)
    again = create_app(replace(config, database_url=target))
    assert execute(again, "SELECT count(*) FROM events") == [(0,)]
    disconnect(again)


@pytest.mark.own_database
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_that_differs_or_is_missing_is_found(app, config, cast, empty, kind):
    with_games(cast)
    target = empty(kind)
    copy(config, config.database_url, target, silent)
    there = create_app(replace(config, database_url=target))
    for fault, table in (
        ("UPDATE players SET name = 'Eve' WHERE name = 'Bob'", "players"),
        ("DELETE FROM messages", "messages"),
    ):
        execute(there, fault)
        with (
            opened(config, config.database_url) as (old, _),
            opened(config, target) as (new, _),
            pytest.raises(CannotCopy, match=f"A row of {table} differs"),
        ):
            proven(old, new)
        execute(there, "UPDATE players SET name = 'Bob' WHERE name = 'Eve'")
    disconnect(there)


def test_what_cannot_be_copied_is_a_sentence(app, config, cast, empty):
    here = plain(config.database_url)
    with_password = "postgresql://tegami:hidden-word@127.0.0.1/tegami"
    said = told(config, "copy-database", here, with_password, status=1)
    assert "Leave the password out" in said and "hidden-word" not in said
    assert "TO is not empty" in told(config, "copy-database", here, here, status=1)
    nothing = plain(empty("sqlite"))
    assert "FROM is not of this release" in told(config, "copy-database", nothing, here, status=1)
    other = plain(empty("sqlite")).replace("empty", "another")
    assert "rows are equal" in told(config, "copy-database", here, other)
