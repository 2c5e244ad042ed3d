"""Rounds of a worker in a test's own process, a game for them, and their log lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from flask import Flask

from service.operations.thinking.processes import Processes
from service.operations.worker.loop import Worker
from tests.support.cast import BOOMERANG, CARAVAN, Cast
from tests.support.thinking import InTurn

PLAYERS = {BOOMERANG: 3, CARAVAN: 2}


def rounds(app: Flask, thinkers: Processes | InTurn) -> Callable[[], int]:
    """A function that runs one round of a worker and returns the number of things done."""
    worker = Worker(app.extensions["tegami"], random.Random(3), thinkers)

    def run_once() -> int:
        with app.app_context():
            return worker.run_once()

    run_once()
    return run_once


def logged(capsys: Any, *left_out: str) -> list[Any]:
    """The lines logged since the last call, without these events."""
    lines = map(json.loads, capsys.readouterr().err.splitlines())
    return [line for line in lines if line["event"] not in left_out]


def alone(cast: Cast, slug: str = CARAVAN, **wish: Any) -> Any:
    """A game of alice against house players."""
    house = PLAYERS[slug] - 1
    wish = {"ruleset": slug, "house": house, "start": "full", "nonce": None, **wish}
    return cast.alice.post("/api/games", wish)
