"""Stored games can be replayed to the same end: a change that alters one needs a new version of its ruleset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.kernel import Json, Ruleset
from tests.rules.store_games import GAMES, demanded, fits, folder, stored, written

STORED = sorted(GAMES.glob("*/stored/*.json"))


def read(path: Path) -> Json:
    log: Json = json.loads(path.read_text(encoding="utf-8"))
    return log


@pytest.mark.parametrize("path", STORED, ids=[f"{p.parts[-3]}/{p.stem}" for p in STORED])
def test_a_stored_game_ends_as_it_did(path: Path) -> None:
    log = read(path)
    ruleset = rules.load(log["ruleset"], log["version"])
    assert path.parent == folder(ruleset)
    assert ruleset.settle(log["players"], log["options"]) == log["options"]
    checked: Any = ruleset.initial(log["players"], log["options"])
    trusted = checked
    for event in log["events"]:
        checked, trusted = ruleset.apply(checked, event), ruleset.act(trusted, event)
    result = ruleset.result(checked)
    assert result and json.loads(json.dumps(result._asdict())) == log["result"]
    assert trusted == checked


def test_there_is_a_game_for_every_way_to_end_and_every_table(ruleset: Ruleset) -> None:
    logs = stored(ruleset)
    for name, demand in demanded(ruleset).items():
        assert any(fits(log, demand) for log in logs), f"run tests.rules.store_games for {name}"


def test_a_stored_game_is_written_as_the_script_writes_it() -> None:
    for path in STORED:
        assert path.read_text(encoding="utf-8") == written(read(path))
