"""Generated calls of every operation of the document, and generated mails and records: no answer is 500.

Each call is made of an example of the document, with ids that earlier answers have named, and is right or wrong in one
to three places: values, names, types, lengths, characters, headers, methods. One in twenty is a mail that somebody has
sent to the service, or a record to be verified, with changed bytes: each is read or refused. Time passes between them,
and a worker does what is due. After every 4,000 calls other people come, with an empty cache.

100,000 calls take ten minutes on one slow core. It counts calls by the status of their answers, and operations that
were answered with success. Schemathesis sends others (tests/test_schemathesis.py).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from service.log.records.record_text import VerificationError
from service.log.verification.verify_record import verify
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.reading.message import ReceivedMail, Refused
from service.operations.worker.loop import Worker
from tests.endurance.application import application, services_of
from tests.endurance.calling import Call, Callers
from tests.endurance.frame import Definition, Run
from tests.endurance.mutating import changed_bytes
from tests.support.cast import CARAVAN, Cast, Clock
from tests.support.mail_corpus import corpus
from tests.support.thinking import in_turn

OTHERS_EVERY, WORK_EVERY, PARSED = 4000, 200, 0.05
MOST_WRONG = 20
"""The most defects that are reported."""


class Parsers:
    """The parsers that read bytes from strangers without a request."""

    def __init__(self, run: Run, cast: Cast) -> None:
        self._rng, self._app = run.rng, cast.app
        self._mails = [each.data for each in corpus()]
        game_id = cast.start(CARAVAN)
        cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
        self._record: bytes = cast.alice.send("GET", f"/api/games/{game_id}/record").data

    def parse(self) -> tuple[bytes, str]:
        """Let one of the parsers read something; returns what it read, and what went wrong."""
        readers: list[tuple[Callable[[bytes], Any], bytes]] = [
            (self._receive, self._rng.choice(self._mails)),
            (verify, self._record),
        ]
        reader, data = self._rng.choice(readers)
        data = changed_bytes(data, self._rng)
        try:
            reader(data)
        except (Refused, VerificationError):
            return data, ""
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            return data, f"{reader.__name__}: {error!r}"
        return data, ""

    def _receive(self, data: bytes) -> None:
        with self._app.app_context():
            received = ReceivedMail(data)
            received.text()
            answers.receive(services_of(self._app), received)


def endure(run: Run) -> None:
    """Make this number of calls."""
    clock = Clock()
    app = application(run, clock)
    if run.fault == "crash":
        plant_crash(app)
    callers, parsers = Callers(app, run.rng), Parsers(run, Cast(app))
    worker = Worker(services_of(app), random.Random(run.seed), in_turn())
    statuses, succeeded, wrong = Counter[str](), set[str](), list[str]()
    for number in range(run.rounds):
        if run.rng.random() < PARSED:
            data, error = parsers.parse()
            statuses["read or refused"] += not error
            wrong += [f"call {number}: {error} of {data[:2000]!r}"] if error else []
        else:
            made, status = callers.call()
            statuses[f"{status // 100}xx"] += 1
            succeeded |= {made.operation} if status < 300 else set()
            wrong += [told(number, made, status)] if status == 500 else []
        if number % OTHERS_EVERY == OTHERS_EVERY - 1:
            callers.renew()
        if number % WORK_EVERY == WORK_EVERY - 1:
            clock.forward(run.rng.choice([1000, 60_000, 3_600_000]))
            with app.app_context():
                worker.run_once()
        if len(wrong) >= MOST_WRONG:
            break
    run.counts |= {name: statuses[name] for name in sorted(statuses)}
    run.counts["operations that succeeded"] = len(succeeded)
    assert not wrong, "\n".join(wrong)


def told(number: int, made: Call, status: int) -> str:
    """How to send it again."""
    return f"call {number}: {status}: {made}"


def plant_crash(app: Any) -> None:
    """Let one operation fail at bodies of more than some bytes."""
    (name,) = [each for each in app.view_functions if each.endswith("make_player")]
    inner = app.view_functions[name]

    def failing(*args: Any, **more: Any) -> Any:
        from flask import request

        if len(request.get_data()) > 80:
            raise KeyError("a long body")
        return inner(*args, **more)

    app.view_functions[name] = failing


DEFINITION = Definition(
    endure,
    rounds=1_000_000,
    quick=200,
    unit="calls",
    kinds=("sqlite", "postgresql"),
    faults=("crash",),
    planted=4000,
)
