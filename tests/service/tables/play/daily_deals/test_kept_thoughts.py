"""Thoughts that are kept for everybody: only of a past that is still the same, and never one that cannot be played."""

from __future__ import annotations

import pytest

from service.operations.thinking.questions import ThoughtAnswer
from tests.support.daily import House, begun, drawn, played
from tests.support.dump import dump, execute
from tests.support.rounds import logged

UNPLAYABLE = ['{"type": "dance"}', "[1", '"pass"']


@pytest.fixture
def house(app):
    """The house players of the application."""
    return House(app)


def test_a_kept_thought_that_cannot_be_played_is_thought_again(app, cast, capsys):
    """It is replaced by what the same seed leads to, so that the next person waits for nothing."""
    first = played(House(app), cast.alice, drawn(5))["result"]
    thought = dump(app)["daily_thoughts"]
    for n, (digest, *_) in enumerate(thought):
        spoiled = "UPDATE daily_thoughts SET action = :kept WHERE digest = :digest"
        execute(app, spoiled, kept=UNPLAYABLE[n % len(UNPLAYABLE)], digest=digest)
    assert played(House(app), cast.bob, drawn(5))["result"] == first
    house = House(app)
    assert played(house, cast.carol, drawn(5))["result"] == first
    assert not house.thoughts.questions
    assert [each for each in logged(capsys) if each["event"] == "failing"] == []


def test_a_thought_that_another_worker_has_spoiled_meanwhile_is_played_all_the_same(app, cast):
    """It was kept between the question and the answer."""
    house, game_id = House(app), begun(cast.alice)["id"]
    house.settle()
    execute(app, "DELETE FROM daily_thoughts")
    cast.alice.answer(cast.alice.game(game_id))
    assert not cast.alice.game(game_id)["legal"]
    thinking = house.thinking
    give = thinking.give

    def spoil(question):
        give(question)
        execute(app, "UPDATE daily_thoughts SET action = :kept", kept=UNPLAYABLE[0])

    thinking.give = spoil
    house.settle()
    assert cast.alice.game(game_id)["legal"]


def test_a_thought_of_another_past_is_not_kept(app, cast, house):
    """In a restored database, the same number belongs to another event: what was asked was something else."""
    game = begun(cast.alice)
    thinking = house.thinking
    answers = thinking.answers

    def of_another_past():
        return [
            ThoughtAnswer(each.question._replace(head="00" * 32), each.action) for each in answers()
        ]

    thinking.answers = of_another_past
    with app.app_context():
        house.worker.move_all()
    assert house.thoughts.questions
    assert dump(app)["daily_thoughts"] == []
    assert cast.alice.game(game["id"])["number"] == game["number"]
    thinking.answers = answers
    house.settle()
    assert dump(app)["daily_thoughts"] != []
