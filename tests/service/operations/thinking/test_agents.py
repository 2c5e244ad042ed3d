"""Agents: they choose from what their seat has seen, and take the same time whatever the choice."""

from __future__ import annotations

import itertools

import pytest

import rules
from rules.players.search import Effort
from service.operations.thinking.agents import Agents
from service.operations.thinking.questions import Question, ThoughtAnswer
from service.operations.thinking.thinking_time import MARGIN, Clocks, Paced, duration
from tests.service.operations.thinking.games import first_question, other_truths, played, question
from tests.support.each_game import each_slug
from tests.support.thinking import Fixed

BOOMERANG = rules.load("boomerang-auction")


def agents(worlds=8, most=9):
    return Agents(Fixed(Effort(worlds)), most=most)


class Day:
    """A processor without other work: each look at a clock takes a ms, and a pause as long as it is meant to."""

    def __init__(self, others=0.0):
        self.cpu = self.wall = 0.0
        self._others = others
        """The seconds that other programs take in each ms."""

    @property
    def clocks(self):
        return Clocks(lambda: self._look().cpu, lambda: self._look().wall, self._pause)

    def _look(self):
        self.cpu += 0.001
        self.wall += 0.001 + self._others
        return self

    def _pause(self, seconds):
        self.wall += seconds


def lasted(asked, **day):
    """The seconds until the answer came."""
    today = Day(**day)
    assert Agents(Paced(today.clocks)).answer(asked).action is not None
    return today.wall


def test_the_same_question_has_the_same_answer():
    asked = first_question("caravan")
    assert agents().answer(asked) == agents().answer(asked)
    assert agents().answer(asked).action in rules.load("caravan").legal(
        *last_state("caravan", asked.seat)
    )


def last_state(slug, seat):
    _, state = next(played(rules.load(slug)))
    return state, seat


@each_slug
def test_what_a_seat_cannot_tell_apart_is_answered_equally(slug):
    """The same action, after the same time."""
    ruleset, tried = rules.load(slug), 0
    for log, state in itertools.islice(played(ruleset), 2, 30, 12):
        for seat in ruleset.turn(state).waiting[:1]:
            for other in itertools.islice(other_truths(ruleset, log, seat), 2):
                one, two = (question(ruleset, each, seat, share=0.05) for each in (log, other))
                assert agents(3).answer(one).action == agents(3).answer(two).action
                assert lasted(one) == lasted(two)
                tried += 1
    assert tried


def test_what_takes_no_thought_does_not_show():
    """A forced move takes as long as one out of many, and an early end of the search changes nothing."""
    asked = {}
    for log, state in played(BOOMERANG):
        for seat in BOOMERANG.turn(state).waiting:
            asked[len(BOOMERANG.legal(state, seat)) == 1] = question(BOOMERANG, log, seat)
    free, forced = (asked[is_forced]._replace(share=0.1) for is_forced in (False, True))
    assert lasted(forced) == pytest.approx(lasted(free), abs=0.002)
    assert lasted(free) == pytest.approx(0.1 * duration("normal"), abs=0.002)
    sudden = Day()
    with Paced(sudden.clocks)(forced):
        pass  # nothing is searched
    assert sudden.wall == pytest.approx(lasted(free), abs=0.002)


@pytest.mark.parametrize("level", ["easy", "normal", "strong"])
def test_a_busy_machine_makes_nobody_wait_longer(level):
    """The search ends by the clock too, with fewer worlds."""
    asked = first_question(level=level)
    assert lasted(asked, others=0.009) == pytest.approx(duration(level), abs=0.02)


def test_a_share_of_the_time_is_kept_to():
    for share in (0.02, 0.1, 0.5):
        assert lasted(first_question(share=share)) == pytest.approx(
            share * duration("normal"), abs=0.003
        )
    assert duration("normal") == pytest.approx(0.2 + MARGIN)


def test_a_mind_goes_on_from_what_it_has_seen():
    """Given only the new events, it answers as one that is given all of them."""
    going_on, told = agents(), 0
    for log, state in itertools.islice(played(BOOMERANG), 12):
        if 0 not in BOOMERANG.turn(state).waiting:
            continue
        whole = question(BOOMERANG, log, 0)
        rest = whole._replace(after=told, events=log[told:])
        assert going_on.answer(rest).action == agents().answer(whole).action
        told = len(log)
    assert told


def test_what_was_forgotten_fails_and_is_asked_as_a_whole():
    forgetful = agents(most=1)
    first, second = first_question(), first_question(game="g_2")
    assert forgetful.answer(first).action and forgetful.answer(second).action
    failed = forgetful.answer(first._replace(after=first.number, events=[]))
    assert failed.action is None and failed.failure.kind == "Forgotten"
    assert forgetful.answer(first).action


def test_a_failure_tells_where_it_was_and_nothing_else():
    asked = first_question()
    broken = asked._replace(
        events=[*asked.events, {"kind": "action", "seat": 0, "action": {"type": "m4rk3r"}}]
    )
    answer = agents().answer(broken)
    assert answer.failure and answer.failure.at
    assert b"m4rk3r" not in answer.line()
    assert agents().answer(asked).action


@each_slug
def test_an_analysis_is_equal_in_games_that_the_seat_cannot_tell_apart(slug):
    """Of what was dealt to others, or chosen by them, nothing enters the appraisal of a decision."""
    ruleset, tried = rules.load(slug), 0
    for log, state in itertools.islice(played(ruleset), 2, None, 3):
        for seat in ruleset.turn(state).waiting[:1]:
            legal = ruleset.legal(state, seat)
            if len(legal) == 1 or tried > 5:
                continue
            for other in itertools.islice(other_truths(ruleset, log, seat), 2):
                one, two = (
                    question(ruleset, each, seat, played=legal[-1], iterations=4)
                    for each in (log, other)
                )
                found = agents().answer(one)
                assert found.appraisal and found.appraisal == agents().answer(two).appraisal
                tried += 1
    assert tried


def test_a_decision_is_appraised_from_all_that_the_seat_has_seen():
    """Being told of the new events alone, an agent appraises as one that is told all."""
    going_on, told, tried = agents(), 0, 0
    for log, state in itertools.islice(played(BOOMERANG), 12):
        legal = BOOMERANG.legal(state, 0)
        if len(legal) < 2:
            continue
        whole = question(BOOMERANG, log, 0, played=legal[0], iterations=9)
        rest = whole._replace(after=told, events=log[told:])
        assert going_on.answer(rest).appraisal == agents().answer(whole).appraisal
        told, tried = len(log), tried + 1
    assert tried > 1


def test_what_could_not_be_played_is_a_failure():
    asked = first_question(played={"type": "m4rk3r"}, iterations=3)
    answer = agents().answer(asked)
    assert answer.failure and answer.failure.kind == "Illegal"
    assert b"m4rk3r" not in answer.line()


def test_questions_and_answers_survive_the_way():
    asked = first_question("caravan")
    assert Question.parse(asked.line()) == asked
    legal = rules.load("caravan").legal(*last_state("caravan", asked.seat))
    decided = asked._replace(played=legal[0], iterations=2)
    for each in (asked, decided, asked._replace(version=99)):
        answer = agents().answer(each)
        assert ThoughtAnswer.parse(each, answer.line())[1:] == answer[1:]
