"""Everybody answers at the same moment: the seats of many games, in each of which secret choices are asked for.

At 50 tables of four all 200 seats are asked at the beginning. In each round their answers are sent by as many threads
that wait for one signal, each of them twice, as an impatient finger does; some of those who are asked again at once
answer once more. Each gets 201 or, for the repetition, 200 with the same number, or 409 if somebody else's answer was
first and has taken the question away; the log of each game has each answer once, and its numbers have no gap.

It takes 30 seconds and 10 more for each round. It counts tables, answers, and the longest wait for an answer. What runs
each day is tests/service/tables/play/test_races.py.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from tests.endurance.frame import Definition, Run
from tests.support.servers.remote import Remote, move
from tests.support.servers.server import Server

TABLES, QUICK_TABLES, SEATS = 50, 5, 4
RULESET = "blame-the-magic"
Answered = tuple[int, Any]


class Seat(NamedTuple):
    """Somebody at a table, and the table."""

    who: Remote
    game_id: str


def seated(run: Run, url: str, people: list[Remote], tables: int) -> list[Seat]:
    """All seats; each person sits at one table."""
    found = []
    for n in range(tables):
        host, *others = people[n * SEATS : (n + 1) * SEATS]
        game_id = host.open(RULESET, players=SEATS)
        for other in others:
            status, told = other.insist("POST", f"/api/games/{game_id}/seats", {})
            assert status == 201, told
        found += [Seat(each, game_id) for each in (host, *others)]
        run.count("tables")
    return found


def volley(run: Run, seats: list[Seat]) -> list[tuple[Seat, Answered]]:
    """The answers to all that are asked, each sent twice at the same moment."""
    asked = [(seat, game) for seat in seats if (game := seat.who.game(seat.game_id))["legal"]]
    together = threading.Barrier(2 * len(asked))
    body_of = {seat.who: move(game, -1) for seat, game in asked}

    def answer(seat: Seat) -> tuple[Seat, Answered]:
        together.wait()
        begun = time.monotonic()
        told = seat.who.send("POST", f"/api/games/{seat.game_id}/actions", body_of[seat.who])
        run.most("longest wait, seconds", time.monotonic() - begun)
        return seat, told

    with ThreadPoolExecutor(2 * len(asked)) as threads:
        return list(threads.map(answer, [seat for seat, _ in asked] * 2))


def endure(run: Run) -> None:
    """Let them answer in this number of rounds."""
    tables = TABLES if run.rounds > DEFINITION.quick else QUICK_TABLES
    with Server(run.folder, run.database()) as server:
        with ThreadPoolExecutor(8) as threads:
            names = [f"Player {n}" for n in range(tables * SEATS)]
            people = list(threads.map(lambda name: Remote(server.url, name), names))
        seats = seated(run, server.url, people, tables)
        logged: dict[Seat, list[int]] = {seat: [] for seat in seats}
        for _ in range(run.rounds):
            judge(run, volley(run, seats), logged)
        for n in range(0, len(seats), SEATS):
            judge_log(run, seats[n : n + SEATS], logged)
        assert '"event": "crash"' not in server.logged(), server.logged()[-2000:]


def judge(run: Run, answers: list[tuple[Seat, Answered]], logged: dict[Seat, list[int]]) -> None:
    """Check that each seat got two responses: one that its answer is logged, and one that it was logged before.

    Both can be refused, if another answer at the table has taken the question away.
    """
    by_seat: dict[Seat, list[Answered]] = {}
    for seat, told in answers:
        by_seat.setdefault(seat, []).append(told)
    answered = {seat.game_id for seat, (status, _) in answers if status == 201}
    for seat, told in by_seat.items():
        statuses = Counter(status for status, _ in told)
        if statuses == {409: 2} and seat.game_id in answered:
            run.count("answers that came too late", len(told))
            continue
        assert statuses == {201: 1, 200: 1}, told
        (number,) = {body["number"] for _, body in told}
        logged[seat].append(number + (run.fault == "other-number"))
        run.count("answers", len(told))


def judge_log(run: Run, seats: list[Seat], logged: dict[Seat, list[int]]) -> None:
    """Check that the log of a game has each answer at its number. To see the log, one seat after another resigns."""
    game_id = seats[0].game_id
    for seat in seats:
        numbers = answers_of(seat)
        assert logged[seat] == numbers, f"{game_id}: {logged[seat]} were told, {numbers} logged"
    run.count("logs judged")


def answers_of(seat: Seat) -> list[int]:
    """The numbers of a person's own actions in their history."""
    told = seat.who.insist("GET", f"/api/games/{seat.game_id}/events?limit=200")[1]["events"]
    assert [each["number"] for each in told] == list(range(1, len(told) + 1))
    own = seat.who.game(seat.game_id)["seat"]
    return [e["number"] for e in told if e["kind"] == "action" and e["seat"] == own]


DEFINITION = Definition(endure, rounds=10, quick=2, faults=("other-number",), daily=False)
