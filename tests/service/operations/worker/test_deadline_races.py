"""A time-out against a late move, with two real web processes and two workers: exactly one wins."""

from __future__ import annotations

import functools
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from rules.kernel import text
from service.log.verification.verify_record import verify
from service.tables.before_start.table_setup import MOST_OPEN
from tests.support import record_verifier
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.servers.remote import Remote, move
from tests.support.servers.server import Server, wait_until

pytestmark = [pytest.mark.both_databases, pytest.mark.of_service]

PACE = {"kind": "decision", "seconds": 15}
LATE = (-0.05, 0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15)
"""Seconds after the due time at which a move is sent that may be in time or too late."""

AROUND_THE_END = (-0.06, -0.02, 0, 0.03)
"""The same for games that are played live, which end then: in each, three people act at about that time."""


@pytest.fixture(scope="module")
def url(running: Server) -> str:
    """The address of a server with two workers, on each database."""
    return running.url


@pytest.fixture(scope="module")
def alice(url: str) -> Remote:
    return Remote(url, "Alice")


@pytest.fixture(scope="module")
def bob(url: str) -> Remote:
    return Remote(url, "Bob")


def caravan(alice: Remote, bob: Remote) -> str:
    """A game of two who both have some seconds to move."""
    game_id = alice.open(CARAVAN, pace=PACE, takeover=0)
    assert bob.send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
    return game_id


def after_due(player: Remote, game: Any, late: float) -> tuple[int, Any]:
    """The response to a move that is sent `late` seconds after its time is over."""
    wait = next(each for each in game["waiting"] if each["seat"] == game["seat"])
    due = datetime.fromisoformat(wait["due"]).timestamp()
    time.sleep(max(0, due + late - time.time()))
    return player.send("POST", f"/api/games/{game['id']}/actions", move(game, -1))


def events(player: Remote, game_id: str) -> list[Any]:
    found: list[Any] = player.send("GET", f"/api/games/{game_id}/events?limit=200")[1]["events"]
    return found


def test_time_out_and_late_move(alice: Remote, bob: Remote) -> None:
    late = alice.game(caravan(alice, bob))
    with ThreadPoolExecutor(MOST_OPEN // 2) as threads:  # more tables may not be open at once
        games = list(threads.map(lambda _: alice.game(caravan(alice, bob)), LATE))
    with ThreadPoolExecutor(len(LATE)) as threads:
        calls = [threads.submit(after_due, alice, *each) for each in zip(games, LATE, strict=True)]
        answers = [call.result() for call in calls]
    wait_until(functools.partial(own, alice, late), "the time-out of a seat that does not move")
    games.append(late)
    answers.append(after_due(alice, late, 0))
    for game, (status, told) in zip(games, answers, strict=True):
        answered = wait_until(functools.partial(own, alice, game), "the answer of seat 0")
        mine = [event for event in answered if event["number"] <= game["number"] + 2]
        assert len(mine) == 1, "one question has one answer"
        if status == 201:
            assert (mine[0]["by"], mine[0]["number"]) == ("seat", told["number"])
        else:
            assert status in {200, 409}, told
            assert mine[0]["by"] == "timeout"
    assert mine[0]["by"] == "timeout", "the last was certainly too late"


def test_a_move_in_time(alice: Remote, bob: Remote) -> None:
    game = alice.game(caravan(alice, bob))
    status, told = alice.answer(game, -1)
    assert status == 201
    assert own(alice, game)[0]["number"] == told["number"]


def own(player: Remote, game: Any) -> list[Any]:
    """The actions of seat 0 since."""
    found = events(player, game["id"])
    return [event for event in found if event.get("seat") == 0 and event["kind"] == "action"]


def test_two_workers_play_by_the_clock_to_the_end(alice: Remote, bob: Remote) -> None:
    """Nobody answers; each question is answered once, and the record is correct."""
    game_id = alice.open(BOOMERANG, pace={"kind": "decision", "seconds": 1}, house=1, takeover=1)
    assert bob.send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
    wait_until(lambda: handovers(alice, game_id) >= 1, "a take-over")
    back = alice if alice.game(game_id)["held"] else bob
    assert back.send("POST", f"/api/games/{game_id}/return")[0] == 200
    wait_until(lambda: handovers(alice, game_id) >= 3, "two more")
    numbers = [event["number"] for event in events(alice, game_id)]
    assert numbers == list(range(1, len(numbers) + 1))
    for player in (alice, bob):
        player.send("POST", f"/api/games/{game_id}/return")
    end = {"kind": "close", "outcome": "abandon"}
    made = alice.send("POST", f"/api/games/{game_id}/proposals", end)[1]
    if made["status"] != "over":
        path = f"/api/games/{game_id}/proposals/{made['proposals'][0]['id']}/votes"
        bob.send("POST", path, {"agrees": True})
    wait_until(lambda: alice.game(game_id)["status"] == "over", "the end")
    record = alice.insist("GET", f"/api/games/{game_id}/record")[1]
    verify(text(record).encode())


def handovers(player: Remote, game_id: str) -> int:
    return sum(event["kind"] == "handover" for event in events(player, game_id))


def live_game(people: list[Remote]) -> Any:
    """A game that is played live and lasts for a minute, as its first person is shown it.

    On a busy machine all have to be asked something before it is over.
    """
    options = {"tempo": "live", "minutes": 1}
    game_id = people[0].open("2459n", players=len(people), options=options)
    for person in people[1:]:
        assert person.send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
    for person in people:
        assert person.send("POST", f"/api/games/{game_id}/ready")[0] == 200
    return people[0].game(game_id)


def at_the_end(player: Remote, game: Any, late: float) -> tuple[int, Any]:
    """The response to an action that is sent `late` seconds after the outside clock has run out."""
    due = datetime.fromisoformat(game["live"]["clock_due"]).timestamp()
    body = move(player.game(game["id"]), 0)
    time.sleep(max(0, due + late - time.time()))
    return player.send("POST", f"/api/games/{game['id']}/actions", body)


def test_the_end_of_a_live_game_and_the_last_actions(alice: Remote, bob: Remote, url: str) -> None:
    """All act at the moment when the clock runs out: it does so once, and nothing comes after it."""
    people = [alice, bob, Remote(url, "Carol")]
    with ThreadPoolExecutor(len(AROUND_THE_END)) as threads:
        games = list(threads.map(lambda _: live_game(people), AROUND_THE_END))
    sent = [
        (who, game, late)
        for game, late in zip(games, AROUND_THE_END, strict=True)
        for who in people
    ]
    with ThreadPoolExecutor(len(sent)) as threads:
        answers = list(threads.map(lambda each: at_the_end(*each), sent))
    for game in games:
        wait_until(lambda game=game: alice.game(game["id"])["status"] == "over", "time is up")
        record = alice.send("GET", f"/api/games/{game['id']}/record")[1]
        told = [found for (_, of, _), found in zip(sent, answers, strict=True) if of is game]
        logged = sorted(answer["number"] for status, answer in told if status == 201)
        assert [event["kind"] for event in record["events"]] == [
            *("start", "chance"),
            *["action"] * len(logged),
            "clock",
        ]
        assert logged == list(range(3, 3 + len(logged)))
        late = [answer["type"] for status, answer in told if status != 201]
        assert set(late) <= {"/problems/not-running", "/problems/illegal-action"}
        verify(text(record).encode())
        record_verifier.verify(text(record).encode())
