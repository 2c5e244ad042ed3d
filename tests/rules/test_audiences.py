"""Every declaration, fact, prompt and line against the tables that were written from the specifications by hand."""

from __future__ import annotations

import pytest

from rules.kernel import Only, Ruleset, State, plain
from rules.kernel import declarations as declare
from tests.rules.audiences import ALL, Audience, audience_of, wrong, wrong_lines
from tests.rules.playouts import Steps, viewers

PUBLIC = {"turn", "options", "past"}
"""Common knowledge besides zones and facts."""


@pytest.fixture(scope="session")
def audience(ruleset: Ruleset) -> Audience:
    """The table of a game."""
    return audience_of(ruleset)


def states(met: Steps) -> list[State]:
    return [state for step in met for state in (step.before, step.after)]


def test_zones_and_facts_are_shown_to_their_audience_alone(audience: Audience, met: Steps) -> None:
    zones, facts = set(), set()
    for state in states(met):
        everybodys = declare.shown(state.declared, state, None).facts
        for viewer in viewers(state):
            assert not wrong(audience, state, viewer)
            shown = declare.shown(state.declared, state, viewer)
            zones |= {entry["name"] for entry in shown.zones}
            facts |= {fact["name"] for fact in shown.facts}
            assert all(
                fact in shown.facts for fact in everybodys if audience.facts[fact["name"]] is ALL
            )
    assert zones == audience.zones.keys()
    assert facts <= audience.facts.keys()


def test_what_is_worked_out_comes_from_what_is_public(
    audience: Audience, ruleset: Ruleset, met: Steps
) -> None:
    facts, prompts = set(), set()
    for state in states(met):
        facts |= {fact["name"] for fact in state.facts()}
        prompts |= set(state.prompt())
        for name in {fact["name"] for fact in state.facts()}:
            sources = [each for each in audience.derived[name].split() if each not in PUBLIC]
            for source in sources:
                assert is_public(audience, source, state), (state.phase, name, source)
        for name in state.prompt():
            for source in audience.prompt[name].split():
                assert source in PUBLIC or is_public(audience, source, state), (name, source)
    assert facts <= audience.derived.keys()
    assert prompts <= audience.prompt.keys()


def is_public(audience: Audience, source: str, state: State) -> bool:
    """Whether everybody sees all of a zone or fact now, or at least how many cards it has."""
    if source.startswith("#"):
        return source[1:] in audience.zones
    if source in audience.zones:
        return all(
            audience.sees(source, state.phase)(state, None, entry.get("seat"), position)
            for entry in declare.shown(state.declared, state, None).zones
            if entry["name"] == source
            for position in range(entry["count"])
        )
    return audience.facts[source] is ALL


def test_lines_tell_secrets_to_their_seat_alone(audience: Audience, met: Steps) -> None:
    for step in met:
        assert not wrong_lines(audience, step.before, step.after)
        for line in step.after.told:
            listed = {each.lstrip("*?") for each in audience.lines[line["line"]].split()}
            assert line.keys() - {"line"} <= listed, line["line"]


def test_what_only_one_seat_is_told_is_shown_to_it_alone(ruleset: Ruleset, met: Steps) -> None:
    for step in met:
        for viewer in viewers(step.after):
            shown = ruleset.lines(step.after, viewer)
            for line, told in zip(shown, step.after.told, strict=True):
                for name, value in told.items():
                    right = plain(value.value) if isinstance(value, Only) else plain(value)
                    if isinstance(value, Only) and viewer not in value.seats:
                        assert type(line[name]) is int
                    else:
                        assert line[name] == right
