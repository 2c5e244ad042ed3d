"""Concurrent requests to a real server with two web processes: who is first, and what do the others get?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.servers.remote import Remote, move
from tests.support.servers.server import Server, wait_until

pytestmark = pytest.mark.both_databases

ROUNDS = 5
Sent = tuple[int, Any]


@pytest.fixture(scope="module")
def url(running: Server) -> str:
    """The address of a real server, on each database."""
    return running.url


@pytest.fixture(scope="module")
def pair(url: str) -> tuple[Remote, Remote]:
    return Remote(url, "Alice"), Remote(url, "Bob")


def at_once(*calls: Callable[[], Sent]) -> list[Sent]:
    """The responses to calls that are made at the same moment."""
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda call: call(), calls))


def caravan(pair: tuple[Remote, Remote]) -> str:
    """A game of two that has just begun: both seats are asked to open."""
    game_id = pair[0].open(CARAVAN)
    assert pair[1].send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
    return game_id


def begun(pair: tuple[Remote, Remote]) -> tuple[str, int]:
    """Such a game and the number of its next event, which is higher if an unlucky deal was repeated."""
    game_id = caravan(pair)
    return game_id, int(pair[0].game(game_id)["number"]) + 1


def posting(player: Remote, game_id: str, what: str, body: Any = None) -> Callable[[], Sent]:
    return lambda: player.send("POST", f"/api/games/{game_id}/{what}", body)


def test_simultaneous_choices_of_two_seats_are_both_logged(pair: tuple[Remote, Remote]) -> None:
    for _ in range(ROUNDS):
        game_id, number = begun(pair)
        moves = [posting(each, game_id, "actions", move(each.game(game_id))) for each in pair]
        answers = at_once(*moves)
        assert [status for status, _ in answers] == [201, 201]
        assert sorted(response["number"] for _, response in answers) == [number, number + 1]
        assert pair[0].game(game_id)["view"]["phase"] != "opening"


def test_the_same_move_sent_twenty_times_at_once_is_one_event(pair: tuple[Remote, Remote]) -> None:
    for _ in range(ROUNDS):
        game_id, number = begun(pair)
        body = move(pair[0].game(game_id))
        answers = at_once(*[posting(pair[0], game_id, "actions", body)] * 20)
        assert Counter(status for status, _ in answers) == {201: 1, 200: 19}
        assert {response["number"] for _, response in answers} == {number}
        assert pair[0].game(game_id)["number"] == number


def test_only_one_of_two_answers_to_a_question_is_logged(pair: tuple[Remote, Remote]) -> None:
    for _ in range(ROUNDS):
        game_id, number = begun(pair)
        game = pair[1].game(game_id)
        answers = at_once(*(posting(pair[1], game_id, "actions", move(game, n)) for n in (0, 1)))
        logged, refused = sorted(answers, key=lambda answer: answer[0])
        assert (logged[0], refused[0]) == (201, 409)
        assert refused[1]["type"] == "/problems/other-answer"
        assert refused[1]["number"] == logged[1]["number"] == number
        assert pair[1].game(game_id)["number"] == number


def test_only_one_of_two_people_gets_the_last_seat(url: str, pair: tuple[Remote, Remote]) -> None:
    carol = Remote(url, "Carol")
    for _ in range(ROUNDS):
        game_id = pair[0].open(CARAVAN)
        answers = at_once(*(posting(each, game_id, "seats", {}) for each in (pair[1], carol)))
        assert sorted(status for status, _ in answers) == [201, 409]
        assert len(pair[0].game(game_id)["seats"]) == 2


def test_a_game_starts_only_once(pair: tuple[Remote, Remote]) -> None:
    for _ in range(ROUNDS):
        game_id = pair[0].open(BOOMERANG, house=2, start="host")
        answers = at_once(*[posting(pair[0], game_id, "start")] * 4)
        assert Counter(status for status, _ in answers) == {200: 1, 409: 3}
        events = pair[0].send("GET", f"/api/games/{game_id}/events")[1]["events"]
        assert [event["kind"] for event in events][:2] == ["start", "chance"]


def test_two_workers_never_make_a_move_twice(url: str) -> None:
    alice = Remote(url, "Alice")
    games = [alice.open(BOOMERANG, house=2) for _ in range(3)]
    for game_id in games:
        while (game := alice.asked(game_id))["status"] != "over":
            alice.answer(game, -1)
        record = alice.send("GET", f"/api/games/{game_id}/record")[1]
        numbers = [event["number"] for event in record["events"]]
        assert numbers == list(range(1, len(numbers) + 1))


def test_house_players_answer_each_move_of_a_person(pair: tuple[Remote, Remote]) -> None:
    game_id = pair[0].open(BOOMERANG, house=2)
    for _ in range(ROUNDS):
        pair[0].answer(pair[0].asked(game_id), -1)
        wait_until(
            lambda: pair[0].game(game_id)["legal"] or pair[0].game(game_id)["status"] == "over",
            "all moves of house players",
        )
