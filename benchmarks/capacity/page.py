"""Writing the tables and plots of docs/capacity.md; the text around them is written by hand and stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.capacity.costs import Cost, Costs
from benchmarks.capacity.kept import Days
from benchmarks.capacity.plots import Axis, Panel, drawn
from benchmarks.capacity.sites import BUSY, Hour, Site, slots
from benchmarks.capacity.small import parts_of_a_small_machine
from benchmarks.capacity.trial import Trial
from benchmarks.capacity.usage import TOWN, WORLD, Usage, busiest
from benchmarks.databases import KINDS, SHOWN

PAGE, PICTURES = Path("docs/capacity.md"), Path("docs/pictures")
SHOWN_JOBS = ("move", "idle poll", "look at a table", "turn mail", "house: normal")
QUANTILES = ("p50", "p95", "p99")


def tables(costs: Costs, days: Days, trials: Sequence[Trial], usage: Usage) -> dict[str, str]:
    """The tables, by the names of their places on the page."""
    return {
        "costs": table(("work", *(SHOWN[kind] for kind in KINDS)), _costs(costs)),
        "usage": table(("action of a player", "times a day"), _usage(usage)),
        "small": table(
            (
                "part",
                "need of a player in a day",
                "the machine has",
                "players all over the world",
                "players in one time zone",
            ),
            (
                (name, taken, has, rounded(of / busiest(WORLD)), rounded(of / busiest(TOWN)))
                for name, taken, has, of in parts_of_a_small_machine(costs, usage)
            ),
        ),
        "sites": table(
            ("site", *(site.name for site, _ in days)), _sites([site for site, _ in days])
        ),
        "busy": table(("busiest hour of", *(site.name for site, _ in days)), _busy(days)),
        "waits": table(("p50 / p95 / p99, ms", *(site.name for site, _ in days)), _waits(days)),
        "trial": table(
            (
                "load",
                "times",
                "requests a second",
                "web process busy",
                "move",
                "idle poll",
                "look at a table",
            ),
            _trials(trials),
        ),
    }


def rewritten(page: str, found: dict[str, str]) -> str:
    """The page with these tables in their places."""
    for name, rows in found.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.S)
        page, number = place.subn(lambda match, rows=rows: f"{match[1]}{rows}{match[2]}", page)  # type: ignore[misc]
        assert number == 1, name
    return page


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The text of a table in Markdown."""
    every = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in every)


def rounded(number: float) -> str:
    """The number as text, rounded to two digits, because no more is known."""
    if number <= 0:
        return "0"
    places = len(str(int(number))) - 2
    return f"{round(number, -places):,.0f}" if places > 0 else f"{number:.2g}"


def _costs(costs: Costs) -> Iterator[tuple[str, ...]]:
    names = dict.fromkeys(each.name for each in costs.all)
    for name in names:
        found = {each.database: each for each in costs.all if each.name == name}
        unit = next(iter(found.values())).unit
        cells = [_measured(found.get(kind) or found.get(None)) for kind in KINDS]
        yield (f"{_worded(name)}{f', {unit}' if unit else ''}", *cells)


def _worded(name: str) -> str:
    """The name of a kind of work in words, for readers of the page."""
    return name.replace("mail", "email")


def _measured(cost: Cost | None) -> str:
    if cost is None:
        return "–"
    value, low, high = (f"{each:,.0f}" if each >= 1000 else f"{each:.3g}" for each in cost[3:6])
    return value if low == high else f"{value} ({low} to {high})"


def _usage(usage: Usage) -> Iterator[tuple[str, ...]]:
    for name, number in usage.work.items():
        yield _worded(name), f"{number:g}"
    yield "games begun", f"{usage.games:g}"


def _sites(sites: Sequence[Site]) -> Iterator[tuple[str, ...]]:
    yield ("players", *(f"{site.players:,.0f}" for site in sites))
    yield (
        "database",
        *(
            "SQLite, on the same machine"
            if site.slice.database == "sqlite"
            else f"PostgreSQL, {site.slices} × {site.slice.database_cores} cores"
            for site in sites
        ),
    )
    yield (
        "web machines of two cores",
        *(f"{site.slices * site.slice.web_machines}" for site in sites),
    )
    yield ("workers", *(f"{site.slices * site.slice.workers}" for site in sites))
    yield ("thinkers", *(f"{site.slices * site.slice.thinkers:,}" for site in sites))


def _busy(days: Days) -> Iterator[tuple[str, ...]]:
    found = [{name: busy for name, busy, _ in slots(hours)} for _, hours in days]
    for name in dict.fromkeys(name for each in found for name in each):
        yield (name, *(f"{100 * each[name]:.0f} %" if name in each else "–" for each in found))


def _waits(days: Days) -> Iterator[tuple[str, ...]]:
    for job in SHOWN_JOBS:
        yield (_worded(job), *(_times(_worst(hours, job)) for _, hours in days))


def _worst(hours: Sequence[Hour], job: str) -> tuple[float, float, float]:
    """The times in the hour in which the slowest hundredth takes longest."""
    found = [hour.times[job] for hour in hours if job in hour.times]
    return max(found, key=lambda times: times[2])


def _times(times: Iterable[float], unit: float = 1000) -> str:
    return " / ".join(rounded(unit * each) for each in times)


def _trials(trials: Sequence[Trial]) -> Iterator[tuple[str, ...]]:
    for trial in trials:
        beside = f"measured, while other programs used {trial.beside:.1f} cores"
        for what, of in (("predicted", trial.predicted), (beside, trial.seen)):
            yield (
                f"{100 * trial.load:.0f} %",
                what,
                f"{of.answered:,.0f} of {of.asked:,.0f}",
                f"{100 * of.busy:.0f} %",
                *(_times(of.times[job], 1) for job in SHOWN_JOBS[:3]),
            )


def pictures(days: Days, trials: Sequence[Trial]) -> dict[str, str]:
    """The plots, by the names of their files."""
    return {
        "capacity-busy.svg": drawn(
            "How busy each part is in the hours of a day",
            "No part of a planned site is ever busier than planned; the tables below say when each is busiest.",
            [_busy_panel(site, hours) for site, hours in days],
        ),
        "capacity-waits.svg": drawn(
            "How long a move takes in the hours of a day",
            "Half of all moves, 95 and 99 in a hundred, from when the request comes to when it is committed.",
            [_waits_panel(site, hours) for site, hours in days],
        ),
        "capacity-trial.svg": drawn(
            "What was predicted and what was seen",
            "Times of moves and of idle polls under three loads, predicted and seen; the table has the numbers.",
            [_trial_panel(trials, "move"), _trial_panel(trials, "idle poll")],
        ),
    }


_DAY = Axis(0, 22, {0: "0", 6: "6", 12: "12", 18: "18 UTC"})


def _busy_panel(site: Site, hours: Sequence[Hour]) -> Panel:
    up = Axis(0, 100, {0: "0", 100 * BUSY: f"{100 * BUSY:.0f} %", 100: "100 %"})
    lines = {
        name.removeprefix("database "): [(hour.hour, 100 * hour.busy[name]) for hour in hours]
        for name in hours[0].busy
        if name != "web processes"
    }
    return Panel(site.name, _DAY, up, lines)


def _waits_panel(site: Site, hours: Sequence[Hour]) -> Panel:
    up = Axis(1, 1000, {1: "1 ms", 10: "10", 100: "100", 1000: "1 s"}, log=True)
    lines = {
        name: [(hour.hour, 1000 * hour.times["move"][n]) for hour in hours if "move" in hour.times]
        for n, name in enumerate(QUANTILES)
    }
    return Panel(site.name, _DAY, up, lines)


def _trial_panel(trials: Sequence[Trial], job: str) -> Panel:
    across = Axis(0.2, 0.95, {each.load: f"{100 * each.load:.0f} %" for each in trials})
    up = Axis(0.1, 1000, {0.1: "0.1 ms", 1: "1", 10: "10", 100: "100", 1000: "1 s"}, log=True)
    lines = {
        f"{name}, {what}": [
            (each.load, (each.predicted if what == "predicted" else each.seen).times[job][n])
            for each in trials
        ]
        for n, name in ((0, "p50"), (2, "p99"))
        for what in ("predicted", "seen")
    }
    return Panel(f"{job}, by the load", across, up, lines)
