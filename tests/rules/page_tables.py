"""A table in the middle of each game, as lists show it: `page.table.json` next to the rules page.

    python -m tests.rules.page_tables [SLUG …]

plays a game of each again and writes the moment at which a seat is asked and most cards are face up. A file has what
`page.turn.json` has, without events, and the seat that looks.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import NamedTuple

import rules
from rules.kernel import Json, Random, Ruleset, State
from rules.players.search import Effort, search
from tests.rules.page_turns import position_of, written

NAME = "page.table.json"
SEAT = 0
"""The seat whose view is shown."""
EFFORT = Effort(40)
PLAYERS = 3
"""The number of players, if the game allows it."""
BEGINNING, END = 0.4, 0.8
"""The middle of a game, as shares of its decisions."""


class _Truth(NamedTuple):
    """The assumptions of players who see everything: the play has to be sensible, not fair."""

    state: State

    def draw(self, _rng: Random) -> State:
        return self.state


def middle_of(ruleset: Ruleset, seed: int = 1) -> State:
    """The moment of a game to be shown."""
    rng = random.Random(f"{ruleset.slug} {seed}")
    players = PLAYERS if PLAYERS in ruleset.players else ruleset.players[0]
    state = ruleset.initial(players, ruleset.looks.lengths(players)[0].options)
    asked: list[State] = []
    while ruleset.result(state) is None:
        turn = ruleset.turn(state)
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            if SEAT in turn.waiting:
                asked.append(state)
            action = search(ruleset, _Truth(state), seat, EFFORT, rng)
            event = {"kind": "action", "seat": seat, "action": action}
        state = ruleset.act(state, event)
    middle = asked[int(len(asked) * BEGINNING) : int(len(asked) * END) + 1]
    kept = [each.silent() for each in middle if _reads_back(ruleset, each.silent())]
    return max(kept, key=lambda each: open_cards(ruleset, each))


def position(ruleset: Ruleset, state: State) -> Json:
    """The state in the form of the file."""
    return position_of(ruleset, state, ruleset.looks.lengths(state.players)[0].options)


def _reads_back(ruleset: Ruleset, state: State) -> bool:
    """Whether the file says everything: it does not have the marks of single cards."""
    try:
        again = ruleset.position(position(ruleset, state))
        return ruleset.view(again, SEAT) == ruleset.view(state, SEAT)
    except AttributeError:
        return False


def open_cards(ruleset: Ruleset, state: State) -> int:
    """The number of cards that the seat sees."""
    zones = ruleset.view(state, SEAT)["zones"]
    return sum(card is not None for zone in zones for card in zone.get("cards") or ())


def file_of(ruleset: Ruleset) -> Path:
    """The path of the file."""
    return Path(rules.folder(ruleset.slug, ruleset.version), NAME)


if __name__ == "__main__":
    for slug in sys.argv[1:] or rules.slugs():
        each = rules.load(slug)
        file_of(each).write_text(written(position(each, middle_of(each))), encoding="utf-8")
