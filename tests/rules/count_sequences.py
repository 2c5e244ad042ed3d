"""How many different sequences of one to four events are possible from stated positions of every ruleset (perft).

    python -m tests.rules.count_sequences [SLUG …]

states, for every phase, the first position of a stored game whose counts are small enough, and stores its counts with
the tests of the game. A change of `legal`, or of what follows an action, changes some count. A chance counts as one
event: its outcome is the order in which `turn` names the items.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import rules
from rules.kernel import Json, Ruleset, State
from tests.rules.playouts import RULESETS, called
from tests.rules.store_games import compact, folder, paths_of, read

DEPTH = 4
FEW = 1500
"""The most sequences that are counted from a position."""


class TooMany(Exception):
    """There are more sequences than are counted."""


def events(ruleset: Ruleset, state: State) -> Iterator[Json]:
    """Every event that is possible."""
    turn = ruleset.turn(state)
    if turn.chance:
        yield {"kind": "chance", "name": turn.chance.name, "outcome": list(turn.chance.items)}
    for seat in turn.waiting + turn.optional:
        for action in ruleset.legal(state, seat):
            yield {"kind": "action", "seat": seat, "action": action}
    if turn.clock:
        yield {"kind": "clock", "name": turn.clock}


def counts(
    ruleset: Ruleset, state: State, depth: int = DEPTH, most: int | None = None
) -> list[int]:
    """The number of sequences of one event, two events, … Raises TooMany for more than `most`."""
    states, found = [state], list[int]()
    for last in range(depth, 0, -1):
        found.append(0)
        after = []
        for each in states:
            for event in events(ruleset, each):
                found[-1] += 1
                if most is not None and found[-1] > most:
                    raise TooMany
                if last > 1:
                    after.append(ruleset.act(each, event))
        states = after
    return found


def position(log: Json, after: int) -> State:
    """The state of a stored game after this number of events."""
    ruleset = rules.load(log["ruleset"], log["version"])
    state = ruleset.initial(log["players"], log["options"])
    for event in log["events"][:after]:
        state = ruleset.act(state, event)
    return state


def stated(ruleset: Ruleset) -> Path:
    """The file with the positions of a ruleset, and their counts."""
    return folder(ruleset).parent / f"sequences-{ruleset.version}.json"


def found(ruleset: Ruleset) -> dict[str, Json]:
    """For every phase, the first position from which four events, or as many as possible, can be counted."""
    best: dict[str, Json] = {}
    for path in paths_of(ruleset):
        log = read(path)
        if log["version"] != ruleset.version:
            continue
        state = ruleset.initial(log["players"], log["options"])
        for number, event in enumerate([*log["events"], None]):
            known = best.get(state.phase, {"counts": []})
            for depth in range(DEPTH, len(known["counts"]), -1):
                try:
                    numbers = counts(ruleset, state, depth, FEW)
                except TooMany:
                    continue
                best[state.phase] = {"game": path.stem, "after": number, "counts": numbers}
                break
            state = state if event is None else ruleset.act(state, event)
    return best


def main(slugs: list[str]) -> None:
    for ruleset in RULESETS:
        if slugs and ruleset.slug not in slugs:
            continue
        entries = [
            f"{json.dumps(phase)}: {compact(entry)}" for phase, entry in found(ruleset).items()
        ]
        text = "{\n" + ",\n".join(entries) + "\n}\n"
        stated(ruleset).write_text(text, encoding="utf-8")
        print(called(ruleset), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
