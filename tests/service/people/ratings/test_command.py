"""`tegami ratings`: what is rated, and computing everything again."""

from __future__ import annotations

from functools import partial

import pytest

from tests.service.people.ratings.test_ratings import rate_all
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.operator_command import told
from tests.support.proposing import registered
from tests.support.talking import at

pytestmark = sqlite_only


@pytest.fixture
def tegami(config):
    """The command, on the same database."""
    return partial(told, config, "ratings")


def test_the_same_numbers_follow_again_and_others_are_replaced(app, cast, tegami):
    registered(*cast.seated)
    game_id = cast.start(CARAVAN)
    cast.bob.post(at(game_id, "resignation"), status=200)
    assert tegami() == "caravan: games wait to be rated\n"
    rate_all(app)
    assert tegami() == "caravan: 2 rated\n"
    unchanged = "caravan: 1 games, 0 numbers changed\n0 numbers changed\n"
    assert tegami("--recompute") == unchanged
    execute(app, "UPDATE rated_results SET deviation = 9 WHERE place = 1")
    assert tegami("--recompute") == "caravan: 1 games, 1 numbers changed\n1 numbers changed\n"
    assert tegami("--recompute") == unchanged
