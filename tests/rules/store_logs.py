"""Store finished games: one for every way to end, every number of players and every value of an option.

    python -m tests.rules.store_logs

makes those that are missing in tests/rules/logs/ and touches none that is there: a stored game is a promise that
games of its version go on as they began. What is stored is what the rules see of a log, and the result.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from rules.kernel import Json, Ruleset
from tests.rules.playouts import RULESETS, playout, tables

LOGS = Path(__file__).parent / "logs"
TRIES = 5000


def demanded(ruleset: Ruleset) -> dict[str, Json]:
    """What a stored game of each name has to be: part of its text."""
    wanted: dict[str, Json] = {reason: {"reason": reason} for reason in ruleset.reasons}
    for players in ruleset.players:
        if len(ruleset.players) > 1:
            wanted[f"players-{players}"] = {"players": players}
        for name, option in ruleset.options(players).items():
            for value in option.values:
                wanted[f"{name}-{value}"] = {"players": players, name: value}
    return wanted


def fits(log: Json, demand: Json) -> bool:
    """Whether a stored game is what is demanded."""
    has = {"players": log["players"], "reason": log["result"]["reason"], **log["options"]}
    return all(has[name] == value for name, value in demand.items())


def finished(ruleset: Ruleset, demand: Json) -> Json:
    """A finished game that is what is demanded. Raises LookupError if none is found."""
    for seed in range(TRIES):
        players, options = tables(ruleset)[seed % len(tables(ruleset))]
        game = list(playout(ruleset, players, options, random.Random(seed).randrange))
        result = ruleset.result(game[-1].after)
        log = {
            "ruleset": ruleset.slug,
            "version": ruleset.version,
            "players": players,
            "options": options,
            "result": result and result._asdict(),
            "events": [step.event for step in game],
        }
        if fits(log, demand):
            return log
    raise LookupError(f"no game of {ruleset.slug} with {demand} in {TRIES}")


def written(log: Json) -> str:
    """The text of a log: one line for each event."""
    head = {name: value for name, value in log.items() if name != "events"}
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    events = ",\n".join(f"    {json.dumps(event)}" for event in log["events"])
    return "\n".join(["{", *lines, '  "events": [', events, "  ]", "}", ""])


def main() -> None:
    for ruleset in RULESETS:
        folder = LOGS / ruleset.slug
        folder.mkdir(parents=True, exist_ok=True)
        for name, demand in demanded(ruleset).items():
            path = folder / f"{name}.json"
            if not path.exists():
                path.write_text(written(finished(ruleset, demand)), encoding="utf-8")
                print(f"stored {ruleset.slug}/{name}")


if __name__ == "__main__":
    main()
