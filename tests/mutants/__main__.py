"""Change one thing in a module, run the tests nearest to it, and see whether they notice.

    python -m tests.mutants [--module service/tables/clocks …] [--sample N] [--seed S] [--fresh]

prints the diff of every change that no test noticed, and counts for each module. The results of earlier runs are
remembered in `.mutants/` and not tried again (`--fresh` forgets them), so an interrupted run continues where it was.
Changes that mean the same are listed in `same.toml`, each with its reason.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

from tests.mutants.nearest import ROOMS, nearest
from tests.mutants.planting import Mutant, mutants, statement
from tests.mutants.trying import Copy, Reach

CLONE = Path(__file__).parents[2]
REMEMBERED = CLONE / ".mutants" / "found"
SAME = Path(__file__).with_name("same.toml")


class Progress:
    """A bar on a terminal; elsewhere nothing."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._began = time.monotonic()

    def step(self, what: str) -> None:
        self._done += 1
        left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        bar = ("#" * (30 * self._done // self._total)).ljust(30, ".")
        if sys.stderr.isatty():
            text = f"[{bar}] {self._done}/{self._total} {what}, {left / 60:.0f} min left"
            print("\r" + text.ljust(110), end="", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        if sys.stderr.isatty():
            print("\r" + " " * 110, end="\r", file=sys.stderr, flush=True)
        print(text, flush=True)


def modules(wanted: list[str]) -> list[str]:
    """The measured modules whose paths begin with one of these; all, if there are none."""
    found = [
        path.relative_to(CLONE).as_posix()
        for room in ROOMS
        for path in sorted((CLONE / room).glob("*.py"))
    ]
    return [path for path in found if not wanted or path.startswith(tuple(wanted))]


def reasons() -> dict[tuple[str, str, str], str]:
    """The reasons why a change means the same: by module, by the removed text and by the added text."""
    with SAME.open("rb") as file:
        listed = tomllib.load(file).get("same", [])
    return {(one["module"], one["was"], one["now"]): one["why"] for one in listed}


def near(mutant: Mutant, source: str, reach: Reach) -> set[str] | None:
    """The tests that reach the changed statement; all if importing reaches it; None if nothing does."""
    by_line = reach.lines[mutant.module]
    met = [by_line[line] for line in statement(source, mutant.line) if line in by_line]
    if not met:
        return None
    return set().union(*met) or set(reach.seconds)


class Run:
    """The knowledge about the mutants of this run."""

    def __init__(self, copy: Copy, progress: Progress) -> None:
        self._copy, self._progress = copy, progress
        self._same = reasons()
        self._found = set(REMEMBERED.read_text().split()) if REMEMBERED.exists() else set()
        self._reach: dict[str, Reach] = {}
        self.counts: dict[str, Counter[str]] = {}

    def measure(self, module: str, planted: list[Mutant]) -> None:
        counts = self.counts[module] = Counter(planted=len(planted))
        for mutant in planted:
            outcome = self._outcome(mutant)
            counts[outcome] += 1
            if outcome == "lived":
                self._progress.say(f"\n{mutant.diff}")
            self._progress.step(module)
        self._progress.say(f"{module}: {told(counts)}")

    def _outcome(self, mutant: Mutant) -> str:
        if (mutant.module, mutant.changed("-"), mutant.changed("+")) in self._same:
            return "same"
        if mutant.key in self._found:
            return "found"
        source = (self._copy.root / mutant.module).read_text(encoding="utf-8")
        reach = self._reached(mutant.module)
        tests = near(mutant, source, reach)
        if tests is None or self._copy.passes(mutant.module, mutant.source, tests, reach.seconds):
            return "lived"
        with REMEMBERED.open("a") as file:
            file.write(f"{mutant.key}\n")
        return "found"

    def _reached(self, module: str) -> Reach:
        """The statements that the nearest tests reach, and the duration of these tests."""
        reaches = [self._of_tests(path) for path in nearest(module)]
        lines: dict[int, set[str]] = {}
        for reach in reaches:
            for line, tests in reach.lines[module].items():
                lines[line] = lines.get(line, set()) | tests
        seconds = {test: taken for reach in reaches for test, taken in reach.seconds.items()}
        return Reach({module: lines}, seconds)

    def _of_tests(self, path: str) -> Reach:
        """The same for some tests; a few of them pass on an unchanged module, or the result of `passes` would mean
        nothing.
        """
        if path not in self._reach:
            reach = self._reach[path] = self._copy.reach(modules([]), [path])
            module = next(each for each in modules([]) if path in nearest(each))
            source = (self._copy.root / module).read_text(encoding="utf-8")
            quick = set(sorted(reach.seconds, key=lambda test: reach.seconds[test])[:20])
            if not self._copy.passes(module, source, quick, reach.seconds):
                raise RuntimeError(
                    f"Tests in {path} fail on a module that is imported from memory."
                )
        return self._reach[path]


def told(counts: Counter[str]) -> str:
    """Counts in words; changes that mean the same count as planted, not as found."""
    share = 100 * counts["found"] / max(counts["planted"] - counts["same"], 1)
    return (
        f"{counts['planted']} planted, {counts['found']} found ({share:.0f} %), "
        f"{counts['same']} the same, {counts['lived']} lived"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--module", action="append", default=[], help="a room or module")
    parser.add_argument("--sample", type=int, default=0, help="so many of each module, not all")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    asked = parser.parse_args()
    if asked.fresh:
        shutil.rmtree(REMEMBERED.parent, ignore_errors=True)
    REMEMBERED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tegami-mutants-") as folder:
        copy = Copy(CLONE, Path(folder))
        planted = {
            module: mutants(
                module, (copy.root / module).read_text("utf-8"), asked.sample, asked.seed
            )
            for module in modules(asked.module)
        }
        run = Run(copy, Progress(sum(map(len, planted.values()))))
        for module, of_it in planted.items():
            run.measure(module, of_it)
    total = sum(run.counts.values(), Counter[str]())
    print(f"\n{told(total)}")
    return bool(total["lived"])


if __name__ == "__main__":
    sys.exit(main())
