"""Puzzles of the collections: what a seat sees, and what is best there, which is told only to whoever has answered."""

from __future__ import annotations

import json
import random

import pytest

import rules
from rules.kernel import text
from service.tables.play.puzzles import puzzles
from service.tables.play.puzzles.puzzles import Posed
from service.tables.views.puzzles import puzzle_view
from tests.support.dump import dump, execute
from tests.support.each_game import each_slug

SLUG = "trunk-and-peddler"
LANGUAGES = ("en", "ja")
WORLDS = 3


def path(puzzle):
    return f"/api/puzzles/{puzzle}"


def listed(person, slug=SLUG):
    return person.get(f"/api/rulesets/{slug}/puzzles")["puzzles"]


def answer(person, puzzle, action):
    return person.post(f"{path(puzzle)}/answers", {"action": action}, 200)


@pytest.fixture
def posed():
    """A puzzle, with its solution."""
    return puzzles.find(rules.puzzles(SLUG).puzzles[0].id)


def wrong(posed):
    """An action that is not the best one."""
    return next(each for each in posed.legal if text(each) != text(posed.puzzle.best))


@pytest.mark.both_databases
def test_a_puzzle_is_solved_by_the_best_action_and_stays_solved(app, cast, posed):
    puzzle = posed.puzzle.id
    told = answer(cast.alice, puzzle, posed.puzzle.best)
    assert (told["right"], told["cost"], told["state"]) == (True, 0, "solved")
    assert told["solution"]["choices"][0]["action"] == posed.puzzle.best
    assert told["solution"]["reasons"]
    assert answer(cast.alice, puzzle, None)["state"] == "solved"
    states = {each["id"]: each["state"] for each in listed(cast.alice)}
    assert [each for each in states if states[each] != "new"] == [puzzle]
    assert {each["state"] for each in listed(cast.bob)} == {"new"}
    assert cast.alice.get(path(puzzle))["state"] == "solved"


def test_a_wrong_answer_says_what_it_costs_and_not_what_is_best(cast, posed):
    told = answer(cast.alice, posed.puzzle.id, wrong(posed))
    assert (told["right"], told["state"], told["solution"]) == (False, "new", None)
    assert told["cost"] > 0.1
    assert answer(cast.alice, posed.puzzle.id, posed.puzzle.best)["state"] == "solved"


def test_whose_solution_was_shown_has_not_solved_it(cast, posed):
    told = answer(cast.alice, posed.puzzle.id, None)
    assert (told["right"], told["cost"], told["state"]) == (None, None, "shown")
    costs = [each["cost"] for each in told["solution"]["choices"]]
    assert costs[0] == 0 and costs == sorted(costs)
    assert answer(cast.alice, posed.puzzle.id, posed.puzzle.best)["state"] == "shown"


def test_a_visitor_solves_puzzles_and_nothing_is_stored(app, cast, posed):
    before = dump(app)["puzzle_answers"]
    told = answer(cast.nobody, posed.puzzle.id, posed.puzzle.best)
    assert (told["right"], told["state"]) == (True, "new")
    assert answer(cast.nobody, posed.puzzle.id, None)["solution"]
    assert dump(app)["puzzle_answers"] == before


@pytest.mark.parametrize("action", [{"type": "fly"}, {"type": "play", "card": "Zz"}])
def test_what_is_not_legal_there_is_no_answer(app, cast, posed, action):
    before = dump(app)["puzzle_answers"]
    body = {"action": action}
    cast.alice.refused("POST", f"{path(posed.puzzle.id)}/answers", "invalid-body", body)
    assert dump(app)["puzzle_answers"] == before


def test_puzzles_of_one_ruleset_are_listed_the_easiest_first(cast):
    found = listed(cast.nobody)
    order = ["easy", "medium", "hard"]
    levels = [order.index(each["difficulty"]) for each in found]
    assert levels == sorted(levels)
    cast.alice.refused("GET", "/api/rulesets/poker/puzzles", "not-found")
    cast.alice.refused("GET", path("0" * 16), "not-found")


@each_slug
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_puzzle_has_its_words(slug, language):
    for each in rules.puzzles(slug).puzzles:
        found = puzzles.find(each.id)
        shown = puzzle_view.shown(found, "new", language)
        assert all(choice["words"] for choice in shown["legal"])
        assert shown["seat"] == each.seat
        why = puzzle_view.solution(found, language)["reasons"]
        assert all(why) and len(why) <= 5


@each_slug
def test_a_puzzle_shows_nothing_that_its_seat_does_not_see(slug):
    """Not in its text, and so not in its ETag: it is the same in worlds that the seat cannot tell apart."""
    for each in rules.puzzles(slug).puzzles[:4]:
        posed = puzzles.find(each.id)
        told = json.dumps(puzzle_view.shown(posed, "new", "en"))
        event = {"kind": "action", "seat": each.seat, "action": each.best}
        for world in range(WORLDS):
            other, _ = posed.ruleset.indistinguishable(
                posed.state, event, each.seat, random.Random(world)
            )
            assert json.dumps(puzzle_view.shown(posed._replace(state=other), "new", "en")) == told


@each_slug
def test_a_puzzle_does_not_tell_its_answer_before(slug):
    """With another answer, it is the same puzzle, by the same name."""
    for each in rules.puzzles(slug).puzzles:
        posed = puzzles.find(each.id)
        other = each._replace(best=posed.legal[0], costs=(), reason=each.reason._replace(worth=0))
        assert other.id == each.id
        shown = [
            puzzle_view.shown(Posed(posed.ruleset, puzzle, posed.state), "new", "en")
            for puzzle in (each, other)
        ]
        assert shown[0] == shown[1]


@pytest.mark.both_databases
def test_ones_answers_are_exported_and_erased_with_one(app, cast, posed):
    answer(cast.carol, posed.puzzle.id, posed.puzzle.best)
    answer(cast.bob, posed.puzzle.id, None)
    (exported,) = cast.bob.get("/api/me/export")["puzzle_answers"]
    assert (exported["puzzle"], exported["solved"]) == (posed.puzzle.id, False)
    assert cast.carol.send("POST", "/api/me/erasure", json={}).status_code < 300
    (left,) = execute(app, "SELECT player_id FROM puzzle_answers")
    assert left.player_id == cast.bob.id
