"""Finished games, and a worker that works their analyses out at once."""

from __future__ import annotations

import pytest

from service.operations.worker.analyses import Analyses
from tests.support.cast import BOOMERANG
from tests.support.thinking import in_turn

FEW = 6
"""The iterations for a decision."""


def path(game_id):
    return f"/api/games/{game_id}/analysis"


@pytest.fixture
def analyses(app):
    """The analyses of a worker."""
    return Analyses(app.extensions["tegami"], in_turn, lambda *_: FEW)


@pytest.fixture
def work(app, analyses):
    """Work out all that wait; returns how many decisions were appraised."""

    def run(worker=analyses):
        with app.app_context():
            worker.step()
            return sum(iter(worker.step, 0)) + 1

    return run


@pytest.fixture
def deep(app, work):
    """Work out all that wait, deep ones with ten times as many iterations."""

    def often(_decisions, depth):
        return 10 * FEW if depth == "deep" else FEW

    return lambda: work(Analyses(app.extensions["tegami"], in_turn, often))


@pytest.fixture
def over(cast):
    """A game that is over."""
    return finished(cast)


def finished(cast, **wish):
    game_id = cast.start(BOOMERANG, **wish)
    cast.play(game_id)
    return game_id
