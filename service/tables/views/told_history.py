"""The history in readable form: by deal, round and trick, without lines that a heading or a later line says better.

Plain pages and emails show it in this form; the page makes the same from the API's responses (docs/api/history.yaml).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from rules.kernel import Heading, Json, Part, Ruleset
from service.core.words.pieces import worded
from service.core.words.words import Phrases, Reader
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer

CHOSEN = "chosen"
"""The line that says that a seat has made a sealed choice. Once the choice is open, other lines say more."""
RECENT = 64
"""How many events are searched back for a choice that is still sealed."""

Choices = set[tuple[int, int]]
"""Seats, each with the number of the event of its choice."""


class Entry(NamedTuple):
    """An event, or the part of it that happened in one part of the game."""

    at: str
    lines: list[str]


class Section(NamedTuple):
    """The events of a part of the game, under the headings of the parts that begin with it, the largest first."""

    headings: list[Json]
    entries: list[Entry]

    def heading(self, words: Phrases) -> str:
        """The headings of the section joined into one: "Deal 2: Trick 1"."""
        return words.say("page.colon").join(each["words"] for each in self.headings)

    def by_time(self, written: Callable[[str], str]) -> list[tuple[str, list[str]]]:
        """The lines of the section by time, with the times in words."""
        times = groupby(self.entries, key=lambda entry: written(entry.at))
        return [(time, [line for entry in found for line in entry.lines]) for time, found in times]

    @property
    def lines(self) -> list[str]:
        """The lines of the section, in order."""
        return [line for entry in self.entries for line in entry.lines]


def sections(
    events: Iterable[Json], parts: list[Json], sealed: Choices, *, news: bool = False
) -> list[Section]:
    """The sections of some events, the first of which happened in these parts. With `news`, they contain only news."""
    found = [Section(parts, [])]
    for event in events:
        for headings, lines in _pieces_of(event):
            if headings:
                found.append(Section(_above(found[-1], headings), []))
            told = [line["words"] for line in lines if is_told(line, event, sealed)]
            if told and (event["news"] or not news):
                found[-1].entries.append(Entry(event["at"], told))
    return [section for section in found if section.entries]


def latest(told: list[Section], most: int) -> list[Section]:
    """The last sections, with the last lines, at most this number of them."""
    found = list[Section]()
    for section in reversed(told):
        entries = list[Entry]()
        for entry in reversed(section.entries):
            lines = entry.lines[max(0, len(entry.lines) - most) :] if most else []
            most -= len(lines)
            entries += [Entry(entry.at, lines)] if lines else []
        found += [Section(section.headings, entries[::-1])] if entries else []
    return found[::-1]


def _pieces_of(event: Json) -> Iterator[tuple[list[Json], list[Json]]]:
    """The lines of an event under each of its headings; lines before the first heading come without one."""
    headings, lines = event.get("headings", []), event["lines"]
    places = sorted({each["above"] for each in headings})
    yield [], lines[: places[0]] if places else lines
    for place, end in pairwise([*places, len(lines)]):
        yield [each for each in headings if each["above"] == place], lines[place:end]


def _above(before: Section, headings: list[Json]) -> list[Json]:
    """The headings of a section, with the headings of larger parts in which nothing has happened yet."""
    if before.entries:
        return headings
    return [*(each for each in before.headings if each["depth"] < headings[0]["depth"]), *headings]


def last_told(events: Sequence[Json], sealed: Choices) -> Json | None:
    """The last line that a history shows of some events; None if it shows none."""
    backwards = ((line, event) for event in reversed(events) for line in reversed(event["lines"]))
    return next((line for line, event in backwards if is_told(line, event, sealed)), None)


def is_told(line: Json, event: Json, sealed: Choices) -> bool:
    """Whether a history shows a line while these choices are still sealed."""
    if line["line"] == CHOSEN:
        return (line["seat"], event["number"]) in sealed
    return not line.get("repeats")


def sealed_choices(services: Services, answer: GameAnswer) -> Choices:
    """The choices that are sealed at present."""
    if answer.state is None or answer.game.is_over:
        return set()
    committed = answer.table.ruleset.view(answer.state, None)["committed"]
    if not committed:
        return set()
    last = dict[int, int]()
    for passed in services.states.course(answer.game, max(0, answer.game.number - RECENT)):
        if passed.after is not passed.before:
            last |= {
                line["seat"]: passed.number for line in passed.after.told if line["line"] == CHOSEN
            }
    return {(seat, last[seat]) for seat in committed if seat in last}


def part(each: Part, depth: int, words: Phrases, reader: Reader) -> Json:
    """A part of the game (GamePart in openapi.yaml)."""
    told = worded(words, f"part.{each.name}", each.fields, reader)
    return {"name": each.name, "number": each.number, "depth": depth, **told}


def headings(begun: Iterable[Heading], before: int, words: Phrases, reader: Reader) -> list[Json]:
    """The headings (Heading in openapi.yaml) of the parts that begin in an event, each `before` one of its lines."""
    return [
        {"above": before + each.at, **part(each.part, each.depth, words, reader)} for each in begun
    ]


def note_repeats(ruleset: Ruleset, begun: Iterable[Heading], lines: Sequence[Json]) -> None:
    """Mark the lines of an event that only repeat the heading right above them."""
    for each in begun:
        for line in lines[each.at : each.at + 1]:
            name = line["line"]
            if name in ruleset.looks.repeats and ruleset.looks.begins[name] == each.part.name:
                line["repeats"] = True


def note_outcomes(ruleset: Ruleset, lines: Sequence[Json]) -> None:
    """Mark the lines of an event that state the result of its moment.

    The result of a round also says how the next round begins.
    """
    named = {line for line, kind in ruleset.looks.moments.items() if kind != "round"}
    for line in lines:
        if line["line"] in {*named, *ruleset.looks.outcomes}:
            line["outcome"] = True
