"""Every declaration, fact, prompt and line against the tables that were written from the specifications by hand."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.kernel import Only, Ruleset, State, Viewer, plain
from rules.kernel import declarations as declare
from rules.kernel.declarations import Zone
from tests.rules.audiences import ALL, Audience
from tests.rules.playouts import Steps, viewers

PUBLIC = {"turn", "options", "past"}
"""What everybody knows besides zones and facts."""


@pytest.fixture(scope="session")
def audience(ruleset: Ruleset) -> Audience:
    """The table of a game."""
    folder = Path(rules.folder(ruleset.slug)).name
    table: Audience = importlib.import_module(f"tests.rules.games.{folder}.audience").AUDIENCE
    return table


def states(met: Steps) -> list[State]:
    return [state for step in met for state in (step.before, step.after)]


def is_seen(face: Any) -> bool:
    return "card" in face if isinstance(face, dict) else face is not None


def wrong(audience: Audience, state: State, viewer: Viewer, view: Any) -> list[Any]:
    """The zones of a view that show other cards than the table says."""
    return [
        (state.phase, viewer, entry)
        for entry in view["zones"]
        for position, face in enumerate(entry.get("cards", [None] * entry["count"]))
        if not (isinstance(face, dict) and "vacant" in face["is"])
        if is_seen(face)
        != audience.sees(entry["name"], state.phase)(state, viewer, entry.get("seat"), position)
    ]


def test_cards_are_seen_by_their_audience_alone(
    ruleset: Ruleset, audience: Audience, met: Steps
) -> None:
    found = set()
    for state in states(met):
        for viewer in viewers(state):
            view = ruleset.view(state, viewer)
            found |= {entry["name"] for entry in view["zones"]}
            assert not wrong(audience, state, viewer, view)
    assert found == audience.zones.keys()


def test_a_zone_that_is_declared_too_widely_is_found(audience: Audience, met: Steps) -> None:
    declared, found = set(), set()
    for state in states(met):
        for attr, declaration in state.declared:
            if isinstance(declaration, Zone) and declaration.who is not declare.everyone:
                declared.add((state.phase, attr))
                for viewer in viewers(state):
                    view = declare.view(state.declared, state, viewer, {attr: declare.everyone})
                    if wrong(audience, state, viewer, view):
                        found.add((state.phase, attr))
    assert {attr for _, attr in found} == {attr for _, attr in declared}


def test_facts_are_shown_to_their_audience_alone(
    ruleset: Ruleset, audience: Audience, met: Steps
) -> None:
    found = set()
    for state in states(met):
        public = declare.shown(state.declared, state, None).facts
        for viewer in viewers(state):
            for fact in declare.shown(state.declared, state, viewer).facts:
                sees = audience.facts[fact["name"]]
                found.add(fact["name"])
                assert sees(state, viewer, fact.get("of"), 0), (state.phase, viewer, fact)
            names = [fact for fact in public if audience.facts[fact["name"]] is ALL]
            shown = declare.shown(state.declared, state, viewer).facts
            assert all(fact in shown for fact in names)
    assert found <= audience.facts.keys()


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


def test_lines_tell_secrets_to_their_seat_alone(
    ruleset: Ruleset, audience: Audience, met: Steps
) -> None:
    found: dict[str, set[str]] = {}
    for step in met:
        state = step.after
        for number, line in enumerate(state.told):
            table = {each.lstrip("*?"): each for each in audience.lines[line["line"]].split()}
            found.setdefault(line["line"], set()).update(line.keys() - {"line"})
            for name, value in line.items():
                mark = table[name][0] if name != "line" else ""
                assert not isinstance(value, Only) or mark in "*?", (line["line"], name)
                for viewer in viewers(state):
                    shown = ruleset.lines(state, viewer)[number][name]
                    if mark == "*":
                        is_told(shown, value, viewer, line["seat"])
                    elif mark != "?":
                        assert shown == plain(value)
    for line, names in audience.lines.items():
        assert found.get(line, set()) <= {each.lstrip("*?") for each in names.split()}, line


def is_told(shown: Any, value: Any, viewer: Viewer, seat: int) -> None:
    """Raise AssertionError unless a secret is told to its seat alone."""
    assert isinstance(value, Only)
    if viewer == seat:
        assert shown == plain(value.value)
    else:
        assert type(shown) is int
