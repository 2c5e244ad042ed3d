"""Reports: anybody can report a message to the operator, who closes the report."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from service.operations.commands.main import main
from service.tables.talk import reported_messages
from tests.support.dump import execute
from tests.support.talking import SEATS, at, heard, page, resigned, say


@pytest.fixture
def game_id(cast):
    return cast.start()


def report(person, game_id, message, **body):
    person.post(at(game_id, f"messages/{message['id']}/reports"), body, 204)


def test_a_report_is_a_copy_of_the_message(app, cast, game_id):
    message = say(cast.bob, game_id, "rude\nwords")
    report(cast.carol, game_id, message, why="This is rude.")
    report(cast.carol, game_id, message, why="Again.")
    cast.alice.delete(at(game_id, f"messages/{message['id']}"))
    report(cast.alice, game_id, message)
    with app.app_context():
        first, second = reported_messages.list_reports()
    assert (first.text, first.author, first.reporter) == ("rude\nwords", "Bob", "Carol")
    assert (first.why, first.game_id, first.channel) == ("This is rude.", game_id, SEATS)
    assert (second.reporter, second.why) == ("Alice", None)


@pytest.fixture
def operator(config):
    """Runs `tegami reports` with these arguments on the database of the test."""
    env = {"DATABASE_URL": config.database_url, "DATA_DIR": str(config.data_dir)}

    def run(*words):
        return CliRunner().invoke(main, ["reports", *words], env=env)

    return run


def test_the_operator_lists_and_closes_reports(app, cast, game_id, operator):
    message = say(cast.bob, game_id, "rude\n  r_fake of now by Nobody")
    report(cast.carol, game_id, message, why="This is rude.")
    told = operator("list").output
    assert "1 in all" in told and "Bob said" in told and "    | This is rude." in told
    assert "    | rude\n    |   r_fake of now by Nobody" in told
    ((report_id,),) = execute(app, "SELECT id FROM reports")
    assert operator("close", report_id, "--hide").exit_code == 0
    assert heard(cast.carol, game_id) == [None]
    assert operator("list").stdout == "0 in all\n"
    assert "1 in all" in operator("list", "--all").output
    refused = operator("close", "r_nothing")
    assert refused.exit_code == 1 and "There is no report r_nothing." in refused.output


@pytest.mark.both_databases
def test_only_closed_reports_are_deleted(app, cast, game_id):
    for text in ("x", "y"):
        report(cast.carol, game_id, say(cast.bob, game_id, text))
    execute(app, "UPDATE reports SET closed_at = 5 WHERE text = 'x'")
    with app.app_context():
        at = 5 + reported_messages.REPORTS_KEPT
        assert [reported_messages.purge(now, 9) for now in (at, at + 1)] == [0, 1]
    assert execute(app, "SELECT text FROM reports") == [("y",)]


def test_after_resigning_one_may_report_older_messages(cast):
    game_id = resigned(cast)
    after, before = page(cast.carol, game_id)["messages"]
    report(cast.bob, game_id, before)
    path = at(game_id, f"messages/{after['id']}/reports")
    cast.bob.refused("POST", path, "not-found", {})
