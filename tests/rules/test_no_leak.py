"""The proof that nothing leaks, for every ruleset, seat and spectator; and the proof of the proof.

`elsewise` makes another truth that a viewer must not be able to tell from the present one. That it would find a leak
is proven by making each one there could be: every declaration that is not for everyone, and every `only(...)` told.
"""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from rules import declare
from rules.declare import Inner
from rules.kernel import Only, Ruleset, State, Viewer, everyone, plain
from tests.rules.playouts import Steps, codes, module_of, phases, viewers
from tests.rules.truths import compare, truth

Look = Callable[[State, Viewer], Any]


class Truths(NamedTuple):
    """What is true and what could be for a viewer, before an event and after it."""

    viewer: Viewer
    real: tuple[State, State]
    other: tuple[State, State]


@pytest.fixture(scope="session")
def known(ruleset: Ruleset, met: Steps) -> list[Truths]:
    """Another truth for every seat and spectator at every step."""
    rng = random.Random(1)
    return [
        Truths(viewer, (step.before, step.after), truth(ruleset, step, viewer, rng))
        for step in met
        for viewer in viewers(step.before)
    ]


def test_nobody_can_tell_one_truth_from_another(ruleset: Ruleset, known: list[Truths]) -> None:
    """In the games of the proof of the proof: it finds nothing where nothing is widened."""
    for viewer, real, other in known:
        compare(ruleset, viewer, real, other)


def test_there_are_other_truths_for_everybody(known: list[Truths]) -> None:
    for viewer in (0, 1, None):
        differ = [real != other for seat, real, other in known if seat == viewer]
        assert sum(differ) > len(differ) / 2


def leaks(known: list[Truths], looks: dict[Any, Look]) -> set[Any]:
    """Those of `looks` that tell some truth from another one."""
    found: set[Any] = set()
    for viewer, real, other in known:
        for name in looks.keys() - found:
            seen, could = ([looks[name](state, viewer) for state in pair] for pair in (real, other))
            if seen != could:
                found.add(name)
    return found


def secrets(met: Steps) -> set[str]:
    """The fields that are not for everyone; of the bookkeeping those that hold cards."""
    found = set()
    for state in (state for step in met for state in (step.before, step.after)):
        for attr, declaration in state.declared:
            if isinstance(declaration, Inner):
                if attr != "told" and any(codes(getattr(state, attr))):
                    found.add(attr)
            elif declaration.who is not everyone:
                found.add(attr)
    return found


def widened(attr: str) -> Look:
    return lambda state, viewer: declare.view(state.declared, state, viewer, {attr: everyone})


def test_every_declaration_that_were_too_wide_is_found(met: Steps, known: list[Truths]) -> None:
    looks = {attr: widened(attr) for attr in secrets(met)}
    assert looks
    assert leaks(known, looks) == looks.keys()


def test_every_declared_secret_is_met(ruleset: Ruleset, met: Steps) -> None:
    """So that the games of the proof of the proof leave none out."""
    declared = {
        attr
        for phase in phases(ruleset)
        for attr, declaration in phase.declared
        if not isinstance(declaration, Inner) and declaration.who is not everyone
    }
    assert declared <= secrets(met)


def opened(line: str, key: str) -> Look:
    """The lines of the last event with one `only(...)` open to everybody."""

    def look(state: State, viewer: Viewer) -> list[Any]:
        return [
            plain(each[key].value if isinstance(each[key], Only) else each[key])
            for each in state.told
            if each["line"] == line and key in each
        ]

    return look


def redacted(ruleset: Ruleset, met: Steps) -> set[tuple[str, str]]:
    """Every told value that is `only(...)`, in the ruleset's source or in a game: its line and its name."""
    found = {
        (line["line"], key)
        for step in met
        for line in step.after.told
        for key, value in line.items()
        if isinstance(value, Only)
    }
    for call in ast.walk(ast.parse(inspect.getsource(module_of(ruleset)))):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", None) == "tell":
            line = ast.literal_eval(call.args[0])
            found |= {(line, str(keyword.arg)) for keyword in call.keywords if marks(keyword.value)}
    return found


def marks(expression: ast.expr) -> bool:
    calls = (each for each in ast.walk(expression) if isinstance(each, ast.Call))
    return any(getattr(call.func, "id", None) == "only" for call in calls)


def test_every_redaction_that_were_missing_is_found(
    ruleset: Ruleset, met: Steps, known: list[Truths]
) -> None:
    looks: dict[Any, Look] = {place: opened(*place) for place in redacted(ruleset, met)}
    assert leaks(known, looks) == looks.keys()
