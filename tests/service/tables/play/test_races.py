"""Concurrent requests to a real server with two web processes: which one is first, and what the others get."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
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


@pytest.mark.of_service
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


def test_a_choice_is_taken_back_or_opened(pair: tuple[Remote, Remote]) -> None:
    """The last choice of the other seat opens both: whichever is first decides, and nothing is half of each."""
    for _ in range(ROUNDS):
        game_id, number = begun(pair)
        pair[0].answer(pair[0].game(game_id), 0)
        back = posting(pair[0], game_id, "take-back", {"event": number})
        choice = posting(pair[1], game_id, "actions", move(pair[1].game(game_id)))
        taken, chosen = at_once(back, choice)
        assert chosen[0] == 201
        game = pair[0].game(game_id)
        if taken[0] == 201:
            assert (game["view"]["phase"], game["view"]["committed"]) == ("opening", [1])
            assert game["legal"] and game["number"] == number + 2
        else:
            assert (taken[0], taken[1]["type"]) == (409, "/problems/not-possible")
            assert game["view"]["phase"] != "opening"


@pytest.mark.of_service
def test_a_choice_is_taken_back_or_opened_by_a_time_out(pair: tuple[Remote, Remote]) -> None:
    """The worker answers for the other seat when its time is over: whichever is first decides."""
    for _ in range(ROUNDS):
        game_id = pair[0].open(CARAVAN, pace={"kind": "decision", "seconds": 1})
        assert pair[1].send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
        shown = pair[0].game(game_id)
        if not shown["legal"]:  # a slow machine: its own time is over already
            continue
        status, played = pair[0].send("POST", f"/api/games/{game_id}/actions", move(shown))
        if status != 201:
            continue
        number = played["number"]
        wait = next(each for each in played["game"]["waiting"] if each["seat"] == 1)
        due = datetime.fromisoformat(wait["due"]).timestamp()
        wait_until(lambda due=due: time.time() >= due, "the end of the other's time")
        back = pair[0].send("POST", f"/api/games/{game_id}/take-back", {"event": number})
        assert back[0] == 201 or (back[0], back[1]["type"]) == (409, "/problems/not-possible")
        events = pair[0].send("GET", f"/api/games/{game_id}/events")[1]["events"]
        voids = [each["event"] for each in events if each["kind"] == "void"]
        assert voids == ([number] if back[0] == 201 else [])
        opened = [each for each in events if each.get("opened")]
        assert not (voids and opened) or opened[0]["number"] > number + 1


def nearly_taken_back(
    pair: tuple[Remote, Remote], carol: Remote
) -> tuple[str, dict[str, Any], int, str]:
    """A game in which only Carol has not agreed yet that the first move is taken back: its id, the game before that
    move, the number of the move, and the path of the votes.
    """
    game_id = pair[0].open(BOOMERANG)
    for each in (pair[1], carol):
        assert each.send("POST", f"/api/games/{game_id}/seats", {})[0] == 201
    shown = pair[0].asked(game_id)
    number = pair[0].answer(shown)[1]["number"]
    wish = {"kind": "takeback", "event": number}
    asked = posting(pair[0], game_id, "proposals", wish)()[1]
    vote = f"proposals/{asked['proposals'][0]['id']}/votes"
    assert posting(pair[1], game_id, vote, {"agrees": True})()[0] == 200
    return game_id, shown, number, vote


@pytest.mark.of_service
def test_a_move_is_taken_back_by_the_last_vote_before_the_next_one_or_together_with_it(
    url: str, pair: tuple[Remote, Remote]
) -> None:
    """Whichever is first decides: the next move is refused, or undone with the one before it; a vote again undoes
    nothing more.
    """
    carol = Remote(url, "Carol")
    for _ in range(ROUNDS):
        game_id, shown, number, vote = nearly_taken_back(pair, carol)
        voting = posting(carol, game_id, vote, {"agrees": True})
        playing = posting(pair[1], game_id, "actions", move(pair[1].game(game_id)))
        (status, _), (played, refused) = at_once(voting, playing)
        assert status == 200
        events = pair[0].send("GET", f"/api/games/{game_id}/events")[1]["events"]
        after = [each for each in events if each["number"] > number]
        undone = {each["event"] for each in after if each["kind"] == "void"}
        if played == 201:
            assert [each["kind"] for each in after] == ["action", "void", "void"]
            assert undone == {number, number + 1}
        else:
            assert (played, refused["type"]) == (409, "/problems/stale")
            assert [each["kind"] for each in after] == ["void"] and undone == {number}
        assert voting()[0] in (200, 409)
        game = pair[0].game(game_id)
        assert (game["number"], game["legal"]) == (number + len(after), shown["legal"])


@pytest.mark.of_service
def test_of_ten_last_votes_at_once_one_takes_the_move_back(
    url: str, pair: tuple[Remote, Remote]
) -> None:
    """The others are told that it has been decided, and nothing is undone twice."""
    carol = Remote(url, "Carol")
    game_id, shown, number, vote = nearly_taken_back(pair, carol)
    answers = at_once(*[posting(carol, game_id, vote, {"agrees": True})] * 10)
    assert Counter(status for status, _ in answers) == {200: 1, 409: 9}
    assert {told["type"] for status, told in answers if status == 409} == {"/problems/not-possible"}
    game = pair[0].game(game_id)
    assert (game["number"], game["legal"]) == (number + 1, shown["legal"])


def test_a_choice_is_changed_or_opened(pair: tuple[Remote, Remote]) -> None:
    """This happens completely or not at all: either choice is opened."""
    for _ in range(ROUNDS):
        game_id, number = begun(pair)
        shown = pair[0].game(game_id)
        pair[0].answer(shown, 0)
        other = move(shown, 1)["action"]
        change = posting(pair[0], game_id, "take-back", {"event": number, "action": other})
        choice = posting(pair[1], game_id, "actions", move(pair[1].game(game_id)))
        changed, chosen = at_once(change, choice)
        assert chosen[0] == 201
        game = pair[0].game(game_id)
        assert game["view"]["phase"] != "opening"
        if changed[0] != 201:
            assert (changed[0], changed[1]["type"]) == (409, "/problems/not-possible")
        events = pair[0].send("GET", f"/api/games/{game_id}/events")[1]["events"]
        kinds = [each["kind"] for each in events if each["number"] >= number]
        assert kinds.count("void") == (changed[0] == 201)
        opened = next(each["opened"] for each in events if each.get("opened"))
        own = next(each["action"] for each in opened if each["seat"] == 0)
        assert (own == other) == (changed[0] == 201)


def test_of_ten_changes_at_once_one_is_made(pair: tuple[Remote, Remote]) -> None:
    """The same again is acknowledged, another one refused."""
    game_id, number = begun(pair)
    shown = pair[0].game(game_id)
    pair[0].answer(shown, 0)
    wishes = [{"event": number, "action": move(shown, 1 + n % 2)["action"]} for n in range(10)]
    answers = at_once(*(posting(pair[0], game_id, "take-back", each) for each in wishes))
    assert Counter(status for status, _ in answers) == {201: 1, 200: 4, 409: 5}
    assert pair[0].game(game_id)["number"] == number + 2


def test_a_choice_that_is_taken_back_twenty_times_at_once_is_taken_back_once(
    pair: tuple[Remote, Remote],
) -> None:
    game_id, number = begun(pair)
    pair[0].answer(pair[0].game(game_id), 0)
    answers = at_once(*[posting(pair[0], game_id, "take-back", {"event": number})] * 20)
    assert Counter(status for status, _ in answers) == {201: 1, 200: 19}
    assert {response["number"] for _, response in answers} == {number + 1}
    assert pair[0].game(game_id)["number"] == number + 1


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


@pytest.mark.of_service
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
