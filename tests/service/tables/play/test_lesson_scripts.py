"""The lesson of every game, played by the engine to its end by its script, with everything that it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import rules
from rules.kernel import Json, State
from rules.kernel.lessons import LEARNER, Lesson, Move
from service.core.words.words import LANGUAGES, Reader, phrases
from service.log import events
from service.log.shuffles import Shuffler
from service.log.table_rows.table import LESSON
from service.tables.before_start.lessons import seed_of

SHORTEST, LONGEST = 4, 16
"""The fewest and most steps of a lesson: it lasts a few minutes."""
MOST_LETTERS = {"en": 220, "ja": 130}
"""The most letters of one message: it is above the table on a phone."""
NOT_TAUGHT = {
    "2459n": {"put-back", "show", "stay"},
    "blame-the-magic": {"answer", "give", "lose", "return"},
    "caravan": {"renew"},
    "joretsu": {"decline"},
    "oracle-land": {"erase", "joker", "wish"},
    "trunk-and-peddler": {"draw"},
    "yours-truly-bozu-mekuri": {"cover", "pass"},
}
"""Types of actions that a lesson leaves to the page of rules."""


class Asked(NamedTuple):
    """The learner is asked at a step."""

    move: Move
    state: State


class Play:
    """A lesson played by the engine."""

    def __init__(self, slug: str, lesson: Lesson) -> None:
        self.ruleset = rules.load(slug)
        self.lesson, self._shuffles = lesson, 0
        self._shuffler = Shuffler(seed_of(slug, lesson), LESSON, (), events.FORMAT)
        options = self.ruleset.settle(lesson.players, lesson.options)
        self.state = self._shuffled(self.ruleset.initial(lesson.players, options))

    def make(self, seat: int, action: Json) -> None:
        """Play an action. Raises Illegal."""
        event = {"kind": "action", "seat": seat, "action": action}
        self.state = self._shuffled(self.ruleset.apply(self.state, event))

    def _shuffled(self, state: State) -> State:
        while (due := self.ruleset.turn(state).chance) is not None:
            self._shuffles += 1
            outcome = self._shuffler.outcome(due.items, number=0, ordinal=self._shuffles)
            state = self.ruleset.act(
                state, {"kind": "chance", "name": due.name, "outcome": outcome}
            )
        return state

    def steps(self) -> Iterator[Asked]:
        """Make every move; yields the questions of the learner."""
        for move in self.lesson.moves:
            if move.step:
                yield Asked(move, self.state)
            self.make(move.seat, move.action)


@pytest.fixture(params=rules.slugs())
def slug(request: Any) -> str:
    """Every game."""
    return str(request.param)


@pytest.fixture
def lesson(slug: str) -> Lesson:
    """The lesson of the game."""
    found = rules.lesson(slug)
    assert found is not None, "every game has a lesson"
    return found


def test_every_step_is_legal_and_nobody_else_is_waited_for(slug: str, lesson: Lesson) -> None:
    play = Play(slug, lesson)
    met = set()
    for asked in play.steps():
        turn = play.ruleset.turn(asked.state)
        assert LEARNER in turn.waiting, asked.move.step
        assert turn.waiting == (LEARNER,), (asked.move.step, "a house player would think meanwhile")
        met.add(asked.move.action["type"])
    assert SHORTEST <= len(lesson.steps) <= LONGEST
    assert len(set(lesson.steps)) == len(lesson.steps)
    assert met | NOT_TAUGHT.get(slug, set()) == set(play.ruleset.actions), "its main ideas"
    assert all((move.seat == LEARNER) == bool(move.step) for move in lesson.moves)


def test_every_step_is_said_in_both_languages(slug: str, lesson: Lesson) -> None:
    for language in LANGUAGES:
        words = phrases(language, slug)
        said = {f"lesson.{step}" for step in lesson.steps}
        about = {f"{key}.done" for key in said}
        own = {key for key in words.messages if key.startswith("lesson.")}
        assert said <= own
        assert own - {"lesson.finished", "lesson.left", "lesson.over"} <= said | about, (
            "none is unused"
        )
        for move in lesson.moves:
            for key in (f"lesson.{move.step}", f"lesson.{move.step}.done"):
                if move.step and key in own:
                    text = words.say(key, move.action, Reader(["", ""] * 4))
                    assert 0 < len(text) <= MOST_LETTERS[language], (key, len(text))


def test_what_is_said_names_nothing_but_the_action(slug: str, lesson: Lesson) -> None:
    for language in LANGUAGES:
        words = phrases(language, slug)
        for move in filter(lambda each: each.step, lesson.moves):
            for key in (f"lesson.{move.step}", f"lesson.{move.step}.done"):
                if key in words.messages:
                    assert words.formats(key).keys() <= move.action.keys(), key
