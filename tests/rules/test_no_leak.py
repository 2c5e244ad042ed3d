"""The proof that nothing leaks, for every ruleset, seat and spectator; and that the proof finds every leak.

`indistinguishable` makes another world that a viewer must not be able to tell from the present one. That this would
find a leak is shown by making every leak there could be: each declaration that is not for everyone, and each
`only(...)` that is told, is opened to everybody in turn.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from rules.kernel import Only, Ruleset, State, Viewer, everyone, plain
from rules.kernel import declarations as declare
from rules.kernel.declarations import Inner, Zone
from tests.rules.playouts import Steps, codes, phases, syntax_trees, viewers
from tests.rules.worlds import FEW, Difference, compare, hidden, other_world, same

Look = Callable[[State, Viewer], Any]


class Worlds(NamedTuple):
    """The real world and another one for a viewer, each before an event and after it."""

    viewer: Viewer
    real: tuple[State, State]
    other: tuple[State, State]


@pytest.fixture(scope="session")
def known(ruleset: Ruleset, met: Steps) -> list[Worlds]:
    """Another world for every seat and spectator at every step."""
    rng = random.Random(1)
    return [
        Worlds(viewer, (step.before, step.after), other_world(ruleset, step, viewer, rng))
        for step in met
        for viewer in viewers(step.before)
    ]


def test_nobody_can_tell_the_worlds_apart(ruleset: Ruleset, known: list[Worlds]) -> None:
    """With the declarations as they are, the proof finds no leak."""
    for viewer, real, other in known:
        compare(ruleset, viewer, real, other)


NEARLY_ALL = 0.95


def test_nearly_every_comparison_is_with_another_world(
    ruleset: Ruleset, known: list[Worlds]
) -> None:
    """This holds for each phase, for seats and for spectators. Comparing a state with itself proves nothing."""
    found: dict[tuple[str, bool], list[bool]] = {}
    for viewer, real, other in known:
        if hidden(ruleset, real, viewer) >= FEW:
            found.setdefault((real[0].phase, viewer is None), []).append(real != other)
    assert {spectator for _, spectator in found} == {False, True}
    for where, differ in found.items():
        assert sum(differ) > NEARLY_ALL * len(differ), where


def leaks(known: list[Worlds], looks: dict[Any, Look]) -> set[Any]:
    """The viewers among `looks` that tell some world from another one."""
    found: set[Any] = set()
    for viewer, real, other in known:
        for name in looks.keys() - found:
            here, there = ([looks[name](state, viewer) for state in pair] for pair in (real, other))
            if here != there:
                found.add(name)
    return found


def secrets(met: Steps) -> set[str]:
    """The fields that not everyone may see; of the bookkeeping only those that hold cards."""
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


def test_a_declaration_that_shows_too_much_is_found(met: Steps, known: list[Worlds]) -> None:
    looks = {attr: widened(attr) for attr in secrets(met)}
    assert looks
    assert leaks(known, looks) == looks.keys()


def test_the_games_contain_every_declared_secret(ruleset: Ruleset, met: Steps) -> None:
    """Otherwise the test above would leave some out."""
    declared = {
        attr
        for phase in phases(ruleset)
        for attr, declaration in phase.declared
        if not isinstance(declaration, Inner) and declaration.who is not everyone
    }
    assert declared <= secrets(met)


def opened(line: str, key: str) -> Look:
    """The lines of the last event, with one `only(...)` shown to everybody."""

    def look(state: State, viewer: Viewer) -> list[Any]:
        return [
            plain(each[key].value if isinstance(each[key], Only) else each[key])
            for each in state.told
            if each["line"] == line and key in each
        ]

    return look


def redacted(ruleset: Ruleset, met: Steps) -> set[tuple[str, str]]:
    """The line and name of every told value that is `only(...)`, in the ruleset's source or in a game."""
    found = {
        (line["line"], key)
        for step in met
        for line in step.after.told
        for key, value in line.items()
        if isinstance(value, Only)
    }
    for call in (node for tree in syntax_trees(ruleset) for node in ast.walk(tree)):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", None) == "tell":
            line = ast.literal_eval(call.args[0])
            found |= {(line, str(keyword.arg)) for keyword in call.keywords if marks(keyword.value)}
    return found


def marks(expression: ast.expr) -> bool:
    calls = (each for each in ast.walk(expression) if isinstance(each, ast.Call))
    return any(getattr(call.func, "id", None) == "only" for call in calls)


def test_a_missing_redaction_is_found(ruleset: Ruleset, met: Steps, known: list[Worlds]) -> None:
    looks: dict[Any, Look] = {place: opened(*place) for place in redacted(ruleset, met)}
    assert leaks(known, looks) == looks.keys()


def test_cards_of_a_hidden_pile_lie_where_they_fell(ruleset: Ruleset, met: Steps) -> None:
    """Their order does not depend on their codes: otherwise everybody would know what comes, and no single event shows
    that.
    """
    rng, compared = random.Random(1), 0
    for step in (step for step in met if step.event["kind"] == "chance"):
        outcome = step.event["outcome"]
        other = rng.sample(outcome, len(outcome))
        after = ruleset.act(step.before, {**step.event, "outcome": other})
        here, there = (
            places(step.before, *fell) for fell in ((step.after, outcome), (after, other))
        )
        for pile in here.keys() & there.keys():
            pairs = [pair for pair in zip(here[pile], there[pile], strict=True) if None not in pair]
            assert all(one == another for one, another in pairs), pile
            compared += len(pairs) > FEW
    assert compared or not has_piles(met)


def places(before: State, state: State, outcome: list[str]) -> dict[Any, list[int | None]]:
    """The places of the cards of each hidden pile in the outcome, if they can be told, by name, place and size."""
    found = {}
    for attr, declaration in hidden_piles(state):
        old = list(declare.places(declaration.per, getattr(before, attr, ())))
        for seat, index, lying in declare.places(declaration.per, getattr(state, attr)):
            if (seat, index, lying) not in old:
                pile = codes(lying)
                found[attr, seat, index, len(pile)] = [
                    outcome.index(card) if outcome.count(card) == 1 else None for card in pile
                ]
    return found


def hidden_piles(state: State) -> list[tuple[str, Zone]]:
    return [
        (attr, each)
        for attr, each in state.declared
        if isinstance(each, Zone) and each.kind == "pile" and each.who is not everyone
    ]


def has_piles(met: Steps) -> bool:
    """Whether some shuffle leaves cards in a hidden pile."""
    shuffles = (step for step in met if step.event["kind"] == "chance")
    return any(
        len(codes(getattr(step.after, attr))) > FEW
        for step in shuffles
        for attr, _ in hidden_piles(step.after)
    )


def test_what_tells_two_worlds_apart_can_be_read() -> None:
    with pytest.raises(Difference) as caught:
        same({"hand": ["7h"], "turn": 1}, {"hand": ["8h"], "turn": 1})
    changed = [line for line in str(caught.value).splitlines() if line.startswith(("-{", "+{"))]
    assert changed == ["-{'hand': ['7h'], 'turn': 1}", "+{'hand': ['8h'], 'turn': 1}"]
