"""Endurance runs by name: `python -m tests.endurance kills --rounds 100`; without a name, the list of runs.

Prints the counts. The exit code is 1 if something wrong was found, and 2 if a run cannot be made here.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile

from tests.endurance import frame
from tests.endurance.frame import Told
from tests.support.servers import databases
from tests.support.servers.shared import end_all
from tests.support.shared_folder import FOLDER, shared_folder


def main() -> int:
    """Do what the command line says."""
    asked = _asked()
    if not asked.name:
        _list()
        return 0
    missing = frame.definition(asked.name).missing()
    if missing:
        print(f"{asked.name}: {missing}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is ended
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="tegami-")
    try:
        return max([_run(asked, kind) for kind in _kinds(asked)])
    finally:
        end_all()
        databases.stop_server(shared_folder() / "postgresql")
        shutil.rmtree(shared_folder(), ignore_errors=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description=__doc__)
    parser.add_argument("name", nargs="?", choices=frame.names(), metavar="NAME")
    parser.add_argument("--rounds", type=int, help="how many; else as many as in docs/endurance.md")
    parser.add_argument("--quick", action="store_true", help="as few rounds as each day")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=databases.KINDS, help="else each that it knows")
    parser.add_argument("--plant", default="", metavar="FAULT", help="a fault that is to be found")
    return parser.parse_args()


def _list() -> None:
    for name in frame.names():
        known = frame.definition(name)
        print(f"{name} ({', '.join(known.kinds)}; {known.rounds} {known.unit})")
        print(f"    {frame.described(name).splitlines()[0]}")
        for fault in known.faults:
            print(f"    --plant {fault}")


def _kinds(asked: argparse.Namespace) -> tuple[str, ...]:
    return (asked.database,) if asked.database else frame.definition(asked.name).kinds


def _run(asked: argparse.Namespace, kind: str) -> int:
    known = frame.definition(asked.name)
    short = asked.quick or asked.plant
    rounds = asked.rounds or (None if short else known.rounds)
    told = frame.endure(asked.name, kind, rounds, asked.seed, asked.plant)
    print(_table(told), flush=True)
    return bool(told.wrong)


def _table(told: Told) -> str:
    width = max(map(len, told.counts))
    rows = [f"  {what:{width}}  {value:>12}" for what, value in told.counts.items()]
    end = f"FOUND: {told.wrong}" if told.wrong else "nothing wrong was found"
    return "\n".join([f"{told.name} on {told.kind}", *rows, f"  {end}"])


if __name__ == "__main__":
    sys.exit(main())
