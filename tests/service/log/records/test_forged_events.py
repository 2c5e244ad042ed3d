"""Records with events from outside the rules: genuine ones pass, forged but self-consistent ones do not."""

from __future__ import annotations

import copy
import random

import pytest

from rules.kernel import text
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log.event_log import digest
from service.log.records.record import record_digest
from service.log.records.record_text import VerificationError
from service.log.records.signed_heads import HeadSigner
from service.log.verification.verify_record import verify
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support import record_verifier
from tests.support.cast import CARAVAN, Cast, Clock
from tests.support.clock import HOUR, Hours
from tests.support.proposing import registered
from tests.support.record_hashing import Refused
from tests.support.servers.databases import disconnect

PACE = {"kind": "decision", "seconds": 3600}


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def app(databases, clock, tmp_path_factory):
    """One application for the whole module: the tests only forge copies of two records."""
    folder = tmp_path_factory.mktemp("forged")
    url = databases.fresh("sqlite", folder)
    config = Config(
        data_dir=folder,
        database_url=url,
        secret_key=bytes(32),
        signing_key=bytes(32),
        rate_limits=False,
    )
    app = create_app(config, Runtime(clock, random.Random(2459).randbytes))
    app.test_client_class = CheckedClient
    yield app
    disconnect(app)


@pytest.fixture(scope="module")
def cast(app):
    return Cast(app)


@pytest.fixture(scope="module")
def hours(app, clock):
    return Hours(app, clock)


@pytest.fixture(scope="module")
def eventful(cast, hours):
    """The record of a game with a time-out, a takeover, a return, a substitute, a pause and an extension."""
    game_id = cast.start(pace=PACE, takeover=1)
    hours.later(HOUR)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    agree(cast, game_id, {"kind": "pause", "seconds": 60})
    agree(cast, game_id, {"kind": "resume"})
    agree(cast, game_id, {"kind": "extend", "seconds": 60})
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    cast.bob.answer(cast.bob.game(game_id), {"type": "pass"})
    hours.look()
    registered(cast.mallory)
    cast.mallory.post(f"/api/games/{game_id}/proposals", {"kind": "substitute", "seat": 2})
    for person in (cast.alice, cast.bob):
        answer(person, game_id)
    people = (cast.alice, cast.bob, cast.mallory)
    while cast.bob.game(game_id)["status"] == "running":
        person = people[cast.bob.game(game_id)["waiting"][0]["seat"]]
        person.answer(person.game(game_id))
    return cast.bob.get(f"/api/games/{game_id}/record")


def agree(cast, game_id, wish):
    cast.alice.post(f"/api/games/{game_id}/proposals", wish)
    for person in (cast.bob, cast.carol):
        answer(person, game_id)


def answer(person, game_id):
    proposal = person.game(game_id)["proposals"][-1]["id"]
    person.post(f"/api/games/{game_id}/proposals/{proposal}/votes", {"agrees": True}, status=200)


def forged(record, change):
    """`record` after `change`, renumbered and with new digests, so that it is consistent again."""
    made = copy.deepcopy(record)
    del made["digest"]
    change(made)
    head = None
    for number, event in enumerate(made["events"], 1):
        event["number"] = number
        if event.get("at") == AT:
            event["at"] = made["events"][number - 2]["at"]
        head = digest(head, text(event))
    made["head"] = head.hex()
    signer = HeadSigner(bytes(32))
    signature = signer.sign(made["game"], len(made["events"]), head)
    made |= {"key": signer.public_key.hex(), "signature": signature.hex()}
    return text({**made, "digest": record_digest(made)}).encode()


def refused(record, change):
    """The reason why the record is refused after `change`, also by the second verifier; None if it is accepted."""
    data = forged(record, change)
    try:
        verify(data)
    except VerificationError as error:
        with pytest.raises(Refused):
            record_verifier.verify(data)
        return str(error)
    record_verifier.verify(data)
    return None


def events(record, kind, **members):
    """The events of this kind whose members have these values."""
    found = [event for event in record["events"] if event["kind"] == kind]
    return [e for e in found if all(e[name] == value for name, value in members.items())]


def event(kind, **members):
    return {"kind": kind, "salt": "0" * 32, "number": 0, "at": AT, **members}


def test_an_eventful_record_is_valid(eventful):
    kinds = [each["kind"] for each in eventful["events"]]
    assert kinds.count("handover") == 4
    assert {"pause", "resume", "extend"} <= set(kinds)
    assert {each["by"] for each in events(eventful, "action")} == {"seat", "house", "timeout"}
    assert refused(eventful, lambda record: None) is None


def set_to(kind, number=0, **members):
    """Change members of one event: number 0, 1, … of its kind."""

    def change(record):
        events(record, kind)[number].update(members)

    return change


def before_the_end(*made):
    """Insert events before the last one."""

    def change(record):
        record["events"][-1:-1] = copy.deepcopy(list(made))

    return change


def at_the_end(*made):
    def change(record):
        record["events"] += copy.deepcopy(list(made))

    return change


def without(kind, number=0):
    def change(record):
        record["events"].remove(events(record, kind)[number])

    return change


def by_timeout(record):
    """A person's bid is passed off as a time-out."""
    bids = [each for each in events(record, "action", by="seat") if each["action"]["type"] == "bid"]
    bids[0]["by"] = "timeout"


def by_house(record):
    """An action of a player who has returned is attributed to a house player."""
    events(record, "action", seat=0, by="seat")[0]["by"] = "house"


def by_seat(record):
    """An action of a house player is attributed to a person."""
    events(record, "action", seat=2, by="house")[0]["by"] = "seat"


def by_house_once(record):
    """One action in a seat that never changed hands is attributed to a house player."""
    events(record, "action", seat=1)[-1]["by"] = "house"


def return_without_takeover(record):
    """A house player from the very start hands over to a player who supposedly returns."""
    index = next(n for n, e in enumerate(record["events"]) if e.get("seat") == 1)
    record["events"][index]["by"] = "house"
    made = event("handover", seat=1, to=OTHER, house=False, why="returned")
    made["from"] = record["events"][0]["seats"][1]
    record["events"].insert(index + 1, made)


def pause_before_chance(record):
    record["events"].insert(1, event("pause"))


OTHER = "t_" + "9" * 22
AT = "at the time of the event before it"
PAUSE, RESUME = event("pause"), event("resume")
EXTEND = event("extend", seat=0, seconds=60)
CLOSE = event("close", why="agreed", winners=[], seat=None)


@pytest.mark.parametrize(
    "change",
    [
        by_timeout,
        by_house,
        by_seat,
        by_house_once,
        return_without_takeover,
        pause_before_chance,
        set_to("action", by="nobody"),
        set_to("action", by=["seat"]),
        set_to("handover", **{"from": OTHER}),
        set_to("handover", to="somebody"),
        set_to("handover", to=None),
        set_to("handover", house=False),
        set_to("handover", house=1),
        set_to("handover", why="tired"),
        set_to("handover", why="returned"),
        set_to("handover", why=["timeouts"]),
        set_to("handover", seat=7),
        set_to("handover", seat=True),
        set_to("handover", seat=1),
        set_to("handover", number=1, why="timeouts", house=True),
        set_to("handover", number=2, why="timeouts"),
        without("handover"),
        without("handover", 1),
        without("pause"),
        before_the_end(PAUSE, PAUSE),
        before_the_end(RESUME),
        set_to("extend", seconds=0),
        set_to("extend", seconds=-60),
        set_to("extend", seconds="60"),
        set_to("extend", seconds=True),
        set_to("extend", seat=3),
        set_to("extend", seat=None),
        at_the_end(PAUSE),
        at_the_end(EXTEND),
        at_the_end(CLOSE),
        before_the_end(CLOSE),
        before_the_end({**PAUSE, "why": "tea"}),
        before_the_end(event("extend", seat=0)),
        before_the_end(event("void")),
    ],
)
def test_impossible_events_are_refused(eventful, change):
    assert refused(eventful, change)


def test_a_tenure_cannot_be_used_twice(eventful):
    def change(record):
        first, second = events(record, "handover")[:2]
        second["to"] = first["from"]

    assert "who took the seat" in refused(eventful, change)


def test_other_possible_events_are_accepted(eventful):
    """The check is not stricter than the service."""
    assert refused(eventful, before_the_end(PAUSE, RESUME, EXTEND)) is None
    assert refused(eventful, before_the_end(PAUSE)) is None, "a game may end while it is paused"
    assert refused(eventful, without("resume")) is None, "nor does it change any shuffle"


@pytest.fixture(scope="module")
def resigned(cast):
    """The record of a game of two in which alice resigned."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=3)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    return cast.bob.get(f"/api/games/{game_id}/record")


def result(**members):
    def change(record):
        record["result"].update(members)

    return change


def both(**members):
    """Change the close event, and the result to match."""

    def change(record):
        record["events"][-1].update(members)
        record["result"]["winners"] = record["events"][-1]["winners"]
        record["result"]["reason"] = record["events"][-1]["why"]

    return change


@pytest.mark.parametrize(
    "change",
    [
        result(winners=[0]),
        result(reason="agreed"),
        result(scores=[1, 0]),
        both(winners=[0]),
        both(winners=[]),
        both(winners=[0, 1]),
        both(seat=0, winners=[True]),
        both(seat=None),
        both(seat=2),
        both(why="agreed"),
        both(why="agreed", seat=None),
        both(why="bored", seat=None, winners=[]),
        without("close"),
        at_the_end(PAUSE),
        at_the_end(event("close", why="agreed", winners=[], seat=None)),
    ],
)
def test_an_impossible_end_is_refused(resigned, change):
    assert refused(resigned, lambda record: None) is None
    assert refused(resigned, change)


def test_a_different_but_possible_end_is_accepted(resigned):
    """Nothing in a record rules out such a forgery: compare heads (docs/record.md)."""
    assert refused(resigned, both(seat=1, winners=[0])) is None
    assert refused(resigned, both(why="agreed", seat=None, winners=[])) is None
