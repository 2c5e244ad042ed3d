"""Plant leaks in the code of every ruleset, one at a time, and check that the proof finds each of them.

    python -m tests.rules.leak_mutants [SLUG …]

plants all and prints the counts. In every phase of every game: a declaration that is not for everybody is widened; an
`only` is removed; a card that somebody does not see, or a number that is worked out from it, is put into the prompt,
the facts and every line; the order of the legal actions depends on such a card, or which of them is played for a seat
that ran out of time. The leaks are in the classes themselves while the proof runs, so everything that the proof reads
from them comes from the leaking game.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from rules.kernel import Only, Ruleset, State, Viewer, everyone
from rules.kernel import declarations as declare
from rules.kernel.declarations import Choices, Fact, Zone
from tests.rules.audiences import Audience, audience_of, wrong, wrong_lines
from tests.rules.playouts import RULESETS, Step, Steps, called, codes, phases, viewers
from tests.rules.sample_games import MANY, Tour
from tests.rules.worlds import FEW, Difference, check_viewer, hidden

Json = dict[str, Any]


Plants = Callable[[type[State], "Mutant"], Json]
"""The replacements for attributes of a class."""


class Mutant(NamedTuple):
    """One leak: the change, and the part of a phase or line that it concerns."""

    kind: str
    where: str
    """The phase, or the line."""
    what: str = ""
    """The field that is widened or leaks, or the parameter."""
    number: bool = False
    """Whether the leak is a number that is computed from a card, instead of the card."""

    def __str__(self) -> str:
        return " ".join([self.kind, self.where, self.what, "number" * self.number]).strip()


def mutants(ruleset: Ruleset, met: Steps) -> list[Mutant]:
    """Every leak that can be planted in the events of these steps."""
    found: dict[Mutant, None] = {}
    for step in met:
        for state in (step.before, step.after):
            found |= dict.fromkeys(_in_phase(ruleset, state))
        for line in step.after.told:
            found |= dict.fromkeys(_in_line(line, step.after.players))
    return [
        *found,
        *(
            Mutant("line", *told, number)
            for told in _told(ruleset, met)
            for number in (False, True)
        ),
    ]


def _in_phase(ruleset: Ruleset, state: State) -> Iterator[Mutant]:
    for attr in widenable(state):
        yield Mutant("widened", state.phase, attr)
    for attr in secrets(state) if is_secret(ruleset, state, state) else ():
        for kind in ("prompt", "facts"):
            yield Mutant(kind, state.phase, attr)
            yield Mutant(kind, state.phase, attr, number=True)
        if any(len(ruleset.legal(state, seat)) > 1 for seat in range(state.players)):
            yield Mutant("order", state.phase, attr)
        if any(len(ruleset.legal(state, seat)) > 1 for seat in ruleset.turn(state).waiting):
            yield Mutant("fallback", state.phase, attr)


def is_secret(ruleset: Ruleset, before: State, after: State) -> bool:
    """Whether enough is hidden from everybody that a card cannot be derived from the others."""
    return all(hidden(ruleset, (before, after), viewer) >= FEW for viewer in viewers(before))


def _in_line(line: Json, players: int) -> Iterator[Mutant]:
    for key, value in line.items():
        if isinstance(value, Only) and set(value.seats) != set(range(players)):
            yield Mutant("only", str(line["line"]), key)


def _told(ruleset: Ruleset, met: Steps) -> list[tuple[str, str]]:
    """Each line with each zone that still hides a card, of the state that tells the line, when the event is over."""
    found: dict[tuple[str, str], None] = {}
    told: list[tuple[str, str, str]] = []

    def listen(cls: type[State], _mutant: Mutant) -> Json:
        right = cls.tell

        def tell(state: State, line: str, /, **values: object) -> State:
            told.extend((line, attr, str(unseen(state, attr))) for attr in secrets(state))
            return right(state, line, **values)

        return {"tell": tell}

    with planted(ruleset, Mutant("line", ""), listen):
        for step in met:
            told.clear()
            after = ruleset.act(step.before, step.event)
            if is_secret(ruleset, step.before, after):
                public = said(after)
                found |= {(line, attr): None for line, attr, card in told if card not in public}
    return list(found)


def said(state: State) -> set[str]:
    """The cards that everybody sees, or has just been told."""
    shown = declare.shown(state.declared, state, None).zones
    return set(
        codes(
            [
                [entry.get("cards", ()) for entry in shown],
                [list(line.values()) for line in state.told],
            ]
        )
    )


def widenable(state: State) -> list[str]:
    """The fields with cards or a choice that some viewer does not see."""
    return [
        attr
        for attr, declaration in state.declared
        if attr not in ("told", "players")
        and declaration.who is not everyone
        and getattr(state, attr)
        and (
            unseen(state, attr) not in {None, *said(state)}
            or isinstance(declaration, Choices | Fact)
        )
    ]


def secrets(state: State) -> list[str]:
    """The zones with a card that spectators do not see, and have not just been told."""
    public = said(state)
    return [
        attr
        for attr, declaration in state.declared
        if isinstance(declaration, Zone) and declaration.who is not everyone
        if unseen(state, attr) not in {None, *public}
    ]


def unseen(state: State, attr: str) -> str | None:
    """A card from the middle of a zone, because the ends of piles are seen more easily."""
    cards = codes(getattr(state, attr, ()))
    return cards[len(cards) // 2] if cards else None


def leak(state: State, mutant: Mutant) -> Any:
    """The card, or the number, that leaks."""
    card = unseen(state, mutant.what)
    return sum(map(ord, card)) if card and mutant.number else card


@contextmanager
def planted(ruleset: Ruleset, mutant: Mutant, plants: Plants | None = None) -> Iterator[None]:
    """The classes of the ruleset have the leak in this context; `plants` is by default the one for its kind."""
    undo: list[tuple[type, str, Any]] = []

    def plant(cls: type, name: str, value: Any) -> None:
        undo.append((cls, name, cls.__dict__.get(name, undo)))
        setattr(cls, name, value)

    try:
        for cls in phases(ruleset):
            if mutant.kind in ("line", "only") or cls.phase == mutant.where:
                for name, value in (plants or PLANTS[mutant.kind])(cls, mutant).items():
                    plant(cls, name, value)
        yield
    finally:
        for cls, name, value in reversed(undo):
            if value is undo:
                delattr(cls, name)
            else:
                setattr(cls, name, value)


def _widened(cls: type[State], mutant: Mutant) -> Json:
    declared = [
        (attr, each._replace(who=everyone) if attr == mutant.what else each)
        for attr, each in cls.declared
    ]
    return {"declared": tuple(declared)}


def _prompt(cls: type[State], mutant: Mutant) -> Json:
    right = cls.prompt
    return {"prompt": lambda state: {**right(state), "leak": leak(state, mutant)}}


def _facts(cls: type[State], mutant: Mutant) -> Json:
    right = cls.facts

    def facts(state: State) -> Sequence[Json]:
        return [*right(state), {"name": "leak", "value": leak(state, mutant)}]

    return {"facts": facts}


def _order(cls: type[State], mutant: Mutant) -> Json:
    """The fallback still uses the right order, on which it may rely."""
    right, right_fallback, asked = cls.legal, cls.fallback, [False]

    def legal(state: State, seat: int) -> list[Json]:
        listed = right(state, seat)
        letters = "" if asked[-1] else unseen(state, mutant.what) or ""
        at = sum(map(ord, letters)) % len(listed) if listed else 0
        return [*listed[at:], *listed[:at]]

    def fallback(state: State, seat: int) -> Json | None:
        asked.append(True)
        try:
            return right_fallback(state, seat)
        finally:
            asked.pop()

    return {"legal": legal, "fallback": fallback}


def _fallback(cls: type[State], mutant: Mutant) -> Json:
    def fallback(state: State, seat: int) -> Json:
        listed = state.legal(seat)
        return listed[sum(map(ord, unseen(state, mutant.what) or "")) % len(listed)]

    return {"fallback": fallback}


def _line(cls: type[State], mutant: Mutant) -> Json:
    right = cls.tell

    def tell(state: State, line: str, /, **values: object) -> State:
        if line == mutant.where:
            values["leak"] = leak(state, mutant)
        return right(state, line, **values)

    return {"tell": tell}


def _only(cls: type[State], mutant: Mutant) -> Json:
    right = cls.tell

    def tell(state: State, line: str, /, **values: object) -> State:
        value = values.get(mutant.what)
        if line == mutant.where and isinstance(value, Only):
            values[mutant.what] = value.value
        return right(state, line, **values)

    return {"tell": tell}


PLANTS: dict[str, Plants] = {
    "widened": _widened,
    "prompt": _prompt,
    "facts": _facts,
    "order": _order,
    "fallback": _fallback,
    "line": _line,
    "only": _only,
}


def is_found(ruleset: Ruleset, audience: Audience, mutant: Mutant, met: Steps) -> bool:
    """Whether the proof or the table of audiences, which no declaration influences, finds the leak."""
    rng = random.Random(str(mutant))
    with planted(ruleset, mutant):
        return any(
            shows(ruleset, audience, step, viewer, rng)
            for step in met
            if concerns(step, mutant)
            for viewer in viewers(step.before)
        )


def concerns(step: Step, mutant: Mutant) -> bool:
    """Whether a step can show a leak."""
    if mutant.kind in ("line", "only"):
        return any(line["line"] == mutant.where for line in step.after.told)
    return mutant.where in (step.before.phase, step.after.phase)


def shows(
    ruleset: Ruleset, audience: Audience, step: Step, viewer: Viewer, rng: random.Random
) -> bool:
    """Whether a step shows a viewer something that the viewer may not see."""
    before = step.before.change()  # a copy that remembers nothing of the game without the leak
    after = ruleset.act(before, step.event)
    if any(wrong(audience, state, viewer) for state in (before, after)):
        return True
    if wrong_lines(audience, before, after):
        return True
    try:
        check_viewer(ruleset, Step(before, step.event, after), viewer, rng)
    except Difference:
        return True
    return False


def main(slugs: list[str]) -> None:
    for ruleset in RULESETS:
        if slugs and ruleset.slug not in slugs:
            continue
        met = Tour(ruleset, games=MANY).met
        planted_in, lived = Counter[str](), list[Mutant]()
        for mutant in mutants(ruleset, met):
            planted_in[mutant.kind] += 1
            if not is_found(ruleset, audience_of(ruleset), mutant, met):
                lived.append(mutant)
        print(
            f"{called(ruleset)}: {sum(planted_in.values())} planted, {len(lived)} lived",
            dict(planted_in),
        )
        for mutant in lived:
            print(f"    {mutant}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
