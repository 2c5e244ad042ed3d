"""Legal actions that are handed out are the reader's own, or cannot be changed: attempts to change them never affect
other readers.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from rules.kernel import Json, Ruleset, State
from rules.kernel.values import Action, Array
from tests.rules.playouts import Steps, actors

MOST = 250
"""The number of positions of a ruleset in which it is tried."""
CHANGES: dict[type, tuple[Callable[[Any], object], ...]] = {
    dict: (
        lambda it: it.update(type="changed"),
        lambda it: it.pop("type"),
        lambda it: it.__setitem__("card", "Jk"),
        lambda it: it.setdefault("more", 1),
        lambda it: it.__ior__({"more": 2}),
        lambda it: it.popitem(),
        lambda it: it.__delitem__(next(iter(it))),
        lambda it: it.clear(),
    ),
    list: (
        lambda it: it.append("Jk"),
        lambda it: it.extend(["Jk"]),
        lambda it: it.insert(0, "Jk"),
        lambda it: it.__iadd__(["Jk"]),
        lambda it: it.__imul__(2),
        lambda it: it.reverse(),
        lambda it: it.sort(key=str),
        lambda it: it.__setitem__(0, "Jk"),
        lambda it: it.__delitem__(0),
        lambda it: it.remove(it[0]),
        lambda it: it.pop(),
        lambda it: it.clear(),
    ),
}


def changed(value: object) -> None:
    """Try all that can be done to a JSON value, from the inside out."""
    for kind, changes in CHANGES.items():
        if isinstance(value, kind):
            for part in list(value.values() if isinstance(value, dict) else value):
                changed(part)
            for change in changes:
                try:
                    change(value)
                except (TypeError, LookupError, StopIteration):
                    continue  # refused, or nothing is left


def said(ruleset: Ruleset, state: State, seat: int) -> Iterator[Any]:
    """Everything in which a legal action is handed out."""
    legal = ruleset.legal(state, seat)
    yield legal
    yield ruleset.fallback(state, seat)
    yield ruleset.question(state, seat)["legal"]
    yield from (ruleset.listed(state, seat, json.loads(json.dumps(each))) for each in legal[:3])


def test_no_reader_can_change_what_others_get(met: Steps, ruleset: Ruleset) -> None:
    """In the same position, in an equal one, and in the positions to which an action leads."""
    for step in met[:: 1 + len(met) // MOST]:
        state = step.before
        before = [
            (seat, json.dumps([*said(ruleset, state, seat)])) for seat in actors(ruleset, state)
        ]
        for seat, text in before:
            for value in said(ruleset, state, seat):
                changed(value)
            assert json.dumps([*said(ruleset, state, seat)]) == text
            assert json.dumps([*said(ruleset, state.change(), seat)]) == text
        assert ruleset.apply(state, step.event) == step.after


def test_what_was_played_cannot_be_changed_through_the_event(met: Steps, ruleset: Ruleset) -> None:
    for step in met[:: 1 + len(met) // MOST]:
        event = json.loads(json.dumps(step.event))
        after = ruleset.apply(step.before, event)
        changed(event)
        assert after == step.after


@pytest.mark.parametrize("value", [Action(type="keep", cards=Array(["As", "2s"])), Array(["As"])])
def test_it_is_plain_json_of_which_a_copy_can_be_changed(value: Any) -> None:
    plain: Json = json.loads(json.dumps(value))
    assert value == plain and orjson.dumps(value) == orjson.dumps(plain)
    assert repr(value) == repr(plain) and type(plain) in type(value).__mro__
    changed(value)
    assert value == plain
    for copied in (copy.deepcopy(value), copy.copy(value), value.copy()):
        assert type(copied) is type(plain) and copied == plain
    changed(copied := copy.deepcopy(value))
    assert not copied
