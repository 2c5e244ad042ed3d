"""Store finished games: for every way to end, every phase and rare state, number of players and value of an option.

    python -m tests.rules.store_games

plays the missing ones, stores each in the folder `stored` with the tests of its game, and touches no existing one: a
stored game is a promise that games of its version continue as they began. The stored part is what the rules see of a
log, and the result.
"""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path

import rules
from rules.kernel import Json, Ruleset
from tests.rules.pairwise_tables import Table, combined_values, drawn
from tests.rules.playouts import NO_HABITS, RULESETS, Habits, phases, playout
from tests.rules.rare_states import come_by, rare_states

GAMES = Path(__file__).parent / "games"
TRIES = 20_000
ENOUGH = 5
"""The number of suitable games that are played; the shortest is stored."""


def demanded(ruleset: Ruleset) -> dict[str, Json]:
    """The requirements on a stored game, by its name."""
    wanted: dict[str, Json] = {reason: {"reason": reason} for reason in ruleset.reasons}
    for players in ruleset.players:
        if len(ruleset.players) > 1:
            wanted[f"players-{players}"] = {"players": players}
        for name, option in ruleset.options(players).items():
            for value in combined_values(option):
                wanted.setdefault(f"{name}-{value}", {name: value})
    wanted |= {f"phase-{each.phase}": {"phase": each.phase} for each in phases(ruleset)}
    return wanted | {
        name: {**rare.table, "rare": name} for name, rare in rare_states(ruleset).items()
    }


def fits(log: Json, demand: Json) -> bool:
    """Whether a stored game meets the requirement."""
    options = rules.load(log["ruleset"], log["version"]).filled(log["players"], log["options"])
    has = {"players": log["players"], "reason": log["result"]["reason"], **options}
    asked = {name: value for name, value in demand.items() if name not in VISITED}
    if not all(name in has and has[name] == value for name, value in asked.items()):
        return False
    return all((name, demand[name]) in visited(written(log)) for name in VISITED & demand.keys())


VISITED = {"phase", "rare"}
"""The requirements on the states of a game, not on its table or its end."""


@functools.cache
def visited(text: str) -> set[tuple[str, str]]:
    """The phases of a stored game, and its rare states."""
    log = json.loads(text)
    ruleset = rules.load(log["ruleset"], log["version"])
    state = ruleset.initial(log["players"], log["options"])
    found = {("phase", state.phase)}
    for event in log["events"]:
        state = ruleset.act(state, event)
        found |= {("phase", state.phase), *(("rare", name) for name in come_by(ruleset, state))}
    return found


def finished(ruleset: Ruleset, demand: Json) -> Json:
    """The shortest of some games that meet the requirement. Raises LookupError if none is found."""
    rng, found = random.Random(str(demand)), list[Json]()
    rare = rare_states(ruleset).get(demand.get("rare", ""))
    habits = rare.habits if rare else NO_HABITS
    for _ in range(TRIES):
        table = at(ruleset, demand, rng)
        log = table and game(ruleset, table, rng, habits)
        if log and fits(log, demand):
            found.append(log)
        if len(found) == ENOUGH:
            break
    if not found:
        raise LookupError(f"no game of {ruleset.slug} with {demand} in {TRIES}")
    return min(found, key=lambda log: len(log["events"]))


def at(ruleset: Ruleset, demand: Json, rng: random.Random) -> Table | None:
    """A table that meets the requirement, if there is one."""
    players = demand.get("players") or rng.choice(ruleset.players)
    known = ruleset.options(players)
    others = {"players", "reason", *VISITED}
    fixed = {name: value for name, value in demand.items() if name not in others}
    possible = all(name in known and fixed[name] in known[name].values for name in fixed)
    return drawn(ruleset, players, fixed, rng) if possible else None


def game(ruleset: Ruleset, table: Table, rng: random.Random, habits: Habits = NO_HABITS) -> Json:
    """A finished game at this table, in stored form."""
    players, options = table
    steps = list(playout(ruleset, players, options, rng.randrange, habits))
    result = ruleset.result(steps[-1].after)
    return {
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": players,
        "options": options,
        "result": result and result._asdict(),
        "events": [step.event for step in steps],
    }


def written(log: Json) -> str:
    """The text of a log: one line for each event."""
    head = {name: value for name, value in log.items() if name != "events"}
    lines = [f"{json.dumps(name)}:{compact(value)}," for name, value in head.items()]
    events = ",\n".join(compact(event) for event in log["events"])
    return "\n".join(["{", *lines, '"events":[', events, "]", "}", ""])


def compact(value: Json) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def folder(ruleset: Ruleset) -> Path:
    """The folder of a ruleset's stored games."""
    return GAMES / Path(rules.folder(ruleset.slug)).name / "stored"


def new_path(ruleset: Ruleset, name: str) -> Path:
    """The file of a game that is to be stored; no version takes the name of another's."""
    version = "" if ruleset.version == 1 else f"-v{ruleset.version}"
    return folder(ruleset) / f"{name}{version}.json"


def paths_of(ruleset: Ruleset) -> list[Path]:
    """The files of the stored games of all versions."""
    return sorted(folder(ruleset).glob("*.json"))


def read(path: Path) -> Json:
    """A stored game."""
    log: Json = json.loads(path.read_text(encoding="utf-8"))
    return log


def stored(ruleset: Ruleset) -> list[Json]:
    """The stored games of this version."""
    logs = map(read, paths_of(ruleset))
    return [log for log in logs if log["version"] == ruleset.version]


def main() -> None:
    for ruleset in RULESETS:
        folder(ruleset).mkdir(parents=True, exist_ok=True)
        for name, demand in demanded(ruleset).items():
            if not any(fits(log, demand) for log in stored(ruleset)):
                path = new_path(ruleset, name)
                path.write_text(written(finished(ruleset, demand)), encoding="utf-8")
                print(f"stored {ruleset.slug}/{path.stem}", flush=True)


if __name__ == "__main__":
    main()
