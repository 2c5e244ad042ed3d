"""Simultaneous requests to a server with two web processes: no message is lost, doubled or out of order."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.service.tables.play.test_races import Sent, at_once
from tests.support.cast import CARAVAN
from tests.support.servers.remote import Remote
from tests.support.servers.server import Server
from tests.support.talking import at

pytestmark = pytest.mark.both_databases


@pytest.fixture(scope="module")
def url(running: Server) -> str:
    """The address of a whole server, on each database."""
    return running.url


@pytest.fixture(scope="module")
def pair(url: str) -> tuple[Remote, Remote]:
    return Remote(url, "Alice"), Remote(url, "Bob")


@pytest.fixture
def game_id(pair: tuple[Remote, Remote]) -> str:
    """A table for two at which both sit."""
    game_id = pair[0].open(CARAVAN)
    assert pair[1].send("POST", at(game_id, "seats"), {})[0] == 201
    return game_id


def saying(person: Remote, game_id: str, text: str, **more: str) -> Sent:
    body = {"channel": "seats", "text": text, **more}
    return person.send("POST", at(game_id, "messages"), body)


@pytest.mark.of_service
def test_simultaneous_messages_are_each_posted_once(
    pair: tuple[Remote, Remote], game_id: str
) -> None:
    texts = [f"{n}" for n in range(20)]
    answers = at_once(
        *[lambda n=n: saying(pair[n % 2], game_id, texts[n]) for n in range(20)]  # type: ignore[misc]
    )
    assert [status for status, _ in answers] == [201] * 20
    assert sorted(told["number"] for _, told in answers) == list(range(1, 21))
    page = pair[0].send("GET", at(game_id, "messages?channel=seats"))[1]["messages"]
    assert [each["number"] for each in page] == list(range(20, 0, -1))
    assert {each["text"] for each in page} == set(texts)


def test_simultaneous_repetitions_are_one_message(
    pair: tuple[Remote, Remote], game_id: str
) -> None:
    answers = at_once(*[lambda: saying(pair[0], game_id, "x", once="ab" * 8)] * 10)
    assert Counter(status for status, _ in answers) == {201: 1, 200: 9}
    assert len({told["id"] for _, told in answers}) == 1


def test_of_simultaneous_marks_the_furthest_stays(
    pair: tuple[Remote, Remote], game_id: str
) -> None:
    for n in range(8):
        saying(pair[0], game_id, f"{n}")
    path = at(game_id, "marks")
    answers = at_once(
        *[
            lambda n=n: pair[1].send("PUT", path, {"channel": "seats", "number": n})  # type: ignore[misc]
            for n in (3, 8, 1, 5, 2, 7)
        ]
    )
    assert [status for status, _ in answers] == [200] * 6
    assert pair[1].send("GET", at(game_id, "talk"))[1]["seats"]["read"] == 8


def test_of_simultaneous_notes_mutes_blocks_and_reports_one_is_kept(
    pair: tuple[Remote, Remote], game_id: str
) -> None:
    said = saying(pair[1], game_id, "x")[1]
    named = {"tenure": said["tenure"]}
    for method, path, body, statuses in (
        ("PUT", at(game_id, "notes"), {"text": "y"}, {200: 8}),
        ("POST", at(game_id, "mutes"), named, {201: 1, 200: 7}),
        ("POST", "/api/me/blocks", {"game": game_id, **named}, None),
        ("POST", at(game_id, f"messages/{said['id']}/reports"), {}, {204: 8}),
    ):
        answers = at_once(*[lambda m=method, p=path, b=body: pair[0].send(m, p, b)] * 8)  # type: ignore[misc]
        told = Counter(status for status, _ in answers)
        assert told == (statuses or told) and told.keys() <= {200, 201, 204}
