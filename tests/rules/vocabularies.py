"""Errors in the vocabulary of a ruleset, compared with the actual views and lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import jsonschema

from rules.kernel import Json, JsonValue, Only, Ruleset, State, Viewer, plain, text
from rules.kernel import vocabulary as say
from tests.rules.playouts import Step, viewers

Said = set[tuple[str, str]]
"""A zone, fact, prompt, line or mark that occurred, with its name."""
Shown = Mapping[Viewer, Json]
"""The views of a state, by viewer."""
OF_ZONES = {"name", "seat", "kind", "count", "cards"}
"""The members that every zone has or can have; the API's responses repeat its seat as `of`."""


class Vocabulary:
    """The vocabulary of a ruleset, ready for comparison."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        vocabulary = ruleset.looks.vocabulary
        self.zones, self.facts = say.zones(vocabulary), say.facts(vocabulary, ruleset.actions)
        self.prompts, self.lines = say.prompts(vocabulary), say.lines(vocabulary)
        self.met: Said = set()
        self._fitting: dict[tuple[str, str, str], bool] = {}

    def declared(self) -> Said:
        """Everything that it declares."""
        marks = {("mark", mark) for zone in self.zones.values() for mark in zone.marks}
        return marks | {
            *(("zone", name) for name in self.zones),
            *(("fact", name) for name in self.facts),
            *(("prompt", name) for name in self.prompts),
            *(("line", name) for name in self.lines),
        }

    def wrong(self, steps: Iterable[Step]) -> Iterator[str]:
        """Everything said in these steps that differs from the vocabulary."""
        for shown in self.shown(steps):
            yield from self.wrong_in(shown)
        yield from self.wrong_lines(steps)

    def shown(self, steps: Iterable[Step]) -> Iterator[Shown]:
        """Everything that is shown in these steps; the state before a step matters if it is the first of a game."""
        for step in steps:
            first = step.event["kind"] == "chance"
            for state in (step.before, step.after) if first else (step.after,):
                yield {viewer: self.ruleset.view(state, viewer) for viewer in viewers(state)}

    def wrong_in(self, shown: Shown) -> list[str]:
        """The errors in the views of a state."""
        found = [each for viewer, view in shown.items() for each in self._of_view(view, viewer)]
        return [*found, *self._kept_back(shown)]

    def _kept_back(self, shown: Shown) -> Iterator[str]:
        """Facts that everybody should be shown but somebody is not."""
        phase = shown[None]["phase"]
        by_viewer = [{text(fact) for fact in view["facts"]} for view in shown.values()]
        for fact in set.union(*by_viewer) - set.intersection(*by_viewer):
            name = json.loads(fact)["name"]
            if name in self.facts and _by(self.facts[name], phase) == say.EVERYBODY:
                yield f"fact {name} is not shown to everybody in {phase}"

    def wrong_lines(self, steps: Iterable[Step]) -> Iterator[str]:
        """The errors in the lines of these steps."""
        for step in steps:
            yield from self._of_lines(step.after)

    def _of_view(self, view: Json, viewer: Viewer) -> Iterator[str]:
        phase = view["phase"]
        self.met.add(("prompt", phase))
        yield from self._members(f"prompt {phase}", self.prompts.get(phase), view["prompt"])
        for zone in view["zones"]:
            yield from self._of_zone(phase, viewer, zone)
        for fact in view["facts"]:
            name = fact["name"]
            self.met.add(("fact", name))
            entry = self.facts.get(name)
            told = {key: value for key, value in fact.items() if key != "name"}
            yield from self._members(f"fact {name}", entry and entry.members, told)
            if entry and not _fits_audience(_by(entry, phase), viewer, fact.get("of"), seen=True):
                yield f"fact {name} is shown to {viewer} in {phase}"

    def _of_zone(self, phase: str, viewer: Viewer, zone: Json) -> Iterator[str]:
        name = zone["name"]
        self.met.add(("zone", name))
        entry = self.zones.get(name)
        told = {key: value for key, value in zone.items() if key not in OF_ZONES}
        told |= {"of": zone["seat"]} if "seat" in zone else {}
        yield from self._members(f"zone {name}", entry and entry.members, told)
        if entry is None:
            return
        if zone["kind"] not in entry.kinds:
            yield f"zone {name} is a {zone['kind']}"
        cards = zone.get("cards", [])
        marks = {mark for card in cards if isinstance(card, dict) for mark in card["is"]}
        self.met |= {("mark", mark) for mark in marks}
        if not marks <= set(entry.marks):
            yield f"zone {name} has marks {marks}"
        bare = [card for card in cards if not isinstance(card, dict)]
        seen = "cards" in zone and None not in bare
        by = _by(entry, phase)
        if by is None or (zone["count"] and not _fits_audience(by, viewer, zone.get("seat"), seen)):
            yield f"zone {name} is shown to {viewer} in {phase}: {seen}"

    def _of_lines(self, state: State) -> Iterator[str]:
        for line in state.told:
            name = str(line["line"])
            self.met.add(("line", name))
            members = self.lines.get(name)
            values = {key: value for key, value in line.items() if key != "line"}
            told = {key: plain(_open(value)) for key, value in values.items()}
            yield from self._members(f"line {name}", members, told)
            for each in members or ():
                value = values.get(each.name)
                secret = isinstance(value, Only) and value.seats == (line.get("seat"),)
                if (
                    each.name in values
                    and each.seen != say.RULE
                    and secret != (each.seen == say.OWNER)
                ):
                    yield f"line {name}: who knows {each.name}"

    def _members(self, what: str, members: say.Members | None, told: Json) -> Iterator[str]:
        if members is None:
            yield f"{what} is not declared"
            return
        known = {each.name: each for each in members}
        required = {each.name for each in members if not each.optional}
        if not required <= told.keys() <= known.keys():
            yield f"{what} has {sorted(told)}"
        for name, value in told.items():
            if name in known and not self._fits(what, known[name], value):
                yield f"{what}: {name} is {text(value)}"

    def _fits(self, what: str, member: say.Member, value: JsonValue) -> bool:
        about = what, member.name, text(value)
        if about not in self._fitting:
            schema = say.member_schema(member, self.ruleset.players)
            validator = jsonschema.Draft202012Validator(schema)
            self._fitting[about] = validator.is_valid(json.loads(about[2]))
        return self._fitting[about]


def _open(value: object) -> object:
    return value.value if isinstance(value, Only) else value


def _by(entry: say.Entry, phase: str) -> str | None:
    """Who sees it in a phase; None if it is not there."""
    return next((seen.by for seen in entry.seen if phase in seen.phases), None)


def _fits_audience(by: str | None, viewer: Viewer, seat: int | None, seen: bool) -> bool:
    """Whether it is possible that a viewer sees it, or does not."""
    if by is None or by == say.RULE:
        return by is not None
    own = viewer is not None and viewer == seat
    return seen == (by == say.EVERYBODY or (own and by != say.NOBODY))
