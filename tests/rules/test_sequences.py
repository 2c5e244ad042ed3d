"""The number of different sequences of events from stated positions: no change of `legal` can pass unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from rules.kernel import Ruleset
from tests.rules.count_sequences import counts, position, stated
from tests.rules.playouts import phases
from tests.rules.store_games import GAMES, read

STATED = sorted(GAMES.glob("*/sequences-*.json"))


def positions() -> list[Any]:
    """Every stated position: the file of the game, its number of events, and the counts."""
    return [
        pytest.param(path, entry, id=f"{path.parent.name}-{phase}")
        for path in STATED
        for phase, entry in json.loads(path.read_text(encoding="utf-8")).items()
    ]


@pytest.mark.parametrize(("path", "entry"), positions())
def test_as_many_sequences_are_possible_as_were(path: Any, entry: Any) -> None:
    """If a change is meant, it needs a new version; `python -m tests.rules.count_sequences` counts anew."""
    log = read(path.parent / "stored" / f"{entry['game']}.json")
    ruleset = rules.load(log["ruleset"], log["version"])
    state = position(log, entry["after"])
    assert counts(ruleset, state, len(entry["counts"])) == entry["counts"]


def test_there_is_a_position_in_every_phase(ruleset: Ruleset) -> None:
    known = json.loads(stated(ruleset).read_text(encoding="utf-8"))
    assert known.keys() >= {each.phase for each in phases(ruleset)}
