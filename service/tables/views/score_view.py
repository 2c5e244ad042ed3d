"""The origin of a finished game's scores, by deal and player, and the things that stayed hidden to the end.

It shows what was secret, as the game's record does, so it exists only once the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.kernel import Entry, Json, Part, text
from service.core.runtime.problems import NotOver
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer


class Scored(NamedTuple):
    """An entry, the number of times it occurred in its deal, and the last event that caused it."""

    entry: Entry
    times: int
    event: int


def whole(services: Services, answer: GameAnswer) -> Json:
    """The scores of all deals (Deals in openapi.yaml). Raises NotOver."""
    if not answer.game.is_over:
        raise NotOver
    return {"deals": list(_deals(services, answer)), "hidden": _hidden(answer)}


def _deals(services: Services, answer: GameAnswer) -> Iterator[Json]:
    """The parts of the game in the order in which they began to count, with running totals."""
    totals = [0] * answer.game.players
    for part, entries in _by_part(_scored(services, answer)).items():
        scores = [0] * answer.game.players
        for each in entries:
            scores[each.entry.of] += each.entry.value
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        yield {
            "name": part.name,
            "number": part.number,
            "words": answer.words.say(f"part.{part.name}", {"number": part.number}),
            "scores": scores,
            "totals": totals,
            "entries": [_worded(answer, each) for each in entries],
        }


def _scored(services: Services, answer: GameAnswer) -> Iterator[Scored]:
    ruleset, game = answer.table.ruleset, answer.game
    for passed in services.states.course(game):
        if passed.after is not passed.before:
            for entry in ruleset.looks.scored(passed.before, {**passed.event}, passed.after):
                yield Scored(entry, 1, passed.number)


def _by_part(found: Iterable[Scored]) -> dict[Part, list[Scored]]:
    """The entries of each part. Entries that differ only in their value are added together."""
    parts: dict[Part, dict[str, Scored]] = {}
    for each in found:
        entry = each.entry
        alike = text([entry.of, entry.name, entry.fields])
        same = parts.setdefault(entry.part, {})
        earlier = same.get(alike)
        if earlier is None:
            same[alike] = each
        else:
            both = entry._replace(value=earlier.entry.value + entry.value)
            same[alike] = Scored(both, earlier.times + 1, each.event)
    return {part: list(entries.values()) for part, entries in parts.items()}


def _worded(answer: GameAnswer, each: Scored) -> Json:
    entry = each.entry
    fields = {"times": each.times, **entry.fields}
    words = answer.words.say_most_specific(f"entry.{entry.name}", fields, answer.reader)
    return {
        **entry.fields,
        "entry": entry.name,
        "seat": entry.of,
        "value": entry.value,
        "event": each.event,
        "words": words,
    }


def _hidden(answer: GameAnswer) -> list[Json]:
    """The zones at the end of the game that have cards which the viewer had not seen even then."""
    if answer.state is None:
        return []
    ruleset = answer.table.ruleset
    lay, seen = ruleset.open_view(answer.state), ruleset.view(answer.state, answer.seat)
    return unseen(answer.worded_view(lay, answer.reader), seen)


def unseen(lay: Json, seen: Json) -> list[Json]:
    """The zones of `lay`, a view with all cards face up, that contain cards which a viewer who saw `seen` had
    not seen.
    """
    cards = {_place(zone): zone.get("cards") for zone in seen["zones"]}
    return [
        zone
        for zone in lay["zones"]
        if zone.get("cards") and zone["cards"] != cards.get(_place(zone))
    ]


def _place(zone: Json) -> tuple[str, int | None, int | None]:
    return zone["name"], zone.get("seat"), zone.get("index")
