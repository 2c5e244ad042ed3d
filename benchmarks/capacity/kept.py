"""Stored results of simulations and trials, so that the page can be written again without repeating them."""

from __future__ import annotations

from pathlib import Path

import orjson

from benchmarks.capacity.sites import Hour, Site, Slice
from benchmarks.capacity.trial import Seen, Trial

SIMULATED, TRIED = (Path(__file__).with_name(name) for name in ("simulated.json", "tried.json"))
Days = list[tuple[Site, list[Hour]]]
"""Sites, each with the results of its hours."""


def keep_days(days: Days, file: Path = SIMULATED) -> None:
    """Store the results, with four digits of each time."""
    told = [
        {"site": _told(site), "hours": [hour._asdict() for hour in hours]} for site, hours in days
    ]
    file.write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")


def _told(site: Site) -> dict[str, object]:
    return {**site._asdict(), "slice": site.slice._asdict(), "zones": [*site.zones.items()]}


def days(file: Path = SIMULATED) -> Days:
    """The stored results of sites."""
    found = Days()
    for each in orjson.loads(file.read_bytes()):
        site = {**each["site"], "slice": Slice(**each["site"]["slice"])}
        site["zones"] = dict(map(tuple, each["site"]["zones"]))
        hours = [
            Hour(**{**hour, "times": {name: tuple(some) for name, some in hour["times"].items()}})
            for hour in each["hours"]
        ]
        found.append((Site(**site), hours))
    return found


def keep_trials(trials: list[Trial], about: str, file: Path = TRIED) -> None:
    """Store trials with their time and circumstances."""
    told = [
        {**each._asdict(), "predicted": each.predicted._asdict(), "seen": each.seen._asdict()}
        for each in trials
    ]
    kept = {"about": about, "trials": told}
    file.write_bytes(orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n")


def trials(file: Path = TRIED) -> tuple[list[Trial], str]:
    """The stored trials, and the text that says when and how they were made."""
    told = orjson.loads(file.read_bytes())
    found = [
        Trial(each["load"], _seen(each["predicted"]), _seen(each["seen"]), each["beside"])
        for each in told["trials"]
    ]
    return found, told["about"]


def _seen(told: dict[str, object]) -> Seen:
    times = told["times"]
    assert isinstance(times, dict)
    return Seen(**{**told, "times": {name: tuple(some) for name, some in times.items()}})  # type: ignore[arg-type]
