"""How many players one machine, and each further machine, can serve: measured, simulated, and tried.

python -m benchmarks capacity [costs] [simulate] [trial] [page]

measures what each kind of work costs (costs.json), simulates days of sites of several sizes (simulated.json), compares
a real server under load with the prediction (tried.json), and writes the tables and plots of docs/capacity.md. Without
a name, it does all of this. The same costs always give the same simulation and the same page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.capacity import kept
from benchmarks.capacity.costs import Cost, Costs, keep, load
from benchmarks.capacity.page import PAGE, PICTURES, pictures, rewritten, tables
from benchmarks.capacity.sites import Site, Slice, planned, simulated
from benchmarks.capacity.usage import Usage
from benchmarks.databases import KINDS
from benchmarks.results import this_run

SMALL = 50_000
"""The number of players on the small machine that is simulated."""
SIZES = {"10⁵ players": 1e5, "10⁶ players": 1e6, "10⁷ players": 1e7}
STEPS = ("costs", "simulate", "trial", "page")


def main(arguments: list[str]) -> int:
    """Do the named steps; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks capacity", description=__doc__)
    parser.add_argument("steps", nargs="*", choices=(*STEPS, []), metavar="step")
    steps = parser.parse_args(arguments).steps or STEPS
    if "costs" in steps:
        keep(Costs(_shown(_costs()), _about("costs")))
    costs, usage = load(), Usage()
    if "simulate" in steps:
        kept.keep_days(
            [(site, simulated(site, costs, usage)) for site in sites_of_all_sizes(costs, usage)]
        )
    if "trial" in steps:
        _try(costs, usage)
    if "page" in steps:
        write(costs, usage)
    return 0


def sites_of_all_sizes(costs: Costs, usage: Usage) -> list[Site]:
    """One small machine, and a planned site of each size."""
    small = Slice(SMALL, "sqlite", web_machines=1, workers=1, thinkers=1)
    return [
        Site("one small machine", 1, small),
        *(planned(name, players, costs, usage) for name, players in SIZES.items()),
    ]


def write(costs: Costs, usage: Usage, page: Path = PAGE, folder: Path = PICTURES) -> None:
    """Write the tables into the page, and the plots next to it."""
    days, (trials, _) = kept.days(), kept.trials()
    text = page.read_text("utf-8")
    page.write_text(rewritten(text, tables(costs, days, trials, usage)), "utf-8")
    folder.mkdir(exist_ok=True)
    for name, svg in pictures(days, trials).items():
        (folder / name).write_text(svg, "utf-8")


def _costs() -> Iterator[Cost]:
    # Imported only here: measuring loads the whole service, which the page and its test do not need.
    from benchmarks.capacity import measuring, processes, work

    processes.before_others()
    for kind in KINDS:
        for part in (
            measuring.of_requests,
            work.of_mails,
            measuring.of_processes,
            measuring.of_rows,
        ):
            yield from part(kind)
    yield from work.of_thoughts()
    yield from measuring.of_the_disk()


def _shown(costs: Iterator[Cost]) -> list[Cost]:
    found = []
    for each in costs:
        found.append(each)
        print(each.name, each.database or "", f"{each.value:.4g}", each.unit, file=sys.stderr)
    return found


def _try(costs: Costs, usage: Usage) -> None:
    from benchmarks.capacity import trial

    found = list(trial.trials(costs, usage))
    kept.keep_trials(found, _about("trial"))


def _about(step: str) -> str:
    run = this_run(f"python -m benchmarks capacity {step}")
    return f"`{run.command}` on {run.day}: {run.machine}; release {run.release}."
