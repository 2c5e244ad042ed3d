"""Moments: the table at one shows the cards where they lay, and nobody anything that they may not know."""

from __future__ import annotations

import random

import pytest

from rules.kernel import Json, Ruleset, Viewer, vocabulary
from service.core.words.words import Reader, phrases
from service.tables.views.game_view import worded_moment
from tests.rules.playouts import Step, Steps, codes, viewers
from tests.rules.worlds import same

pytestmark = pytest.mark.every_game

MOST = 150
"""The number of moments that are compared with other worlds."""


@pytest.fixture(scope="session")
def moments(ruleset: Ruleset, met: Steps) -> list[Step]:
    return [step for step in met if ruleset.moment(*step)]


def test_there_are_moments_in_every_game(moments: list[Step]) -> None:
    assert moments


def test_the_lines_of_moments_are_those_of_the_game(ruleset: Ruleset) -> None:
    lines = vocabulary.lines(ruleset.looks.vocabulary)
    assert {*ruleset.looks.moments, *ruleset.looks.outcomes} <= lines.keys()
    assert {*ruleset.looks.moments.values()} <= {"opened", "trick", "sale", "round", "deal"}


def test_nobody_can_tell_the_worlds_apart_at_a_moment(
    ruleset: Ruleset, moments: list[Step]
) -> None:
    rng = random.Random(1)
    for step in rng.sample(moments, min(MOST, len(moments))):
        for viewer in viewers(step.before):
            before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
            after = ruleset.act(before, event)
            assert ruleset.moment(before, event, after) == ruleset.moment(*step)
            same(
                ruleset.moment_view(*step, viewer),
                ruleset.moment_view(before, event, after, viewer),
            )


def test_what_was_opened_lies_there(ruleset: Ruleset, moments: list[Step]) -> None:
    """They are facts like those of the viewer's own choice, with everything that everybody may know about it."""
    for step in moments:
        opened = ruleset.taken(*step, None).opened
        facts = ruleset.moment_view(*step, None)["facts"]
        committed = ruleset.moment_view(*step, None)["committed"]
        for seat, action in opened:
            parameters = {name: value for name, value in action.items() if name != "type"}
            whole = all(
                each.name in action for each in ruleset.actions[action["type"]] if not each.optional
            )
            if seat in committed and whole:
                assert {"name": action["type"], "of": seat, **parameters} in facts


def test_moments_are_worded(ruleset: Ruleset, moments: list[Step]) -> None:
    for step in moments:
        for language in ("en", "ja"):
            words = phrases(language, ruleset.slug, ruleset.version)
            reader = Reader([f"P{seat}" for seat in range(step.before.players)], 0)
            view, kind = ruleset.moment_view(*step, 0), ruleset.moment(*step) or ""
            assert worded_moment(view, kind, words, reader)["zones"]


def test_what_others_have_chosen_is_not_told_as_if_the_reader_had(
    ruleset: Ruleset, moments: list[Step]
) -> None:
    words = phrases("en", ruleset.slug, ruleset.version)
    for step in moments:
        reader = Reader([f"P{seat}" for seat in range(step.before.players)], 0)
        view = worded_moment(
            ruleset.moment_view(*step, 0), ruleset.moment(*step) or "", words, reader
        )
        theirs = [fact["words"] for fact in view["facts"] if fact.get("of", 0) != 0]
        assert [each for each in theirs if each.startswith(("You ", "Your "))] == []


def test_the_cards_of_a_trick_or_a_sale_still_lie_there(
    ruleset: Ruleset, moments: list[Step]
) -> None:
    """Every card that was played openly in the event and is named by its action lies on the table at its moment."""
    for step in moments:
        if ruleset.moment(*step) == "trick" and step.event["action"].get("card"):
            assert step.event["action"]["card"] in seen(ruleset, step, None) or went_back(step)


def seen(ruleset: Ruleset, step: Step, viewer: Viewer) -> list[str]:
    zones: list[Json] = ruleset.moment_view(*step, viewer)["zones"]
    return codes(
        [
            [face.get("card") if isinstance(face, dict) else face for face in zone.get("cards", ())]
            for zone in zones
        ]
    )


def went_back(step: Step) -> bool:
    """Whether the card was beaten before the moment, such as a lead that somebody else has answered."""
    return any(line["line"] in ("back", "returned") for line in step.after.told)
