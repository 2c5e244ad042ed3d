"""What the tests of bad input share: a game, a table, and that nothing changes."""

from __future__ import annotations

import pytest

from tests.service.cast import CARAVAN
from tests.service.dump import dump


@pytest.fixture
def game_id(cast):
    """A running game of alice and bob."""
    return cast.start(CARAVAN)


@pytest.fixture
def open_id(cast):
    """An open table of alice."""
    return cast.open()


@pytest.fixture
def unchanged(app, cast, game_id, open_id):
    """At the end of the test the database is as it was."""
    stored = dump(app)
    yield
    assert dump(app) == stored
