"""The commit of an event fails, and another event takes its number: no process uses what was never committed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from flask import Flask

from service.core.database.database import transaction
from service.log.table_rows.table import find
from service.operations.worker.loop import Worker
from service.tables.play import service_events, timeouts
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import BOOMERANG, Cast, Clock
from tests.support.clock import DAY, HOUR
from tests.support.closing import close_by_operator
from tests.support.dump import dump
from tests.support.failing_commits import FAILURES, begin_anew, no_commit, shown
from tests.support.proposing import PAUSE, last, propose
from tests.support.servers.databases import disconnect
from tests.support.thinking import InTurn, in_turn

pytestmark = [pytest.mark.both_databases, pytest.mark.of_service]

PACE = {"kind": "decision", "seconds": 3600}


class Scene(NamedTuple):
    """A table at which something is about to happen, and what that needs."""

    app: Flask
    cast: Cast
    clock: Clock
    game_id: str

    @property
    def services(self) -> Any:
        """The services of the process whose commit fails."""
        return self.app.extensions["tegami"]

    def at(self, what: str) -> str:
        """A path of the table."""
        return f"/api/games/{self.game_id}/{what}"

    def call(self, use_case: Callable[..., Any], *values: Any) -> None:
        """The call of a worker or of the operator."""
        with self.app.app_context(), suppress(*FAILURES):
            use_case(self.services, self.game_id, *values)

    def played(self, moves: int = 1) -> None:
        """Make this number of moves, one after the other."""
        self.cast.play(self.game_id, most=moves)


Step = Callable[[Scene], Any]


def move(scene: Scene) -> Any:
    person, game = scene.cast.asked(scene.game_id)
    body = {"asked": game["asked"], "action": game["legal"][-1]["action"]}
    return person.send("POST", scene.at("actions"), json=body)


def somebody_listens(scene: Scene) -> None:
    for person in scene.cast.seated:
        person.get("/api/me/changes")


def resign(scene: Scene) -> Any:
    return scene.cast.alice.send("POST", scene.at("resignation"), json={})


def resign_for_good(scene: Scene) -> Any:
    return scene.cast.alice.send("POST", scene.at("resignation"), json={"for_good": True})


def come_back(scene: Scene) -> Any:
    return scene.cast.alice.send("POST", scene.at("return"))


def erase(scene: Scene) -> Any:
    return scene.cast.alice.send("POST", "/api/me/erasure", json={})


def proposed(person: str, **wish: Any) -> Step:
    """Somebody proposes this, and all others except carol agree."""

    def prepare(scene: Scene) -> None:
        propose(getattr(scene.cast, person), scene.game_id, wish)
        for voter in {scene.cast.alice, scene.cast.bob} - {getattr(scene.cast, person)}:
            vote(scene, voter)

    return prepare


def asked_back(scene: Scene) -> None:
    """The player of the last move asks to take it back, and all others except carol agree."""
    people = {"alice": scene.cast.alice, "bob": scene.cast.bob}
    backs = {name: each.game(scene.game_id)["take_back"] for name, each in people.items()}
    name, back = max((each for each in backs.items() if each[1]), key=lambda it: it[1]["event"])
    proposed(name, kind="takeback", event=back["event"])(scene)


def vote(scene: Scene, person: Any = None) -> Any:
    """The last vote: the proposal is carried out in the same commit."""
    voter = person or scene.cast.carol
    path = scene.at(f"proposals/{last(voter, scene.game_id)['id']}/votes")
    return voter.send("POST", path, json={"agrees": True})


def paused(scene: Scene) -> None:
    proposed("alice", **PAUSE)(scene)
    vote(scene)


def overdue(scene: Scene) -> None:
    scene.clock.forward(2 * HOUR)


def time_out(scene: Scene) -> None:
    seat = scene.cast.bob.game(scene.game_id)["waiting"][0]["seat"]
    scene.call(timeouts.time_out_seat, seat)


def end_pause(scene: Scene) -> None:
    scene.clock.forward(2 * DAY)
    scene.call(timeouts.end_pause)


def nobody_is_left(scene: Scene) -> None:
    for person in scene.cast.seated:
        person.post(scene.at("resignation"), {}, status=200)
    scene.clock.forward(15 * DAY)


def close_deserted(scene: Scene) -> None:
    scene.call(timeouts.close_deserted)


def removed_by_operator(scene: Scene) -> None:
    scene.call(close_by_operator)


def house_move(scene: Scene) -> None:
    thinkers: InTurn = in_turn()
    with scene.app.app_context():
        worker = Worker(scene.services, random.Random(3), thinkers)
        for _ in range(3):  # it begins, asks and plays
            worker.run_once()


CASES: dict[str, tuple[list[Step], Step]] = {
    "a move": ([], move),
    "a move that programs are told of": ([somebody_listens], move),
    "a house player's move": ([resign], house_move),
    "a time-out that leads to a take-over": ([overdue], time_out),
    "a seat is taken back": ([resign], come_back),
    "a seat is given up": ([], resign),
    "a seat is given up for good": ([], resign_for_good),
    "a player is erased": ([], erase),
    "a pause": ([proposed("alice", **PAUSE)], vote),
    "the end of a pause": ([paused], end_pause),
    "the end of a pause by vote": ([paused, proposed("bob", kind="resume")], vote),
    "more time": ([proposed("alice", kind="extend", seat=0, seconds=3600)], vote),
    "moves are taken back": ([asked_back], vote),
    "an agreed end": ([proposed("alice", kind="close", outcome="draw")], vote),
    "a game that nobody attends": ([nobody_is_left], close_deserted),
    "an end by the operator": ([], removed_by_operator),
}
"""The steps before the failing one, and the failing one."""


@pytest.fixture
def other(app: Flask, config: Any, runtime: Any) -> Iterator[Flask]:
    """Another process over the same database."""
    made = create_app(config, runtime)
    made.test_client_class = CheckedClient
    yield made
    disconnect(made)


def another_event(scene: Scene) -> None:
    """An event takes the number of the one that failed."""
    services = scene.services
    with scene.app.app_context(), transaction():
        table = find(scene.game_id, lock=True)
        service_events.extend(services, table, 0, 60)


def same_elsewhere(scene: Scene, other: Flask) -> None:
    """Check that everybody is shown what a newly started process shows."""
    people = [scene.cast.alice, scene.cast.nobody]
    begin_anew(other)
    assert shown(scene.app, people, scene.game_id) == shown(other, people, scene.game_id)


@pytest.mark.parametrize("case", CASES)
def test_after_a_failed_commit_another_event_counts(app, cast, clock, other, case):
    scene = Scene(app, cast, clock, cast.start(BOOMERANG, pace=PACE, takeover=1))
    scene.played(2)
    prepare, step = CASES[case]
    for each in prepare:
        each(scene)
    before = dump(app)
    with no_commit(app):
        failed = step(scene)
    assert failed is None or failed.status_code in (500, 503)
    assert dump(app) == before, "nothing was kept of it"
    another_event(scene)
    same_elsewhere(scene, other)
    step(scene)
    assert dump(app) != before
    same_elsewhere(scene, other)
