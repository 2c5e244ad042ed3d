"""Moments: events at which a table stops, since everybody wants to see the cards before the game goes on.

An event that opens sealed choices is one, and so is an event that tells one of the lines in `Looks.moments`: a trick is
won, something is sold, a deal is scored. By the end of the event, the game has gone on: the trick is collected, the
next deal begins. So a moment shows the state in which its line was told. For opened choices, it shows the state in
which the last of them was made, with all of them turned up where they lay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.kernel.actions import Chosen, Taken, Types
from rules.kernel.states import State, Watched
from rules.kernel.values import Json

OPENED = "opened"
"""The kind of a moment at which sealed choices are turned up."""


class Told(NamedTuple):
    """A line of an event, and the state in which it was told."""

    line: str
    state: State


def kind(
    actions: Types, named: Mapping[str, str], known: Taken, lines: Iterable[str]
) -> str | None:
    """The kind of an event's moment; None if the table does not stop at the event.

    `known` is what a viewer may know of the action, and `lines` are the names of the lines that are told. `named` has
    the kinds by line; of several lines that it has, the last one counts.
    """
    found = [named[line] for line in lines if line in named]
    if found:
        return found[-1]
    return OPENED if any(_says_something(actions, each) for each in known.opened) else None


def _says_something(actions: Types, chosen: Chosen) -> bool:
    """Whether an opened choice can reveal more than that it was made: its type has parameters that are not all secret,
    or none.
    """
    parameters = actions[chosen.action["type"]]
    return not parameters or not all(each.secret for each in parameters)


def shown(named: Mapping[str, str], told: Iterable[Told]) -> State:
    """The state to show for a moment: the state of the last named line or, without one, the state of the first line."""
    found = list(told)
    named_ones = [each.state for each in found if each.line in named]
    return (named_ones or [found[0].state])[-1]


def turned_up(actions: Types, view: Json, opened: Iterable[Chosen]) -> Json:
    """A view in which the opened choices that it still shows as sealed are facts, as the viewer's own choice is.

    A choice with a secret part stays face down.
    """
    types = {each.action["type"] for each in opened}
    own = {fact.get("of") for fact in view["facts"] if fact["name"] in types}
    facts = [
        _as_fact(each)
        for each in opened
        if each.seat in view["committed"] and each.seat not in own and _is_whole(actions, each)
    ]
    return {**view, "facts": [*facts, *view["facts"]]}


def _is_whole(actions: Types, chosen: Chosen) -> bool:
    parameters = actions[chosen.action["type"]]
    return all(each.name in chosen.action for each in parameters if not each.optional)


def _as_fact(chosen: Chosen) -> Json:
    parameters = {name: value for name, value in chosen.action.items() if name != "type"}
    return {"name": chosen.action["type"], "of": chosen.seat, **parameters}


def watched(before: State, event: Json) -> list[Told]:
    """The lines that are told when an action is played on a state, each with the state in which it was told."""
    told = Watched()
    before.silent(told).perform(event["seat"], event["action"])
    return [
        Told(line["line"], state.change(told=()))
        for line, state in zip(told, told.states, strict=True)
    ]
