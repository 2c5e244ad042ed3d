"""What is kept of the games in which the strength of house players is measured."""

from __future__ import annotations

import math
from pathlib import Path

from benchmarks.strength.games import UNSEARCHED, Game, Pairing
from benchmarks.strength.results import Results
from rules.players.house import LEVELS, Level

PAIRING = Pairing("market-price", 3, "random")
GAME = Game(PAIRING, 1, 2, LEVELS["strong"])


def test_a_later_run_goes_on_with_what_was_played(tmp_path: Path) -> None:
    Results(tmp_path / "results.jsonl").add(GAME, 0.5)
    later = Results(tmp_path / "results.jsonl")
    assert later.won(GAME) == 0.5
    assert [*later.of([GAME, GAME._replace(deal=0), GAME._replace(seat=0)])] == [(GAME, 0.5)]


def test_efforts_and_opponents_are_kept_apart(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    results.add(GAME, 1.0)
    for level in (UNSEARCHED, Level(math.inf, 200), LEVELS["normal"]):
        assert results.won(GAME._replace(level=level)) is None
    assert results.won(GAME._replace(pairing=PAIRING._replace(against="flat"))) is None


def test_games_of_another_version_are_played_anew(tmp_path: Path) -> None:
    Results(tmp_path / "results.jsonl", "3").add(GAME, 1.0)
    assert Results(tmp_path / "results.jsonl", "4").won(GAME) is None
