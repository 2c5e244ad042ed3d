"""Stored games can be replayed to the same end: a change that alters one needs a new version of its ruleset."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.kernel import Json, Ruleset
from tests.rules import golden_views
from tests.rules.golden_views import golden, playthrough
from tests.rules.playouts import Step, viewers
from tests.rules.properties import seats_are_in_order
from tests.rules.rare_states import come_by
from tests.rules.store_games import GAMES, demanded, fits, folder, read, stored, written
from tests.rules.worlds import check_viewer

STORED = sorted(GAMES.glob("*/stored/*.json"))


each_stored = pytest.mark.parametrize(
    "path", STORED, ids=[f"{path.parts[-3]}/{path.stem}" for path in STORED]
)


@each_stored
def test_a_stored_game_ends_as_it_did(path: Path) -> None:
    log = read(path)
    ruleset = rules.load(log["ruleset"], log["version"])
    assert path.parent == folder(ruleset)
    assert ruleset.settle(log["players"], log["options"]) == log["options"]
    checked: Any = ruleset.initial(log["players"], log["options"])
    trusted = checked
    for event in log["events"]:
        checked, trusted = ruleset.apply(checked, event), ruleset.act(trusted, event)
        seats_are_in_order(ruleset.turn(checked))
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


VIEWERS = 2
"""For so many viewers each step of a stored game is played in another world too, for all with --thorough."""
LATE = 100
"""After so many steps for one viewer, for what happens then has mostly happened before."""
WORLDS = 10
"""In how many other worlds it is played where a game comes to the rare state for which it is stored."""


@each_stored
def test_nobody_can_tell_the_worlds_apart_at_any_step(path: Path, thorough: bool) -> None:
    rng = random.Random(path.stem)
    for number, (ruleset, step) in enumerate(steps(read(path))):
        rare = path.stem in come_by(ruleset, step.before) | come_by(ruleset, step.after)
        everybody = viewers(step.before)
        some = (
            everybody
            if thorough or rare
            else rng.sample(everybody, VIEWERS if number < LATE else 1)
        )
        for viewer in some * (WORLDS if rare else 1):
            check_viewer(ruleset, step, viewer, rng)


def steps(log: Json) -> Iterator[tuple[Ruleset, Step]]:
    """Every step of a stored game."""
    ruleset = rules.load(log["ruleset"], log["version"])
    state = ruleset.initial(log["players"], log["options"])
    for event in log["events"]:
        after = ruleset.act(state, event)
        yield ruleset, Step(state, event, after)
        state = after


@each_stored
def test_everybody_is_shown_what_they_were_shown(path: Path) -> None:
    """After every event: view, lines, legal actions and question of every seat and of a spectator.

    If a change is meant, `python -m tests.rules.golden_views` writes the playthroughs anew.
    """
    now, then = playthrough(read(path)), golden(path).read_text(encoding="utf-8")
    differ = itertools.zip_longest(now.split("\n"), then.split("\n"))
    assert now == then, next((one, other) for one, other in differ if one != other)


def test_every_playthrough_is_of_a_stored_game() -> None:
    assert sorted(GAMES.glob("*/stored/*.views")) == [golden(path) for path in STORED]


def test_a_playthrough_has_what_a_single_seat_is_shown() -> None:
    log = read(STORED[0])

    def leaking(ruleset: Ruleset, state: Any, viewer: Any) -> golden_views.Seen:
        leak = {"fact leaked": '"As"'} if viewer == 1 else {}
        return golden_views.seen(ruleset, state, viewer) | leak

    right, leaked = playthrough(log).split("\n"), playthrough(log, leaking).split("\n")
    assert set(leaked) - set(right) == {'  1 fact leaked "As"'}
