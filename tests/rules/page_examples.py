"""The examples on the rules pages: `page.examples.toml` next to the pages has them in the form that the engine plays.

Its tables are kinds of examples, which the `test_page.py` of each game plays or scores. `line` is the text of a row, an
item or a paragraph of a page in every language, cards and numbers alike; it has to contain what the engine finds.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import rules
from rules.kernel import Json, Ruleset, State
from rules.kernel.values import CODE

LANGUAGES = ("en", "ja")


class Example(NamedTuple):
    """One of the examples of a kind."""

    kind: str
    number: int
    given: Json

    def __getattr__(self, name: str) -> Any:  # what the file has
        return self.given[name]

    def get(self, name: str, otherwise: Any = None) -> Any:  # what the file has
        return self.given.get(name, otherwise)

    def __str__(self) -> str:
        return f"{self.kind}-{self.number}"

    def says(self, *found: object) -> None:
        """Check that the line of the page says what the engine has found."""
        missing = [each for each in map(written, found) if each not in self.line]
        assert not missing, f"{self}: the engine finds {missing}, the page says {self.line}"


def written(value: object) -> str:
    """A number as the pages write it, with a real minus sign."""
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)


def folder(ruleset: Ruleset) -> Path:
    return Path(rules.folder(ruleset.slug, ruleset.version))


def page(ruleset: Ruleset, language: str) -> str:
    return (folder(ruleset) / f"page.{language}.md").read_text(encoding="utf-8")


def drawn(text: str) -> list[str]:
    """The cards that a page draws; those in one place are together."""
    return re.findall(r"`([^`]+)`", text)


def examples(ruleset: Ruleset) -> list[Example]:
    text = (folder(ruleset) / "page.examples.toml").read_text(encoding="utf-8")
    return [
        Example(kind, number, given)
        for kind, found in tomllib.loads(text).items()
        for number, given in enumerate(found, 1)
    ]


def codes(given: Any) -> Iterator[str]:
    """All cards in an example, including those in one place."""
    if isinstance(given, str):
        if given and all(CODE.fullmatch(card) for card in given.split()):
            yield given
    elif isinstance(given, dict):
        for value in given.values():
            yield from codes(value)
    elif isinstance(given, list):
        for value in given:
            yield from codes(value)
        if given and all(isinstance(value, str) for value in given):
            yield from codes(" ".join(given))


def rows(ruleset: Ruleset, *first: str) -> list[tuple[str, list[str]]]:
    """The rows that begin with a cell which draws this: the language, and the cells."""
    found = []
    for language in LANGUAGES:
        for line in page(ruleset, language).splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("|") and drawn(cells[0]) == list(first):
                found.append((language, cells))
    return found


def has_line(text: str, wanted: Iterable[str]) -> bool:
    """Whether one line says all of this: cards as they are drawn, and whole numbers."""
    return any(all(says(line, each) for each in wanted) for line in lines(text))


def lines(text: str) -> list[str]:
    """The rows of tables, items of lists and paragraphs of a page, each in one line."""
    pieces = re.split(r"\n\s*\n|\n(?=\||#|- |\d+\. )", text)
    return [" ".join(piece.split()) for piece in pieces]


def says(line: str, wanted: str) -> bool:
    if wanted in drawn(line):
        return True
    text = re.sub(r"`[^`]+`", " ", line)
    if wanted.lstrip("−").isdecimal():
        before = r"(?<![\d])" if wanted.startswith("−") else r"(?<![\d−])(?<!− )"
        return re.search(before + wanted + r"(?!\d)", text) is not None
    return wanted in text


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def one_deck(cards: Iterable[str], deck: Iterable[str]) -> None:
    """Check that nobody holds a card that the deck does not have, and no two players the same one."""
    extra = Counter(cards) - Counter(deck)
    assert not extra, f"impossible: {sorted(extra)}"


class Followed(NamedTuple):
    """The start of an example, and its events."""

    start: State
    events: list[Json]


_followed: list[Followed] = []


def followed(play: Callable[[], None]) -> Followed:
    """The first thing that is followed while an example is played."""
    _followed.clear()
    play()
    return _followed[0]


def follow(ruleset: Ruleset, state: State, steps: Iterable[Json]) -> State:
    """Play an example step by step.

    `may` and `may_not` are actions (or parts of them) that the seat has or has not; `shows` are zones and facts (or
    parts of them) that everybody sees afterwards, or the viewer that is named. `says` are lines of the page about it,
    whose numbers are shown.
    """
    _followed.append(Followed(state, []))
    numbers: set[str] = set()
    for step in steps:
        if "seat" in step:
            legal = ruleset.legal(state, step["seat"])
            for action in step.get("may", []):
                assert any(holds(each, action) for each in legal), action
            for action in step.get("may_not", []):
                assert not any(holds(each, action) for each in legal), action
            if "action" not in step:
                continue
        event = event_of(ruleset, state, step)
        _followed[-1].events.append(event)
        state = ruleset.apply(state, event)
        view = ruleset.view(state, step.get("viewer"))
        for shown in step.get("shows", []):
            seen = view["zones"] + view["facts"]
            assert any(holds(each, shown) for each in seen), (shown, seen)
            numbers |= {written(value) for value in shown.values() if isinstance(value, int)}
        for said in step.get("says", []):
            assert {each for each in said if each.isdecimal()} <= numbers, said
    return state


def led(ruleset: Ruleset, example: Example) -> Any:
    """The position after the shuffles and actions in the `lead` of an example, without their lines."""
    state = ruleset.initial(example.players, example.get("options", {}))
    for step in example.lead:
        state = ruleset.apply(state, event_of(ruleset, state, step))
    return state.silent()


def event_of(ruleset: Ruleset, state: State, step: Json) -> Json:
    """The event of a step: a shuffle with the top cards that the example names, or a legal action."""
    if "outcome" in step:
        chance = ruleset.turn(state).chance
        assert chance
        return {"kind": "chance", "name": chance.name, "outcome": outcome(chance.items, step)}
    wanted = {k: None if v == "null" else v for k, v in step["action"].items()}
    (played,) = (each for each in ruleset.legal(state, step["seat"]) if each == wanted)
    return {"kind": "action", "seat": step["seat"], "action": played}


def outcome(items: Iterable[str], step: Json) -> list[str]:
    """A shuffle with the top cards that the example names."""
    top = step["outcome"].split()
    rest = Counter(items) - Counter(top)
    return top + list(rest.elements())


def holds(whole: Json, part: Json) -> bool:
    return all(name in whole and whole[name] == value for name, value in part.items())
