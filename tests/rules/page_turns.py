"""The worked turn of each rules page, as the page behind its link plays it: `page.turn.json` next to the page.

    python -m tests.rules.page_turns

writes the files again from the examples that the tests play. Each has the number of players and the options, the phase
and those fields of the position that differ from the start of a game, and the events.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import rules
from rules.kernel import Json, Ruleset, State, plain
from tests.rules.page_examples import examples, followed
from tests.rules.playouts import RULESETS

GAMES = Path(rules.__file__).parent / "games"
NAME = "page.turn.json"


def worked_turn(ruleset: Ruleset) -> Json:
    """The first example of a turn, as its test plays it."""
    example = next(each for each in examples(ruleset) if each.kind == "turn")
    game = Path(rules.folder(ruleset.slug)).name
    kinds: Any = importlib.import_module(f"tests.rules.games.{game}.test_page").KINDS
    start, events = followed(lambda: kinds["turn"](example))
    return position_of(ruleset, start, example.get("options", {}), events)


def position_of(
    ruleset: Ruleset, start: State, options: Json | None = None, events: Iterable[Json] = ()
) -> Json:
    """A position with the continuation, in the form of the file, which `Ruleset.position` reads."""
    settled = ruleset.settle(start.players, options or {})
    usual = ruleset.initial(start.players, settled)
    fields = {
        entry.name: plain(getattr(start, entry.name))
        for entry in dataclasses.fields(start)
        if plain(getattr(usual, entry.name, _NONE)) != plain(getattr(start, entry.name))
    }
    found: Json = json.loads(
        json.dumps(
            {
                "players": start.players,
                "options": settled,
                "phase": start.phase,
                "fields": fields,
                "events": list(events),
            }
        )
    )
    return found


_NONE = object()


def written(turn: Json) -> str:
    """The file: an event and a field a line."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    fields = ",\n".join(
        f"    {line(name)}: {line(value)}" for name, value in turn["fields"].items()
    )
    events = ",\n".join(f"    {line(event)}" for event in turn["events"])
    head = "".join(
        f"  {line(name)}: {line(turn[name])},\n" for name in ("players", "options", "phase")
    )
    fields = f"{{\n{fields}\n  }}" if fields else "{}"
    events = f"[\n{events}\n  ]" if events else "[]"
    return f'{{\n{head}  "fields": {fields},\n  "events": {events}\n}}\n'


def file_of(ruleset: Ruleset) -> Path:
    return Path(rules.folder(ruleset.slug, ruleset.version), NAME)


if __name__ == "__main__":
    for each in RULESETS:
        file_of(each).write_text(written(worked_turn(each)), encoding="utf-8")
