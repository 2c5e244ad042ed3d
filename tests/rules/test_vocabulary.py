"""The vocabulary of every ruleset, compared with random and stored games, the source, and the audience tables."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules.kernel import Ruleset
from rules.kernel import vocabulary as say
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience, audience_of
from tests.rules.playouts import Step, Steps, phases
from tests.rules.rare_states import come_by
from tests.rules.sample_games import is_new
from tests.rules.store_games import stored
from tests.rules.test_words import tells
from tests.rules.vocabularies import Said, Shown, Vocabulary

NEVER = {
    "abbott-auction": {
        (
            "line",
            "stock-empty",
        ): "all jokers would have to be dealt or drawn, so that none is turned up"
    },
    "yours-truly-bozu-mekuri": {
        ("line", "skipped"): "a seat would have to be without cards after the stock has run out"
    },
}
"""Entries that no game played by picking reaches, and no stored one, with the reason."""


@pytest.fixture(scope="session")
def steps(ruleset: Ruleset, met: Steps) -> Steps:
    """Steps of random games and of the stored ones: a few of every sort, and all that reach a rare state."""
    sorts: Counter[Any] = Counter()
    found = [
        step for step in _stored(ruleset) if is_new(sorts, step) or come_by(ruleset, step.after)
    ]
    return (*met, *found)


def _stored(ruleset: Ruleset) -> Iterator[Step]:
    for log in stored(ruleset):
        state = ruleset.initial(log["players"], log["options"])
        for event in log["events"]:
            after = ruleset.act(state, event)
            yield Step(state, event, after)
            state = after


@pytest.fixture(scope="session")
def audience(ruleset: Ruleset) -> Audience:
    """The audience table of a game, written from its specification."""
    return audience_of(ruleset)


def test_everything_that_appears_is_declared_with_just_these_members(
    ruleset: Ruleset, steps: Steps
) -> None:
    vocabulary = Vocabulary(ruleset)
    assert sorted(set(vocabulary.wrong(steps))) == []
    assert vocabulary.declared() - vocabulary.met == never(ruleset)


def never(ruleset: Ruleset) -> Said:
    return set(NEVER.get(ruleset.slug, {}))


@pytest.mark.every_game
def test_the_phases_are_those_of_the_source(ruleset: Ruleset) -> None:
    declared = ruleset.looks.vocabulary.phases
    assert set(declared) == set(phases(ruleset))
    assert len(declared) == len(set(declared))


@pytest.mark.every_game
def test_the_lines_are_those_of_the_source(ruleset: Ruleset) -> None:
    """This includes lines that no game reaches, with all their named values."""
    told: dict[str, set[str]] = {}
    for line, names in tells(ruleset):
        told.setdefault(line, set()).update(names)
    lines = say.lines(ruleset.looks.vocabulary)
    assert lines.keys() - {"chosen"} == told.keys()
    for line, names in told.items():
        assert names <= {each.name for each in lines[line]}, line


def by_table(who: Any, *, choice: bool = False) -> str:
    """The vocabulary that an entry of the audience table requires."""
    if who is OWNER:
        return say.SEALED if choice else say.OWNER
    return {ALL: say.EVERYBODY, NOBODY: say.NOBODY}.get(who, say.RULE)


def test_zones_and_facts_are_seen_as_the_tables_say(ruleset: Ruleset, audience: Audience) -> None:
    zones, facts = (
        say.zones(ruleset.looks.vocabulary),
        say.facts(ruleset.looks.vocabulary, ruleset.actions),
    )
    assert zones.keys() == audience.zones.keys()
    for name, zone in zones.items():
        for seen in zone.seen:
            for phase in seen.phases:
                assert seen.by == by_table(audience.sees(name, phase)), (name, phase)
    assert facts.keys() == audience.facts.keys() | audience.derived.keys()
    for name, fact in facts.items():
        who = audience.facts.get(name, ALL)
        expected = by_table(who, choice=name in ruleset.actions)
        assert {seen.by for seen in fact.seen} == {expected}, name


def test_what_is_worked_out_is_named_in_the_tables(ruleset: Ruleset, audience: Audience) -> None:
    members = {
        each.name for prompt in say.prompts(ruleset.looks.vocabulary).values() for each in prompt
    }
    assert members == audience.prompt.keys()


def test_lines_tell_as_the_tables_say(ruleset: Ruleset, audience: Audience) -> None:
    marks = {say.EVERYBODY: "", say.OWNER: "*", say.RULE: "?"}
    lines = say.lines(ruleset.looks.vocabulary)
    assert audience.lines.keys() == lines.keys() - {name for _, name in never(ruleset)}
    for name, table in audience.lines.items():
        assert sorted(table.split()) == sorted(marks[each.seen] + each.name for each in lines[name])


Fault = Callable[[Ruleset], say.Vocabulary]


def _without(ruleset: Ruleset, line: str) -> say.Vocabulary:
    told = ruleset.looks.vocabulary
    return told._replace(lines={name: each for name, each in told.lines.items() if name != line})


def _changed(ruleset: Ruleset, line: str, *members: say.Member) -> say.Vocabulary:
    told = ruleset.looks.vocabulary
    return told._replace(lines={**told.lines, line: members})


def faults(ruleset: Ruleset, line: str) -> Iterator[tuple[str, say.Vocabulary]]:
    """A missing line, and each of its members missing, of a wrong kind, for others, and a list or not."""
    yield f"no {line}", _without(ruleset, line)
    members = ruleset.looks.vocabulary.lines[line]
    yield f"{line} with more", _changed(ruleset, line, *members, say.flag("more"))
    for number, each in enumerate(members):
        before, after = members[:number], members[number + 1 :]
        other = "suit" if each.kind not in {"suit", "choice"} else "seat"
        planted = [each._replace(kind=other, values=()), each._replace(many=not each.many)]
        if each.seen != say.RULE and each.name != "seat":
            seen = say.OWNER if each.seen == say.EVERYBODY else say.EVERYBODY
            planted.append(each._replace(seen=seen))
        yield f"{line} without {each.name}", _changed(ruleset, line, *before, *after)
        for wrong in planted:
            yield f"{line}: {wrong}", _changed(ruleset, line, *before, wrong, *after)


def is_found(ruleset: Ruleset, vocabulary: say.Vocabulary, steps: Steps) -> bool:
    looks = dataclasses.replace(ruleset.looks, vocabulary=vocabulary)
    wrong = dataclasses.replace(ruleset, looks=looks)
    return any(Vocabulary(wrong).wrong_lines(steps))


def test_every_fault_in_a_line_is_found(ruleset: Ruleset, steps: Steps) -> None:
    by_line: dict[str, list[Step]] = {}
    for step in steps:
        for line in step.after.told:
            by_line.setdefault(str(line["line"]), []).append(step)
    for line in ruleset.looks.vocabulary.lines:
        if ("line", line) in never(ruleset):
            continue
        for name, vocabulary in faults(ruleset, line):
            assert is_found(ruleset, vocabulary, tuple(by_line[line])), name


def wider(entry: say.Entry) -> Iterator[say.Entry]:
    """The entry shown to more viewers, missing where it is, or without one of its members."""
    for number, seen in enumerate(entry.seen):
        before, after = entry.seen[:number], entry.seen[number + 1 :]
        if seen.by != say.RULE:
            by = say.OWNER if seen.by == say.EVERYBODY else say.EVERYBODY
            yield entry._replace(seen=(*before, seen._replace(by=by), *after))
        yield entry._replace(seen=(*before, seen._replace(phases=()), *after))
    for member in entry.members:
        yield entry._replace(members=tuple(each for each in entry.members if each != member))
    for mark in entry.marks if entry.kinds else ():  # of facts, only the name says that
        yield entry._replace(marks=tuple(each for each in entry.marks if each != mark))


def has(shown: Shown, name: str) -> bool:
    """Whether a viewer is shown a zone with cards, or a fact, of this name."""
    return any(
        each["name"] == name and each.get("count") != 0
        for view in shown.values()
        for each in (*view["zones"], *view["facts"])
    )


def test_every_fault_in_a_zone_or_fact_is_found(ruleset: Ruleset, steps: Steps) -> None:
    right = Vocabulary(ruleset)
    everything = list(right.shown(steps))
    for known in (right.zones, right.facts):
        for name, entry in list(known.items()):
            there = [shown for shown in everything if has(shown, name)]
            for wrong in wider(entry):
                known[name] = wrong
                assert any(map(right.wrong_in, there)), (name, wrong)
            known[name] = entry
