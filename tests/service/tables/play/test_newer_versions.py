"""Running games go over to a newer version of their rules if everything that has happened is legal under it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial

import pytest

import rules
from service.core.database.database import db
from service.core.runtime.time_and_random import rfc3339
from service.log.event_log import States
from service.log.table_rows.table import find
from service.log.verification.verify_record import verify
from service.operations.stored_data import upgrade_games
from tests.support import operator_command
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, HOUR, hours
from tests.support.dump import dump, execute
from tests.support.newer_games import offered
from tests.support.post_office import Office, moves, part
from tests.support.proposing import PAUSE, propose, vote

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 7200}


@pytest.fixture
def second(second_editions):
    """Version 2 of two games is out."""
    with offered(*second_editions.values()):
        yield second_editions


@pytest.fixture
def tegami(config):
    """The command, on the same database."""
    return partial(operator_command.told, config, "upgrade-games")


@pytest.fixture
def office(app, cast):
    """All three have addresses."""
    office = Office(app)
    office.address(*cast.seated)
    return office


def begun(cast, **wish):
    """A game of version 1 in which alice has bid, so version 2 accepts it; bob is asked now."""
    game_id = cast.start(BOOMERANG, version=1, **wish)
    cast.alice.answer(cast.alice.game(game_id))
    return game_id


def passed(cast):
    """A game of version 1 in which alice has passed, which version 2 does not know."""
    game_id = cast.start(BOOMERANG, version=1)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    return game_id


def bodies(app):
    return [json.loads(row.body) for row in execute(app, "SELECT body FROM events ORDER BY number")]


def upgrading(app, slug, *, dry_run=False):
    """The command's work on the games of `slug`, one by one, by the clock of the test."""
    return upgrade_games.upgrade_all(app.extensions["tegami"], slug, 2, dry_run=dry_run)


def upgraded(app, slug):
    """The outcome for all games."""
    with app.app_context():
        return list(upgrading(app, slug))


@pytest.mark.both_databases
def test_a_game_goes_on_by_the_newer_version(app, cast, second, tegami):
    game_id = begun(cast)
    before = {person: person.game(game_id) for person in cast.seated}
    assert before[cast.bob]["options"] == {}
    told = tegami(BOOMERANG)
    assert game_id in told and "1 -> 2" in told and "1 go on by version 2, 0 stay" in told
    logged = bodies(app)[-1]
    assert {"kind": "version", "from": 1, "to": 2}.items() <= logged.items()
    number = before[cast.bob]["number"] + 1
    for person, was in before.items():
        game = person.game(game_id)
        assert (game["number"], game["revision"]) == (number, was["revision"] + 1)
        assert game["ruleset"]["version"] == 2 and game["options"] == {"dealer": 0}
        assert game["waiting"][0]["seat"] == was["waiting"][0]["seat"]
        asked = number if person is cast.bob else was["asked"]
        assert game["asked"] == asked, "only who is asked something else has a new question"
    assert {"type": "decline"} in [each["action"] for each in cast.bob.game(game_id)["legal"]]
    stale = cast.bob.refused(
        "POST",
        f"/api/games/{game_id}/actions",
        "stale",
        {"asked": before[cast.bob]["asked"], "action": {"type": "pass"}},
    )
    assert stale["game"]["ruleset"]["version"] == 2
    cast.play(game_id, random.Random(3).choice)
    record = cast.alice.send("GET", f"/api/games/{game_id}/record").get_data()
    assert [each["kind"] for each in verify(record)["events"]].count("version") == 1
    done = {each["action"]["type"] for each in bodies(app) if each["kind"] == "action"}
    assert done == {"bid", "decline"}


@sqlite_only
def test_the_history_says_so_and_shows_the_past_by_the_present_version(cast, second, tegami):
    game_id = begun(cast)
    tegami(BOOMERANG)
    path = f"/api/games/{game_id}/events"
    for language, line in (
        ("en", "The table now plays by version 2 of the rules."),
        ("ja", "このテーブルは、ここからルールの第2版で進めます。"),
    ):
        events = cast.nobody.get(path, headers={"Accept-Language": language})["events"]
        (event,) = [each for each in events if each["kind"] == "version"]
        assert (event["from"], event["to"], event["lines"][0]["words"]) == (1, 2, line)
        assert events[-2]["lines"]
    cast.bob.answer(cast.bob.game(game_id), {"type": "decline"})
    last = cast.nobody.get(path)["events"][-1]
    assert [line["words"] for line in last["lines"]] == ["Bob declines."]


@sqlite_only
def test_a_game_that_the_newer_version_does_not_allow_stays(app, cast, second, tegami):
    stays, goes = passed(cast), begun(cast)
    before = cast.bob.game(stays)
    told = tegami(BOOMERANG, status=upgrade_games.SOME_STAY)
    assert "1 go on by version 2, 1 stay" in told
    (line,) = [each for each in told.splitlines() if stays in each]
    assert "stays at version 1: event 3 (action): its type is not legal" in line
    assert cast.bob.game(stays) == before and before["ruleset"]["version"] == 1
    assert cast.bob.game(goes)["ruleset"]["version"] == 2
    cast.play(stays)
    verify(cast.alice.send("GET", f"/api/games/{stays}/record").get_data())


@sqlite_only
def test_a_dry_run_changes_nothing(app, cast, second, tegami):
    stays, goes = passed(cast), begun(cast)
    stored = dump(app)
    told = tegami(BOOMERANG, "--dry-run", status=upgrade_games.SOME_STAY)
    assert dump(app) == stored
    assert f"{goes}  version 1 -> 2" in told and f"{stays}  stays" in told
    assert "1 would go on by version 2, 1 stay" in told
    execute(app, "UPDATE games SET status = 'over' WHERE id = :id", id=stays)
    assert "1 would go on" in tegami(BOOMERANG, "--dry-run")


@sqlite_only
def test_what_was_interrupted_is_finished_by_another_run(app, cast, second, tegami):
    games = [begun(cast) for _ in range(3)]
    with app.app_context():
        every = upgrading(app, BOOMERANG)
        assert next(every).game == games[0]
        every.close()
    versions = [cast.alice.game(game)["ruleset"]["version"] for game in games]
    assert versions == [2, 1, 1]
    told = tegami(BOOMERANG)
    assert games[0] not in told and all(game in told for game in games[1:])
    assert "0 go on" in tegami(BOOMERANG)


@sqlite_only
def test_only_running_games_of_older_versions_are_touched(app, cast, second, tegami):
    waiting = cast.open(BOOMERANG, version=1)
    over = cast.start(BOOMERANG, version=1)
    cast.play(over)
    other = cast.start(CARAVAN, version=1)
    newest = cast.start(BOOMERANG)
    stored = dump(app)
    assert "0 go on by version 2, 0 stay" in tegami(BOOMERANG)
    assert "0 go on by version 1, 0 stay" in tegami(CARAVAN, "--to", "1")
    assert dump(app) == stored
    assert "1 go on" in tegami(CARAVAN, "--to", "2")
    assert {cast.alice.game(game)["ruleset"]["version"] for game in (waiting, over)} == {1}
    assert cast.alice.game(other)["ruleset"]["version"] == 2
    assert cast.alice.game(newest)["number"] == 2


@sqlite_only
def test_names_that_do_not_exist_are_errors_of_usage(app, second, tegami):
    assert "There is no game nosuch" in tegami("nosuch", status=2)
    assert "There is no version 9" in tegami(BOOMERANG, "--to", "9", status=2)
    assert tegami(BOOMERANG, "--to", "0", status=2)


@sqlite_only
def test_only_who_is_asked_something_else_is_mailed(cast, office, second, tegami):
    game_id = begun(cast)
    assert [mail["To"] for mail in office.deliver()] == ["bob@example.org"]
    tegami(BOOMERANG)
    (mail,) = office.deliver()
    assert mail["To"] == "bob@example.org"
    assert "The table now plays by version 2 of the rules." in part(mail)
    assert "Decline" in part(mail)
    cast.nobody.post(moves(mail)[-1], status=200)
    assert cast.bob.game(game_id)["number"] == 5


@sqlite_only
def test_a_link_of_the_earlier_version_is_too_late(cast, office, second, tegami):
    begun(cast)
    (mail,) = office.deliver()
    links = moves(mail)
    tegami(BOOMERANG)
    for link in links:
        for method in ("GET", "POST"):
            answer = cast.nobody.send(method, link)
            assert answer.status_code == 200, (method, link)
            assert "Decline" in answer.get_data(as_text=True), "the page shows what can be done now"
    broken = links[0].replace(".", ".x", 1)
    assert cast.nobody.send("GET", broken).status_code == 404


@sqlite_only
def test_a_link_to_a_question_that_stays_the_same_can_still_be_followed(cast, second, tegami):
    game_id = cast.start(CARAVAN, version=1)
    before = {person: person.game(game_id)["asked"] for person in cast.seated[:2]}
    assert "1 go on" in tegami(CARAVAN)
    for person, asked in before.items():
        game = person.game(game_id)
        assert game["asked"] == asked and game["options"]["given"] == "nothing"
        person.answer(game)


def test_clocks_go_on_as_after_any_event(app, cast, clock, hours, second):
    game_id = begun(cast, pace=PACE)
    clock.forward(HOUR)
    before = cast.alice.game(game_id)["waiting"][0]["due"]
    with_same_question = cast.start(CARAVAN, version=1, pace=PACE)
    dues = [each["due"] for each in cast.alice.game(with_same_question)["waiting"]]
    for slug in (BOOMERANG, CARAVAN):
        assert len(upgraded(app, slug)) == 1
    due = cast.alice.game(game_id)["waiting"][0]["due"]
    assert before < due == rfc3339(clock() + 2 * HOUR), "a new question has its own time"
    assert [each["due"] for each in cast.alice.game(with_same_question)["waiting"]] == dues
    hours.later(2 * HOUR - 1)
    assert cast.alice.game(game_id)["waiting"][0]["due"] == due
    hours.later(1)
    events = cast.alice.get(f"/api/games/{game_id}/events")["events"]
    assert any(event.get("by") == "timeout" for event in events), "the new fallback is played"


@sqlite_only
@pytest.mark.parametrize(
    ("slug", "left"), [(BOOMERANG, 2 * HOUR), (CARAVAN, HOUR)], ids=["a new question", "the same"]
)
def test_a_pause_goes_on_and_after_it_the_clocks(app, cast, clock, hours, second, slug, left):
    """A seat with a new question then has all of its time; the others have what they had left."""
    game_id = (
        begun(cast, pace=PACE) if slug == BOOMERANG else cast.start(slug, version=1, pace=PACE)
    )
    waiting = cast.alice.game(game_id)["waiting"]
    hours.later(HOUR)
    propose(cast.alice, game_id, PAUSE)
    for person in list(cast.holders(game_id).values())[1:]:
        vote(person, game_id)
    hours.later(3 * HOUR)
    before = cast.alice.game(game_id)["paused"]
    assert len(upgraded(app, slug)) == 1
    game = cast.alice.game(game_id)
    assert (game["paused"], game["ruleset"]["version"]) == (before, 2)
    assert {each["due"] for each in game["waiting"]} == {None}
    hours.later(DAY - 3 * HOUR)
    game = cast.alice.game(game_id)
    assert [each["seat"] for each in game["waiting"]] == [each["seat"] for each in waiting]
    assert (game["paused"], game["waiting"][0]["due"]) == (None, rfc3339(clock() + left))


@sqlite_only
@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize(
    "change", ["id = 'g_erased'", "status = 'over'", "version = 2"], ids=lambda change: change[:6]
)
def test_a_game_that_is_gone_or_done_meanwhile_is_left_out(app, cast, second, dry_run, change):
    games = [begun(cast) for _ in range(3)]
    with app.app_context():
        every = upgrading(app, BOOMERANG, dry_run=dry_run)
        assert next(every).game == games[0]
        execute(app, f"UPDATE games SET {change} WHERE id = :id", id=games[1])
        assert [each.game for each in every] == games[2:]


@sqlite_only
def test_a_failure_ends_with_exit_code_1(config, second, tmp_path):
    empty = replace(config, database_url=f"sqlite:///{tmp_path / 'empty.db'}")
    told = operator_command.told(empty, "upgrade-games", BOOMERANG, status=1)
    assert "Error: The database cannot be used" in told and "Traceback" not in told


@sqlite_only
def test_games_can_go_on_by_a_version_before_the_newest(cast, second, tegami):
    game_id = begun(cast)
    third = replace(second[BOOMERANG].ruleset, version=3, options=lambda players: {})
    with offered(rules.Found(third, second[BOOMERANG].folder)):
        assert "1 go on by version 2" in tegami(BOOMERANG, "--to", "2")
        game = cast.bob.game(game_id)
        assert (game["ruleset"]["version"], game["options"]) == (2, {"dealer": 0})


@sqlite_only
def test_options_that_no_longer_exist_keep_a_game(cast, second, tegami):
    game_id = begun(cast)
    tegami(BOOMERANG)
    third = replace(second[BOOMERANG].ruleset, version=3, options=lambda players: {})
    with offered(rules.Found(third, second[BOOMERANG].folder)):
        told = tegami(BOOMERANG, status=upgrade_games.SOME_STAY)
        assert f"{game_id}  stays at version 2: event 1 (start): the options are []" in told


@sqlite_only
def test_states_of_two_versions_are_never_mixed(app, cast, second, tegami):
    game_id = begun(cast)
    with app.app_context():
        states, before = States(), find(game_id).game
        old = states.load(before)
        tegami(BOOMERANG)
        db.session.rollback()
        after = find(game_id).game
        new = states.load(after, before.number)
        assert type(old).__module__ != type(new).__module__
        assert states.load(before, before.number) is old
        assert states.load(after, before.number) is new
