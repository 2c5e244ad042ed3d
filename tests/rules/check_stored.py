"""The stored games that a change of the code would alter, and how: shared code can change every version of every game.

    python -m tests.rules.check_stored --against REF [SLUG …]

replays the stored games with the code of a git ref, such as the last release, and with the present code, and prints
each game that differs: at which event first, and in what (state, view, legal, lines). The exit code is 1 if one does.
A stored game of a version that the ref does not have yet is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rules

ROOT = Path(__file__).resolve().parents[2]
GAMES = Path(__file__).parent / "games"
PARTS = ("state", "view", "legal", "lines")

Steps = list[list[str]]
"""For the position at the start and after each event: a digest of each of PARTS."""


class Difference(NamedTuple):
    """The place where a stored game begins to differ."""

    path: Path
    event: int
    """The number of events that have happened there."""
    parts: tuple[str, ...]

    def __str__(self) -> str:
        where = f"at event {self.event}" if self.event else "at the start"
        game = f"{self.path.parent.parent.name}/{self.path.stem}"
        return f"{game}: {where}, in {', '.join(self.parts)}"


def differences(old: Path, new: Path, paths: Sequence[Path]) -> Iterator[Difference]:
    """The differences in these stored games between the code in the folders `old` and `new`."""
    before, after = replayed_with(old, paths), replayed_with(new, paths)
    for path, one, other in zip(paths, before, after, strict=True):
        found = first_difference(one or [], other or [])
        if one is not None and found is not None:
            yield Difference(path, *found)


def first_difference(one: Steps, other: Steps) -> tuple[int, tuple[str, ...]] | None:
    """The first position that differs, and how; a replay that fails differs in its state."""
    for event, (was, now) in enumerate(zip(one, other, strict=False)):
        if was != now:
            return event, tuple(
                name for name, *both in zip(PARTS, was, now, strict=True) if both[0] != both[1]
            )
    return None if len(one) == len(other) else (min(len(one), len(other)), PARTS[:1])


def replayed_with(code: Path, paths: Iterable[Path]) -> list[Steps | None]:
    """The games, replayed by a separate process with the `rules` in the folder `code`."""
    done = subprocess.run(
        # -B: compiled code is told from its source by size and second, too coarse for a file that
        # was just changed
        [sys.executable, "-B", "-m", "tests.rules.check_stored", "--replay"],
        input=json.dumps([str(path) for path in paths]),
        cwd=code,  # comes first on the path
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: list[Steps | None] = json.loads(done.stdout)
    return found


def replayed(log: Any) -> Steps | None:
    """Everything that is shown of a stored game, by the code of this process; None if it has no such version."""
    try:
        ruleset = rules.load(log["ruleset"], log["version"])
    except LookupError:
        return None
    steps, state = Steps(), None
    for event in (None, *log["events"]):
        try:
            state = ruleset.apply(state, event) if event else start(ruleset, log)
            steps.append([digest(part) for part in parts(ruleset, state)])
        except Exception as error:  # noqa: BLE001 - whatever it is, the game goes on no longer
            steps.append([f"fails: {error}"] * len(PARTS))
            break
    return steps


def start(ruleset: Any, log: Any) -> Any:
    """The state at the start of a stored game."""
    return ruleset.initial(log["players"], log["options"])


def parts(ruleset: Any, state: Any) -> tuple[object, ...]:
    """PARTS of a position, for every seat and for a spectator."""
    viewers = (None, *range(state.players))
    return (
        [str(state), ruleset.result(state)],
        [ruleset.view(state, viewer) for viewer in viewers],
        [ruleset.legal(state, viewer) for viewer in viewers],
        [ruleset.lines(state, viewer) for viewer in viewers],
    )


def digest(value: object) -> str:
    """A few bytes that tell any two values apart."""
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:12]


def export(repository: Path, ref: str, to: Path) -> None:
    """Write the `rules` of a git ref into the folder `to`."""
    command = ["git", "-C", str(repository), "archive", ref, "rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as archive:
        assert archive.stdout is not None
        with tarfile.open(fileobj=archive.stdout, mode="r|") as files:
            # The filter is set so because extractall takes it as an argument only from Python 3.11.4 on.
            files.extraction_filter = getattr(tarfile, "data_filter", None)
            files.extractall(to)
    if archive.returncode:
        raise LookupError(f"git has no rules in {ref}")


def check(repository: Path, ref: str, slugs: Sequence[str] = ()) -> list[Difference]:
    """The differences between a git ref and the files of a repository, in the stored games of these rulesets, or of
    all.
    """
    paths = sorted(GAMES.glob("*/stored/*.json"))
    if slugs:
        paths = [path for path in paths if json.loads(path.read_bytes())["ruleset"] in slugs]
    with tempfile.TemporaryDirectory() as folder:
        export(repository, ref, Path(folder))
        return list(differences(Path(folder), repository, paths))


def main(words: Sequence[str] | None = None, repository: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", metavar="REF", help="the git ref to compare with")
    parser.add_argument("--replay", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("slugs", nargs="*", metavar="SLUG")
    asked = parser.parse_args(words)
    if asked.replay:
        paths = json.load(sys.stdin)
        json.dump([replayed(json.loads(Path(path).read_bytes())) for path in paths], sys.stdout)
        return 0
    if not asked.against:
        parser.error("--against is needed")
    found = check(repository, asked.against, asked.slugs)
    for each in found:
        print(each)
    print(f"{len(found)} stored games differ from {asked.against}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
