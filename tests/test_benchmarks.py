"""Benchmarks run rarely: these tests try whether they still can, or changes of the service would break them."""

from __future__ import annotations

import importlib
import random
from itertools import islice

import pytest

from benchmarks.__main__ import PARTS
from benchmarks.world import world


def test_every_part_can_be_loaded() -> None:
    for part in PARTS:
        assert importlib.import_module(f"benchmarks.measures.{part}").measures


@pytest.mark.thorough
def test_a_world_opens_tables_and_answers() -> None:
    with world(rate_limits=False) as made:
        table = made.open("caravan")
        for move in islice(made.course(table, random.Random(1)), 2):
            made.answer(made.posting(move), "201")
        path = f"/api/games/{table.game.id}"
        made.answer(made.request("GET", path, str(table.people[0].player_id)), "200")
