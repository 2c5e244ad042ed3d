"""Puzzles: one action is far better than all others, which a long search has found, and the rules allow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.kernel import Json, Ruleset, State, Worlds, text
from rules.kernel.puzzles import DIFFICULTIES, FILE, Collection, Course, Puzzle, read, written
from rules.players import appraisal
from rules.players.puzzles import finding
from rules.players.puzzles.finding import FAR, Checked, check, confirms, difficulty, puzzles
from rules.players.puzzles.games import Known, Play, known_at
from rules.players.puzzles.generator import Generator
from rules.players.puzzles.reasons import reason

FEW = 2
SEARCH = 60
CONTENT = -3.0
"""A difference so low that a search takes every position for a puzzle."""


def known(ruleset: Ruleset, state: State, seat: int) -> Known:
    """What a seat knows that has seen no more than this position."""
    worlds = Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat)
    return Known(seat, ruleset.legal(state, seat), worlds)


@pytest.fixture(scope="module")
def selling() -> tuple[Ruleset, Any]:
    """A game that seat 0 wins by selling a row of 25 points, and the position."""
    ruleset = rules.load("caravan")
    table: Any = ruleset.initial(2, {})
    for _ in range(2):
        chance = ruleset.turn(table).chance
        assert chance
        table = ruleset.act(table, {"kind": "chance", "name": "", "outcome": chance.items[::-1]})
    for seat in range(2):
        opening = {"kind": "action", "seat": seat, "action": ruleset.legal(table, seat)[0]}
        table = ruleset.act(table, opening)
    rows = ((), ("Th", "5h", "Td"), ()), ((), (), ("Tc", "5c", "Ts"))
    return ruleset, table.change(rows=rows, sold=(0, None, 1))


def actions_of(position: tuple[Ruleset, Any]) -> tuple[Json, Json]:
    """To sell the row that wins, and to spend a jack on it."""
    ruleset, state = position
    sell = next(each for each in ruleset.legal(state, 0) if each["type"] == "sell")
    return sell, {"type": "play", "card": "Jc", "lane": 1, "at": 3, "as": "J"}


def checked_among(position: tuple[Ruleset, Any], *actions: Json) -> Checked | None:
    """What the check finds if only these actions are compared."""
    ruleset, state = position
    asked = known(ruleset, state, 0)._replace(legal=[*actions])
    return check(ruleset, asked, SEARCH, "selling")


def test_an_action_that_wins_at_once_is_far_better_than_one_that_gives_it_away(
    selling: tuple[Ruleset, Any],
) -> None:
    sell, waste = actions_of(selling)
    found = checked_among(selling, waste, sell)
    assert found is not None
    assert (found.best, found.tempting) == (1, 0)
    assert found.costs[0] > FAR > found.costs[1] == 0


def test_where_two_actions_are_as_good_there_is_no_puzzle(selling: tuple[Ruleset, Any]) -> None:
    sell, _ = actions_of(selling)
    assert checked_among(selling, sell, sell) is None
    ruleset = rules.load("market-price")
    state = ruleset.initial(3, {})
    while chance := ruleset.turn(state).chance:
        state = ruleset.act(state, {"kind": "chance", "name": "", "outcome": [*chance.items]})
    assert check(ruleset, known(ruleset, state, 0), FEW, "beginning") is None


def test_a_reason_says_what_follows_one_action_rather_than_the_other(
    selling: tuple[Ruleset, Any],
) -> None:
    ruleset, state = selling
    sell, waste = actions_of(selling)
    found = reason(ruleset, known(ruleset, state, 0), (sell, waste), 1.0, Generator("why"))
    assert found.tempting == waste
    assert all(each.often > each.otherwise for each in (*found.then, *found.instead))
    lines = [each.line for each in (*found.then, *found.instead)]
    assert lines
    assert not any(line.get("card") == "Jc" and line["seat"] == 0 for line in lines)


def test_it_is_easy_if_a_glance_finds_the_answer(selling: tuple[Ruleset, Any]) -> None:
    ruleset, state = selling
    sell, waste = actions_of(selling)
    asked = known(ruleset, state, 0)
    assert difficulty(ruleset, asked, sell, "looks") == "easy"
    assert difficulty(ruleset, asked, waste, "looks") == "hard"


@pytest.mark.every_game
def test_a_game_follows_from_its_seed_and_keeps_the_rules(ruleset: Ruleset) -> None:
    played, again = (Play(ruleset, "seed", ruleset.players[0], 1) for _ in range(2))
    made = [next(each.decisions()) for each in (played, again)]
    assert text(played.course.events) == text(again.course.events)
    assert made[0].legal == made[1].legal
    course = played.course
    asked = known_at(ruleset, course, len(course.events), made[0].seat)
    assert asked.legal == made[0].legal


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """The puzzles of a game, for somebody who takes any position for one."""
    return [*puzzles(rules.load("market-price"), "seed", 3, FEW, far=CONTENT)]


def test_the_same_seed_finds_the_same_puzzles(found: list[Puzzle]) -> None:
    ruleset = rules.load("market-price")
    again = next(puzzles(ruleset, "seed", 3, FEW, far=CONTENT))
    assert again.course.events == found[0].course.events
    assert again == found[0]
    assert 0 < len(found) <= finding.MOST_OF_GAME
    assert all(text(each.best) in map(text, _legal(ruleset, each)) for each in found)


def test_a_collection_is_the_same_after_it_was_stored(found: list[Puzzle], tmp_path: Path) -> None:
    Path(tmp_path, FILE).write_text(written(Collection(1, "5.1", tuple(found))), encoding="utf-8")
    stored = read(str(tmp_path))
    assert {each.id: each.best for each in stored.puzzles} == {each.id: each.best for each in found}
    assert written(stored) == written(Collection(1, "5.1", stored.puzzles))
    levels = [DIFFICULTIES.index(each.difficulty) for each in stored.puzzles]
    assert levels == sorted(levels)
    assert read(str(tmp_path / "nowhere")).puzzles == ()


def test_the_name_of_a_puzzle_tells_nothing_of_cards_or_the_answer() -> None:
    course = Course("seed", 2, {}, ({"kind": "chance", "name": "", "outcome": ["As", "Ks"]},), 1)
    one = Puzzle(course, 1, 0, {"type": "take"}, (0.0, 0.5), "easy", None)  # type: ignore[arg-type]
    other = course._replace(events=({"kind": "chance", "name": "", "outcome": ["Ks", "As"]},))
    assert one.id == one._replace(best={"type": "pass"}, course=other, difficulty="hard").id
    assert one.id != one._replace(number=2).id


def test_the_numbers_of_a_generator_are_the_same_everywhere() -> None:
    drawn = Generator("tegami")
    assert [int(drawn.random() * 1000) for _ in range(3)] == NUMBERS
    assert sorted(Generator("seed").sample("abcd", 4)) == [*"abcd"]
    assert Generator("seed").choice(["only"]) == "only"


NUMBERS = [776, 460, 371]


def _legal(ruleset: Ruleset, puzzle: Puzzle) -> list[Json]:
    return known_at(ruleset, puzzle.course, puzzle.number, puzzle.seat).legal


@pytest.mark.parametrize("slug", rules.slugs())
def test_every_puzzle_of_the_collection_is_a_position_that_the_rules_allow(slug: str) -> None:
    ruleset, collection = rules.load(slug), rules.puzzles(slug)
    for each in collection.puzzles:
        legal = _legal(ruleset, each)  # each event of the game was legal
        costs = dict(zip(map(text, legal), each.costs, strict=True))
        assert costs.pop(text(each.best)) == 0
        assert min(costs.values()) > FAR
        assert costs[text(each.reason.tempting)] == min(costs.values())
        lines = ruleset.looks.vocabulary.lines
        assert {it.line["line"] for it in (*each.reason.then, *each.reason.instead)} <= {*lines}
    ids = [each.id for each in collection.puzzles]
    assert len({*ids}) == len(ids)


@pytest.mark.parametrize("slug", rules.slugs())
def test_a_search_that_is_ten_times_as_long_finds_the_same_answers(
    slug: str, thorough: bool
) -> None:
    """With --thorough, of every puzzle; otherwise none is left that other house players would find."""
    collection = rules.puzzles(slug)
    assert collection.thinker in ("", appraisal.VERSION)
    for each in collection.puzzles if thorough else ():
        assert confirms(rules.load(slug), each), each.id


def test_the_guide_says_how_many_puzzles_there_are() -> None:
    guide = (Path(__file__).parents[3] / "docs/puzzles.md").read_text(encoding="utf-8")
    for slug in rules.slugs():
        found = Counter(each.difficulty for each in rules.puzzles(slug).puzzles)
        counts = " | ".join(str(found[each]) for each in DIFFICULTIES)
        assert f"| {slug} | {counts} |" in guide
