"""Records of games that went over to a newer version: genuine ones pass, and each forgery is refused for its reason."""

from __future__ import annotations

import copy
import dataclasses
import json
import random

import pytest

import rules
from service.core.database.database import transaction
from service.core.database.failures import UNREADABLE
from service.log.records.record_text import VerificationError
from service.log.table_rows.table import find
from service.log.verification.verify_record import verify
from service.tables.play import service_events
from tests.service.log.records.test_forged_events import AT, app, cast, clock, forged, refused
from tests.support.cast import BOOMERANG
from tests.support.in_one_go import in_one_go
from tests.support.newer_games import offered

__all__ = ["app", "cast", "clock"]

VERSION = {"kind": "version", "from": 1, "to": 2, "salt": "0" * 32, "number": 0, "at": AT}


@pytest.fixture(scope="module")
def record(app, cast, second_editions):
    """The record of a game that began under version 1, and in which alice bid before it went over to version 2."""
    with offered(*second_editions.values()):
        game_id = cast.start(BOOMERANG, version=1)
        cast.alice.answer(cast.alice.game(game_id))
        services = app.extensions["tegami"]
        with app.app_context(), transaction():
            table = find(game_id, lock=True)
            service_events.change_version(services, table, 2)
        cast.play(game_id, random.Random(4).choice)
        yield json.loads(cast.alice.send("GET", f"/api/games/{game_id}/record").get_data())


def place(made):
    return next(n for n, event in enumerate(made["events"]) if event["kind"] == "version")


def versions(**members):
    """Change the members of the version event."""

    def change(made):
        made["events"][place(made)].update(members)

    return change


def moved(by):
    """The record with the version event earlier or later."""

    def change(made):
        at = place(made)
        made["events"].insert(at + by, made["events"].pop(at))

    return change


def left_out(made):
    del made["events"][place(made)]


def again(made):
    made["events"].insert(place(made) + 1, {**VERSION, "at": made["events"][place(made)]["at"]})


def at_the_end(made):
    made["events"].append(copy.deepcopy({**VERSION, "from": 2, "to": 3}))


def begun_by_the_newer_one(made):
    made["events"][0].update(version=2, options={"dealer": 0})


FORGERIES = {
    "a version from another one": (versions(**{"from": 2}), "the version before event 4"),
    "to the same version": (versions(to=1), "the version of event 4 is not newer"),
    "to a version before": (versions(to=0), "the version of event 4 is not newer"),
    "to none that exists": (versions(to=7), "there is no version 7"),
    "to a version as text": (versions(to="2"), "in an event of kind 'version'"),
    "from true": (versions(**{"from": True}), "in an event of kind 'version'"),
    "a number with a fraction": (versions(to=2.5), "in an event of kind 'version'"),
    "another member": (versions(why="better"), "the members of event 4"),
    "where a shuffle is due": (moved(-2), "a shuffle is due before event 2"),
    "no version": (left_out, "the record cannot be replayed"),
    "the same again": (again, "the version before event 5"),
    "after the end": (at_the_end, "comes after the end"),
    "from a version that it did not begin by": (
        begun_by_the_newer_one,
        "the version before event 4",
    ),
}


def test_a_genuine_record_is_valid(record):
    assert refused(record, lambda made: None) is None
    assert [event["kind"] for event in record["events"]][3] == "version"
    assert record["events"][0]["version"] == 1 and record["events"][0]["options"] == {}


@in_one_go("change, why", FORGERIES)
def test_a_forgery_is_refused(record, change, why):
    assert why in (refused(record, change) or "accepted")


def test_a_log_that_the_newer_version_does_not_allow_is_refused(record, second_editions):
    def passed(made):
        bid = next(event for event in made["events"] if event["kind"] == "action")
        bid["action"] = {"type": "pass"}

    why = refused(record, passed)
    assert why == "the version of event 4: event 3 (action): its type is not legal"


def test_options_that_the_newer_version_does_not_know_are_refused(record, second_editions):
    known = second_editions[BOOMERANG]
    third = dataclasses.replace(known.ruleset, version=3, options=lambda players: {})

    def twice(made):
        made["events"].insert(4, {**VERSION, "from": 2, "to": 3})

    with offered(rules.Found(third, known.folder)):
        why = refused(record, twice)
    assert why == "the version of event 5: event 1 (start): the options are []"


def test_a_record_needs_the_versions_that_it_names(record, second_editions):
    rules._versions().pop((BOOMERANG, 2))
    try:
        assert "there is no version 2" in (refused(record, lambda made: None) or "")
    finally:
        rules._versions()[BOOMERANG, 2] = second_editions[BOOMERANG]


@in_one_go("error", UNREADABLE)
def test_rules_that_fail_at_a_record_refuse_it(record, second_editions, error):
    """They may fail in any way, from the start or where the record goes over to them."""

    def fails(players, options):
        raise error

    def begun_by_them(made):
        made["events"][0].update(version=3, options={"dealer": 0})

    def gone_over_to_them(made):
        made["events"].insert(4, {**VERSION, "from": 2, "to": 3})

    known = second_editions[BOOMERANG]
    third = dataclasses.replace(known.ruleset, version=3, start=fails)
    with offered(rules.Found(third, known.folder)):
        with pytest.raises(VerificationError, match="the record cannot be replayed"):
            verify(forged(record, begun_by_them))
        with pytest.raises(VerificationError, match="these rules fail there"):
            verify(forged(record, gone_over_to_them))
