"""Stored games can be replayed to the same end: a change that alters one needs a new version of its ruleset.

Every game is replayed. Views are compared with all golden playthroughs of the games in full, and with the shortest
playthrough of each other game, since that has the parts of every view. The proof that nothing leaks is for random games
(`test_no_leak`); here it is made only where a game comes to the rare state for which it is stored.
"""

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
from tests.rules.cases import case
from tests.rules.golden_views import golden, playthrough
from tests.rules.playouts import Step, viewers
from tests.rules.properties import seats_are_in_order
from tests.rules.rare_states import come_by, rare_states
from tests.rules.store_games import GAMES, demanded, fits, paths_of, read, stored, written
from tests.rules.worlds import check_viewer

STORED = sorted(GAMES.glob("*/stored/*.json"))
every_game = pytest.mark.every_game


def paths(ruleset: Ruleset) -> list[Path]:
    """The stored games of this version."""
    return [path for path in paths_of(ruleset) if read(path)["version"] == ruleset.version]


@every_game
def test_a_stored_game_ends_as_it_did(ruleset: Ruleset) -> None:
    assert paths(ruleset)
    for path in paths(ruleset):
        with case(path):
            ends_as_it_did(ruleset, path)


def ends_as_it_did(ruleset: Ruleset, path: Path) -> None:
    log = read(path)
    assert log["ruleset"] == ruleset.slug
    settled = ruleset.settle(log["players"], log["options"])
    assert settled == ruleset.filled(log["players"], log["options"])
    checked: Any = ruleset.initial(log["players"], log["options"])
    trusted = checked
    for event in log["events"]:
        checked, trusted = ruleset.apply(checked, event), ruleset.act(trusted, event)
        seats_are_in_order(ruleset.turn(checked))
    result = ruleset.result(checked)
    assert result and json.loads(json.dumps(result._asdict())) == log["result"]
    assert trusted == checked


@every_game
def test_there_is_a_game_for_every_way_to_end_and_every_table(ruleset: Ruleset) -> None:
    logs = stored(ruleset)
    for name, demand in demanded(ruleset).items():
        assert any(fits(log, demand) for log in logs), f"run tests.rules.store_games for {name}"


def test_a_stored_game_is_of_a_ruleset_and_written_as_the_script_writes_it() -> None:
    for path in STORED:
        log = read(path)
        assert log["version"] in rules.versions(log["ruleset"]), path
        assert path.read_text(encoding="utf-8") == written(log), path


WORLDS = 10
"""The number of other worlds in which a rare state is played."""


def test_nobody_can_tell_the_worlds_apart_where_a_game_is_rare(
    ruleset: Ruleset, thorough: bool
) -> None:
    """With --thorough, this is also checked at every other step."""
    for path in paths(ruleset):
        if thorough or path.stem in rare_states(ruleset):
            with case(path):
                worlds_look_the_same(path, thorough)


def worlds_look_the_same(path: Path, thorough: bool) -> None:
    rng = random.Random(path.stem)
    for ruleset, step in steps(read(path)):
        rare = path.stem in come_by(ruleset, step.before) | come_by(ruleset, step.after)
        times = WORLDS if rare else int(thorough)
        for viewer in viewers(step.before) * times:
            check_viewer(ruleset, step, viewer, rng)


def steps(log: Json) -> Iterator[tuple[Ruleset, Step]]:
    """Every step of a stored game."""
    ruleset = rules.load(log["ruleset"], log["version"])
    state = ruleset.initial(log["players"], log["options"])
    for event in log["events"]:
        after = ruleset.act(state, event)
        yield ruleset, Step(state, event, after)
        state = after


@every_game
def test_everybody_is_shown_what_they_were_shown(ruleset: Ruleset, whole: bool) -> None:
    """This holds after every event: view, lines, legal actions and question of every seat and of a spectator.

    After an intended change, `python -m tests.rules.golden_views` writes the playthroughs again.
    """
    shortest = min(paths(ruleset), key=lambda path: golden(path).stat().st_size)
    for path in paths(ruleset) if whole else [shortest]:
        with case(path):
            is_shown_as_it_was(path)


def is_shown_as_it_was(path: Path) -> None:
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
