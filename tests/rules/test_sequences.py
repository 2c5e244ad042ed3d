"""The number of different sequences of events from stated positions: no change of `legal` can pass unseen."""

from __future__ import annotations

import json

import pytest

from rules.kernel import Ruleset
from tests.rules.cases import case
from tests.rules.count_sequences import counts, position, stated
from tests.rules.playouts import RULESETS, phases
from tests.rules.store_games import GAMES, folder, read

pytestmark = pytest.mark.every_game


def test_as_many_sequences_are_possible_as_were(ruleset: Ruleset) -> None:
    """An intended change needs a new version; `python -m tests.rules.count_sequences` counts again."""
    for phase, entry in json.loads(stated(ruleset).read_text(encoding="utf-8")).items():
        with case(phase):
            state = position(read(folder(ruleset) / f"{entry['game']}.json"), entry["after"])
            assert counts(ruleset, state, len(entry["counts"])) == entry["counts"]


def test_there_is_a_position_in_every_phase(ruleset: Ruleset) -> None:
    known = json.loads(stated(ruleset).read_text(encoding="utf-8"))
    assert known.keys() >= {each.phase for each in phases(ruleset)}


def test_every_file_of_positions_is_of_a_ruleset() -> None:
    found = sorted(GAMES.glob("*/sequences-*.json"))
    assert found == sorted(map(stated, RULESETS))
