"""Headings: the parts of every game, each above its lines, and the order of the lines of an event."""

from __future__ import annotations

import random

import rules
from rules.kernel import Ruleset, vocabulary
from tests.rules.playouts import Step, Steps, codes, playout


def test_every_game_has_headings(ruleset: Ruleset, met: Steps) -> None:
    begun = [each.part.name for step in met for each in ruleset.headings(step.before, step.after)]
    assert begun


def test_a_heading_stands_among_the_lines_of_its_event(ruleset: Ruleset, met: Steps) -> None:
    for step in met:
        headings = ruleset.headings(step.before, step.after)
        places = [each.at for each in headings]
        assert places == sorted(places)
        assert set(places) <= set(range(len(step.after.told) + 1))
        now = [*step.after.parts()]
        assert [each.part for each in headings] == now[len(now) - len(headings) :]


def test_lines_that_begin_a_part_are_told(ruleset: Ruleset) -> None:
    looks = ruleset.looks
    assert looks.begins.keys() <= vocabulary.lines(looks.vocabulary).keys()
    assert set(looks.repeats) <= looks.begins.keys()


def test_what_an_event_opens_is_told_before_what_follows(ruleset: Ruleset, met: Steps) -> None:
    """Before the first cards of choices there are only lines about the player who made the last one."""
    for step in met:
        opened = cards_opened(ruleset, step)
        lines = [each for each in ruleset.lines(step.after, None) if each["line"] != "chosen"]
        first = [n for n, line in enumerate(lines) if opened & set(codes(line))]
        for line in lines[: min(first, default=0)]:
            assert line["seat"] == step.event["seat"], (step.event, lines)


def cards_opened(ruleset: Ruleset, step: Step) -> set[str]:
    """The cards of the sealed choices that an event opened to everybody."""
    if step.event["kind"] != "action":
        return set()
    known = ruleset.taken(step.before, step.event, step.after, None)
    return {card for each in known.opened for card in codes(each.action)}


def test_a_heading_stands_above_the_line_that_begins_its_part() -> None:
    """Lines that say no more than the heading can be left out."""
    ruleset, found = rules.load("boomerang-auction"), list[str]()
    for step in playout(ruleset, 3, {}, random.Random(1).randrange):
        lines = [each["line"] for each in ruleset.lines(step.after, None)]
        for at, _, part in reversed(ruleset.headings(step.before, step.after)):
            lines.insert(at, f"{part.name} {part.number} {dict(part.about)}")
        found += lines
    lots = [n for n, each in enumerate(found) if each.startswith("lot ")]
    assert len(lots) > 9
    assert {found[n + 1] for n in lots} == {"offered"}
    assert found.count("sale 2 {}") == 1 and found[found.index("sale 2 {}") + 1] == "shuffled"
