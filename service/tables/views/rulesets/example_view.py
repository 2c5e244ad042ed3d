"""The worked turn of a page of rules on the table, step by step: played by the engine from `page.turn.json`.

All cards lie open, as the page of rules tells of all of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import rules
from rules.kernel import Json, Ruleset, State
from service.core.words.words import Phrases, Reader, phrases
from service.tables.views.game_view import worded_view


class ExampleStep(NamedTuple):
    """A table of the example, and what led to it: who did what, and the lines."""

    game: Json
    """As an answer of the API, as far as drawing the table takes."""
    done: str | None
    lines: list[str]


def steps(slug: str, language: str, version: int | None = None) -> list[ExampleStep]:
    """The tables of the example, from the first one on."""
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    told = json.loads(Path(rules.folder(slug, version), "page.turn.json").read_text("utf-8"))
    names = [words.say(f"example.name.{number}") for number in range(told["players"])]
    reader = Reader(names)
    state = ruleset.position(told)
    found = [_step(ruleset, state, None, words, reader)]
    for event in told["events"]:
        state = ruleset.apply(state, event)
        step = _step(ruleset, state, event, words, reader)
        dealt = event["kind"] == "chance" and len(found) == 1
        found = [step] if dealt else [*found, step]  # the first table is the first with a question
    return found


def _step(
    ruleset: Ruleset, state: State, event: Json | None, words: Phrases, reader: Reader
) -> ExampleStep:
    waiting = ruleset.turn(state).waiting
    seats = [
        {
            "seat": number,
            "name": name,
            "you": False,
            "program": None,
            "waiting": number in waiting,
        }
        for number, name in enumerate(reader.names)
    ]
    public = ruleset.view(state, None)["facts"]  # what a seat alone is told begins with "You"
    view = worded_view({**ruleset.open_view(state), "facts": public}, words, reader)
    lines = [
        words.say_most_specific(f"line.{line['line']}", line, reader)
        for line in ruleset.lines(state, None)
    ]
    return ExampleStep(
        {"view": view, "seats": seats, "seat": None}, _done(event, words, reader), lines
    )


def _done(event: Json | None, words: Phrases, reader: Reader) -> str | None:
    """Who did what; nobody shuffles."""
    if event is None or event["kind"] != "action":
        return None
    action = event["action"]
    did = words.say_most_specific(f"action.{action['type']}", action, reader)
    who = words.called(reader.names[event["seat"]])
    return words.say("example.done", {"who": who, "action": did})
