"""A game restored from its start (tests/support/kept_starts.py) is the one that would have begun."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from tests.support.cast import CARAVAN, Cast, Clock, sqlite_only
from tests.support.dump import dump
from tests.support.kept_starts import KeptStarts
from tests.support.servers.lending import Lending

pytestmark = sqlite_only


def begun(config: Config, clock: Clock, lending: Lending, starts: KeptStarts, **wish: Any) -> Any:
    """Everything that exists after a start and a move."""
    rng = random.Random(2459)
    with (
        lending.database("sqlite") as url,
        lending.app(replace(config, database_url=url), Runtime(clock, rng.randbytes)) as app,
    ):
        cast = Cast(app, starts)
        game_id = cast.start(**wish)
        person, game = cast.asked(game_id)
        person.answer(game)
        people = [cast.alice.name, cast.bob.headers, cast.alice.id, cast.bob.key]
        return game_id, game, dump(app), people, rng.randbytes(8)


def test_nothing_tells_whether_it_was_brought_back(
    config: Config, clock: Clock, lending: Lending
) -> None:
    starts = KeptStarts()
    first = begun(config, clock, lending, starts)
    assert (
        begun(config, clock, lending, starts)
        == first
        == begun(config, clock, lending, KeptStarts())
    )
    assert starts.brought_back == 1


def test_another_wish_time_or_setting_begins_another(
    config: Config, clock: Clock, lending: Lending
) -> None:
    starts = KeptStarts()
    begun(config, clock, lending, starts)
    begun(config, clock, lending, starts, slug=CARAVAN)
    begun(replace(config, poll_after=9), clock, lending, starts)
    clock.forward(1)
    begun(config, clock, lending, starts)
    assert starts.brought_back == 0
