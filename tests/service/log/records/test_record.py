"""The record of a finished game: complete, verifiable, and refused if any single byte is changed."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

import rules
from rules.kernel import text
from service.log.event_log import digest
from service.log.records.record_text import VerificationError
from service.log.verification.verify_record import verify
from service.operations.commands import main
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import HOUR
from tests.support.dump import execute
from tests.support.each_game import each_ruleset
from tests.support.record_schema import misfits


@pytest.fixture
def rng():
    return random.Random(41)


def finished(cast, slug, version=None):
    """The id of a game that has been played to its end, of the shortest usual length."""
    ruleset = rules.load(slug, version)
    shortest = ruleset.looks.lengths(ruleset.players[0])[0].options
    game_id = cast.start(slug, version=ruleset.version, options=shortest)
    cast.play(game_id)
    return game_id


def record_of(person, game_id):
    answer = person.send("GET", f"/api/games/{game_id}/record")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game_id}.json"'
    return answer.get_data()


@pytest.mark.both_databases
def test_the_record_discloses_the_whole_game(app, cast, clock):
    game_id = finished(cast, BOOMERANG)
    data = record_of(cast.nobody, game_id)
    assert data == record_of(cast.alice, game_id)
    record, game = json.loads(data), cast.alice.game(game_id)
    assert data == text(record).encode()
    assert verify(data)["head"] == game["head"] == record["head"]
    assert len(record["events"]) == game["number"]
    start = record["events"][0]
    assert start["commitment"] == game["commitment"]
    assert start["seats"] == [seat["tenure"] for seat in game["seats"]]
    assert record["result"] == {key: game["result"][key] for key in ("winners", "scores", "reason")}
    assert {event["at"] for event in record["events"]} == {"2026-11-21T10:00:00.000Z"}
    assert cast.alice.name not in data.decode() and cast.alice.id not in data.decode()
    stored = execute(app, "SELECT body, digest FROM events ORDER BY number")
    head = None
    for (body, stored_digest), event in zip(stored, record["events"], strict=True):
        head = digest(head, body)
        assert (body, stored_digest) == (text(event), head)


@sqlite_only
def test_times_in_the_log_never_run_backward_even_if_the_clock_does(cast, clock):
    game_id = cast.start()
    for hours in (2, -1, -3):
        clock.forward(hours * HOUR)
        cast.play(game_id, most=2)
    clock.forward(3 * HOUR - 1)
    cast.play(game_id)
    record = verify(record_of(cast.alice, game_id))
    told = [event["at"][11:13] for event in record["events"]]
    assert told == ["10"] * 2 + ["12"] * (len(told) - 2)


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_there_is_no_record_before_the_end(cast, slug):
    game_id = cast.open(slug, start="full")
    path = f"/api/games/{game_id}/record"
    cast.alice.refused("GET", path, "not-over")
    for person in cast.seated[1 : cast.alice.game(game_id)["players"]]:
        person.post(f"/api/games/{game_id}/seats", {})
    for _ in cast.moves(game_id):
        if cast.alice.game(game_id)["status"] == "running":
            cast.alice.refused("GET", path, "not-over")
    cast.alice.get(path)


@sqlite_only
def test_the_command_tells_valid_records_from_forged_ones(cast, tmp_path):
    file = tmp_path / "record.json"
    file.write_bytes(record_of(cast.alice, finished(cast, BOOMERANG)))
    right = CliRunner().invoke(main.main, ["verify", str(file)])
    assert right.exit_code == 0, right.output
    assert BOOMERANG in right.output
    file.write_bytes(file.read_bytes().replace(b'"As"', b'"2s"', 1))
    wrong = CliRunner().invoke(main.main, ["verify", str(file)])
    assert wrong.exit_code == 1
    assert "Traceback" not in wrong.output and wrong.output.startswith("Error: ")


def refused(data):
    try:
        verify(data)
    except VerificationError:
        return True
    return False


def flips(byte, rng, thorough):
    """Bytes to put in place of this one: a random one or, if `thorough`, one for each flipped bit."""
    if thorough:
        return [byte ^ (1 << bit) for bit in range(8)]
    return [(byte + rng.randrange(1, 256)) % 256]


@sqlite_only
@each_ruleset
def test_a_record_with_any_byte_changed_is_refused(cast, request, rng, ruleset):
    slug = ruleset.slug
    data = record_of(cast.alice, finished(cast, slug, ruleset.version))
    assert not refused(data)
    assert misfits(json.loads(data)) == []
    thorough, places = request.config.getoption("--thorough"), range(len(data))
    if slug not in (BOOMERANG, CARAVAN) and not thorough:
        places = rng.sample(places, 500)
    for place in places:
        for other in flips(data[place], rng, thorough):
            assert refused(data[:place] + bytes([other]) + data[place + 1 :]), (place, other)


@sqlite_only
@each_ruleset
def test_a_record_with_a_byte_added_or_removed_is_refused(cast, request, rng, ruleset):
    data = record_of(cast.alice, finished(cast, ruleset.slug, ruleset.version))
    everywhere = range(len(data) + 1)
    places = everywhere if request.config.getoption("--thorough") else rng.sample(everywhere, 500)
    for place in {0, len(data), *places}:
        more = data[:place] + bytes([rng.randrange(256)]) + data[place:]
        assert refused(more), place
        if place < len(data):
            assert refused(data[:place] + data[place + 1 :]), place


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"[" * 10_000, b"\xff", b"1e999"])
def test_data_that_is_not_a_record_is_refused(data):
    assert refused(data)
