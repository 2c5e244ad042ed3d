"""Races of a take-back in random games of every ruleset: whichever is first decides, and nothing is half of each.

The rival comes before it, after it, or between the moment at which the loser has read the table and the one at which
it writes. (Requests that are really sent at the same moment: test_races.py.)
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from flask import Flask

import rules
from service.log.verification.check_game import check_game
from service.tables.play import moves
from tests.support.cast import Json, Person, sqlite_only
from tests.support.clock import MINUTE, Hours, hours
from tests.support.dump import execute
from tests.support.each_game import each_slug
from tests.support.failing_commits import begin_anew, shown

__all__ = ["hours"]

PACE = {"kind": "reserve", "reserve": 36_000, "increment": 600, "cap": 72_000}
RIVALS = ("move", "time-out", "again", "same key")
ORDERS = ("first", "second", "between")
KEY = {"Idempotency-Key": "the-same-key-of-a-take-back"}
MOVES, GAMES = 40, 3
"""The most moves of a game, and the most games of each ruleset."""
LOST = {"stale", "not-possible", "not-found", "other-answer", "not-running"}
"""The problems that a loser gets."""


@contextmanager
def between(happen: Callable[[], object]) -> Iterator[None]:
    """A block in which something else happens after the effects of the next move have been computed, and before they
    are written.
    """
    usual, left = moves.changed_by, [happen]

    def computed(*given: Any, **more: Any) -> moves.TableChange:
        change = usual(*given, **more)
        if left:
            thread = Thread(target=left.pop())
            thread.start()
            thread.join()
        return change

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moves, "changed_by", computed)
        yield
    if left:
        left.pop()()  # the rival has written nothing


class Game:
    """A random game, with a take-back against a rival wherever one is possible."""

    def __init__(self, hours: Hours, people: list[Person], slug: str, rng: random.Random) -> None:
        self.app, self.hours, self.people, self.rng = hours.app, hours, people, rng
        options = rules.load(slug).looks.lengths(len(people))[0].options
        wish = {"ruleset": slug, "players": len(people), "options": options, "pace": PACE}
        wish |= {"seating": "order", "start": "full", "nonce": None, "takeover": 0}
        self.id = str(people[0].post("/api/games", wish)["id"])
        for other in people[1:]:
            other.post(f"/api/games/{self.id}/seats", {})
        self.path = f"/api/games/{self.id}"

    def look(self) -> list[Json]:
        """The game as each seat sees it."""
        return [each.game(self.id) for each in self.people]

    def play(self, races: Iterator[tuple[str, str]], most: int) -> Iterator[tuple[str, bool]]:
        """Play random moves; where one can be taken back, hold the next race."""
        for _ in range(most):
            before = self.look()
            if not before[0]["waiting"]:
                return
            seat = self.rng.choice(before[0]["waiting"])["seat"]
            self.hours.clock.forward(self.rng.randrange(10 * MINUTE))
            played = self.answer(seat, before[seat])
            assert played.status_code == 201
            back = played.json["game"]["take_back"]
            if back is not None and played.json["game"]["status"] == "running":
                race = next(races, None)
                if race is None:
                    return
                Race(self, before, seat, back).hold(*race)
                yield race[0], back["free"]

    def answer(self, seat: int, shown: Json) -> Any:
        """The response to a random action of a seat that sees this."""
        action = self.rng.choice(shown["legal"])["action"]
        body = {"asked": shown["asked"], "action": action}
        return self.people[seat].send("POST", f"{self.path}/actions", json=body)

    def events(self) -> list[Json]:
        """The last events, as everybody sees them."""
        found: list[Json] = []
        while True:
            more = self.people[0].get(f"{self.path}/events?after={len(found)}&limit=200")["events"]
            found += more
            if len(more) < 200:
                return found


class Race:
    """A take-back of the last action of a seat, and its rival."""

    def __init__(self, game: Game, before: list[Json], seat: int, back: Json) -> None:
        self.game, self.before, self.seat = game, before, seat
        self.event, self.is_free = back["event"], back["free"]
        self.asked = game.look()
        self.voter, self.vote = seat, ""
        if not self.is_free:
            self._ask()

    def _ask(self) -> None:
        """Propose it, with all votes but one."""
        people, path = self.game.people, f"{self.game.path}/proposals"
        execute(self.game.app, "UPDATE proposals SET made_at = 0")  # there are so many a day
        wish = {"kind": "takeback", "event": self.event}
        proposal = people[self.seat].post(path, wish)["proposals"][-1]
        self.vote = f"{path}/{proposal['id']}/votes"
        *others, self.voter = proposal["missing"]
        for other in others:
            people[other].post(self.vote, {"agrees": True}, status=200)

    def back(self, **more: Any) -> Any:
        """The request that takes it back."""
        people, path = self.game.people, f"{self.game.path}/take-back"
        if self.is_free:
            return people[self.seat].send("POST", path, json={"event": self.event}, **more)
        return people[self.voter].send("POST", self.vote, json={"agrees": True}, **more)

    def rival(self, kind: str) -> Any:
        """What the other does at that moment."""
        waiting = [each["seat"] for each in self.asked[0]["waiting"]]
        if kind == "move":
            seat = next((each for each in waiting if each != self.seat), waiting[0])
            return self.game.answer(seat, self.asked[seat])
        if kind == "time-out":
            self.game.hours.later(36_000_000)
            return None
        if kind == "again":
            return self.back()
        return self.back(headers=KEY)

    def hold(self, kind: str, when: str) -> None:
        """Let both happen in this order, and check what has become of the game."""
        found: list[Any] = []
        own = {"headers": KEY} if kind == "same key" else {}
        if when == "first":
            found.append(self.back(**own))
            self.check_back(found[0])
            found.append(self.rival(kind))
        elif when == "second" or kind != "move":
            other = self.rival(kind)
            found += [self.back(**own), other]
        else:
            self.hold_between(kind, found, own)
        self.check(kind, *found)

    def hold_between(self, kind: str, found: list[Any], own: Json) -> None:
        """The take-back happens after the rival has read the table, and before it writes."""
        with between(lambda: found.append(self.back(**own))):
            other = self.rival(kind)
        found.append(other)

    def check_back(self, answer: Any) -> None:
        """A take-back without a rival leaves the table as it was, with the time that the action had taken."""
        assert answer.status_code in (200, 201), answer.json
        seats = self.before[self.seat]["seats"], self.game.look()[self.seat]["seats"]
        assert seats[0][self.seat]["reserve"] == seats[1][self.seat]["reserve"]
        for was, now in zip(self.before, self.game.look(), strict=True):
            assert (was["view"], was["legal"]) == (now["view"], now["legal"])

    def check(self, kind: str, back: Any, other: Any) -> None:
        """The winner's effects are in the log, the loser gets a clear problem, and the caches agree with the log."""
        for each in (back, other):
            if each is not None and each.status_code >= 300:
                assert each.status_code in (404, 409), each.json
                assert each.json["type"].rpartition("/")[2] in LOST, each.json
                assert each.json["detail"]
        after = [each for each in self.game.events() if each["number"] > self.event]
        voids = [each["event"] for each in after if each["kind"] == "void"]
        assert len(voids) == len(set(voids)), "nothing is undone twice"
        has_won = back.status_code < 300 or (kind in RIVALS[2:] and other.status_code < 300)
        assert (self.event in voids) == has_won, (kind, back.json, voids)
        if kind in RIVALS[2:]:
            assert voids == [self.event]
            statuses = sorted([back.status_code, other.status_code])
            assert statuses == ([200, 201] if self.is_free else [200, 409]), "repeated, or decided"
            assert not self.is_free or back.json["number"] == other.json["number"]
        self.check_undone(kind, other, after, voids)
        possible = [each["take_back"] for each in self.game.look() if each["take_back"]]
        assert all(each["event"] not in voids for each in possible)
        self.check_caches()

    def check_undone(self, kind: str, other: Any, after: list[Json], voids: list[int]) -> None:
        """With an action, everything after it is undone, unless it was a sealed choice."""
        first = next((n for n, each in enumerate(after) if each["kind"] == "void"), None)
        if first is None or self.is_free:
            assert set(voids) <= {self.event}
            return
        actions = [each["number"] for each in after[:first] if each["kind"] == "action"]
        assert set(voids) == {self.event, *actions}
        if (
            kind == "move"
            and other.status_code == 201
            and other.json["number"] < after[first]["number"]
        ):
            assert other.json["number"] in voids

    def check_caches(self) -> None:
        """The log is whole, and a process that has just begun shows the same."""
        app, people = self.game.app, self.game.people
        with app.app_context():
            assert check_game(self.game.id) is None
        here = shown(app, people, self.game.id)
        begin_anew(app)
        assert shown(app, people, self.game.id) == here


@pytest.fixture
def people(app: Flask) -> list[Person]:
    """As many people as any game here needs."""
    return [Person(app, f"Player {n}", program=True) for n in range(4)]


@sqlite_only
@each_slug
@pytest.mark.of_service
@pytest.mark.timeout(600)
def test_exactly_one_of_a_take_back_and_its_rival_wins(
    hours: Hours, people: list[Person], slug: str, request: pytest.FixtureRequest
) -> None:
    counts = rules.load(slug).players
    players = people[: 3 if 3 in counts else min(counts)]
    every = [*itertools.product(RIVALS, ORDERS)]
    rng = random.Random(slug)
    rng.shuffle(every)
    races = iter(every * (5 if request.config.getoption("--thorough") else 1))
    held = set[tuple[str, bool]]()
    for _ in range(GAMES):
        held |= set(Game(hours, players, slug, rng).play(races, MOVES))
    assert held
