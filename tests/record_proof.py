"""Run in full the proofs of what changed, and record that they passed: python -m tests.record_proof [PATH …]

The proofs are those that hang on one of the paths, as tests write them: `rules/games/caravan`, `rules/kernel` (then all
games), `openapi.yaml`, `web` (every detail of the page in a browser); without a path, all that there are.
`tests/proven.json` is to be committed with what changed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import rules
from service.web.serving.gunicorn import cores
from tests.support import changed
from tests.support.shared_folder import FOLDER

TESTS = changed.ROOT / "tests"
HELPERS = ("support", "mutants", Path(__file__).name)
"""In `tests/`: what asks for no proof of its own."""


def files_that_ask() -> dict[Path, str]:
    """The files of the tests that ask what changed, and their sources."""
    sources = {
        path: path.read_text("utf-8")
        for path in sorted(TESTS.rglob("*.py"))
        if path.relative_to(TESTS).parts[0] not in HELPERS
    }
    asking = ("changed(", "games_in_full")
    return {path: source for path, source in sources.items() if any(map(source.count, asking))}


def tests_of(path: str) -> set[Path]:
    """The tests that ask whether this path changed: modules, or the folder that shares what asks."""
    of_games = any(path in changed.of_game(slug).paths for slug in rules.slugs())
    return {
        collected(file)
        for file, source in files_that_ask().items()
        if f'"{path}"' in source or (of_games and "games_in_full" in source)
    }


def pages_of(path: str) -> set[Path]:
    """The tests that ask a browser how this path looks, if they are not run every day."""
    modules = {
        file: file.relative_to(changed.ROOT).as_posix()
        for file in (TESTS / "web").rglob("test_*.py")
        if "pytest.mark.browser" in file.read_text("utf-8")
    }
    return {file for file, name in modules.items() if path in changed.of_page(name).paths}


def collected(file: Path) -> Path:
    """What pytest runs because of this file: a module of tests, or the folder that shares it."""
    return file if file.name.startswith("test_") else file.parent


def run(paths: set[str], tests: set[Path]) -> list[str]:
    """Run these tests, with the proofs of these paths in full; the names of what is recorded, if they pass."""
    with tempfile.TemporaryDirectory(prefix="tegami-") as folder:
        os.environ |= {FOLDER: folder, changed.IN_FULL: " ".join(sorted(paths))}
        command = [sys.executable, "-m", "pytest", "--numprocesses", str(cores() + 1)]
        done = subprocess.run([*command, *map(str, sorted(tests))], cwd=changed.ROOT, check=False)
        return changed.record(changed.asked()) if done.returncode == 0 else []


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.record_proof")
    parser.add_argument("path", nargs="*", help="a file or folder that a proof hangs on")
    paths = set(parser.parse_args().path)
    tests = set().union(*map(tests_of, paths), *map(pages_of, paths))
    if not paths:
        paths = {changed.EVERYTHING}
        tests = {*map(collected, files_that_ask()), *pages_of("web")}
    if not tests:
        print(f"No test asks whether {' or '.join(sorted(paths))} changed.", file=sys.stderr)
        return 2
    recorded = run(paths, tests)
    print(f"recorded in tests/proven.json: {', '.join(recorded) or 'nothing'}")
    return not recorded


if __name__ == "__main__":
    sys.exit(main())
