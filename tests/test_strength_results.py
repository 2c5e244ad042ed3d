"""The stored results of the games that measure the strength of house players."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import rules
from benchmarks.strength.games import (
    LONGER,
    MEASURED,
    UNSEARCHED,
    Game,
    Pairing,
    Searching,
    effort_of,
    other,
    played,
    shorter,
)
from benchmarks.strength.page import beyond, rows_of
from benchmarks.strength.results import Results, Tally
from rules.players.levels import DEEP, LEVELS, TENFOLD, Level

PAIRING = Pairing("market-price", 3, "random")
GAME = Game(PAIRING, 1, 2, LEVELS["strong"])


def test_a_later_run_goes_on_with_what_was_played(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    for seat, won in enumerate((1.0, 0.0, 0.5)):
        results.add(GAME._replace(seat=seat), won)
    assert [*Results(tmp_path / "results.jsonl")] == [Tally(PAIRING, "strong", 2, 3, 1.5)]


def test_efforts_and_opponents_are_kept_apart(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    results.add(GAME, 1.0)
    for level in (UNSEARCHED, Level(math.inf, 200), LEVELS["normal"]):
        assert results.of(PAIRING, effort_of(level)).games == 0
    assert results.of(PAIRING._replace(against="flat"), "strong").games == 0
    assert results.of(PAIRING, "strong").games == 1


def test_games_of_another_version_are_played_anew(tmp_path: Path) -> None:
    Results(tmp_path / "results.jsonl", "3").add(GAME, 1.0)
    assert not [*Results(tmp_path / "results.jsonl", "4")]


@pytest.mark.parametrize(
    ("games", "won", "verdict", "settled"),
    [
        (8, 8.0, "too few games", False),
        (40, 40.0, "yes", True),
        (40, 20.0, "no", True),
        (40, 32.0, "too few games", False),
        (4, 0.0, "no", False),
    ],
)
def test_a_target_is_reached_or_not_where_luck_cannot_say_otherwise(
    games: int, won: float, verdict: str, settled: bool
) -> None:
    [row] = rows_of([Tally(PAIRING, "strong", 14, games, won)]).searched
    assert (row.verdict, row.settled) == (verdict, settled)


@pytest.mark.parametrize(("won", "verdict"), [(28.0, "yes"), (20.0, "too few games"), (8.0, "no")])
def test_house_players_that_search_shorter_are_played_on(won: float, verdict: str) -> None:
    """The target is the share of chance; how far it is exceeded is of interest, too."""
    pairing = Pairing("auction-draw", 2, "strong")
    [row] = rows_of([Tally(pairing, "600 iterations", 20, 40, won)]).searched
    assert (row.target, row.verdict, row.settled) == (0.5, verdict, False)


def test_a_deep_search_has_strong_ones_as_its_opponents() -> None:
    """As `strong` has `normal` ones; and with any number of iterations, the others have a tenth of it, or a fifth."""
    assert shorter(DEEP, LONGER["strong"]) == LEVELS["strong"]
    assert shorter(LEVELS["strong"], LONGER["normal"]) == LEVELS["normal"]
    ruleset, iterations = rules.load("auction-draw"), list[int]()
    for against in ("strong", "normal"):
        game = Game(Pairing("auction-draw", 2, against), 0, 0, Level(math.inf, 300))
        opponent = other(ruleset, 1, game)
        assert isinstance(opponent, Searching)
        iterations.append(opponent.level.iterations)
    assert iterations == [300 // TENFOLD, 60]


def test_a_deep_search_is_measured_and_nobody_plays_so_long() -> None:
    assert MEASURED["deep"] == DEEP and effort_of(DEEP) == "deep"
    assert DEEP not in LEVELS.values()
    assert DEEP.seconds == TENFOLD * LEVELS["strong"].seconds


@pytest.mark.parametrize("against", ["open", "told"])
def test_who_knows_how_the_others_choose_shows_what_is_within_reach(against: str) -> None:
    few, many = (
        Tally(PAIRING._replace(against=against), "300 iterations", games // 3, games, won)
        for games, won in ((12, 8.0), (300, 210.0))
    )
    assert "70% of 300 games" in beyond(rows_of([many]).searched)
    assert "within reach" not in beyond(rows_of([few]).searched)


@pytest.mark.parametrize("against", ["open", "told", "shown", "strong"])
def test_they_play_a_game_to_its_end(against: str) -> None:
    game = Game(PAIRING._replace(against=against), 0, 1, Level(math.inf, 2))
    assert played(game)[1] in {0.0, 1.0}


def test_who_is_shown_all_cards_among_plain_searches_has_the_target_of_who_is_not() -> None:
    pairings = (PAIRING._replace(against=against) for against in ("flat", "shown", "random"))
    flat, shown, random = rows_of(Tally(each, "strong", 1, 3, 1.0) for each in pairings).searched
    assert shown.target == flat.target != random.target


def test_rows_without_a_search_stand_apart_and_those_against_newcomers() -> None:
    unsearched = Tally(PAIRING, effort_of(UNSEARCHED), 4, 12, 8.0)
    strong = unsearched._replace(effort="strong")
    against = unsearched._replace(pairing=PAIRING._replace(against="newcomer"), effort="easy")
    rows = rows_of([unsearched, against, strong])
    assert [[row.tally for row in each] for each in rows] == [[strong], [against], [unsearched]]
