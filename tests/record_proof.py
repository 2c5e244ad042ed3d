"""Run in full the proofs of what changed, and record that they passed: python -m tests.record_proof [PATH …]

The proofs are those that hang on one of the paths, as tests write them: `rules/games/caravan`, `rules/kernel` (then all
games), `openapi.yaml`, `web` (every detail of the page in a browser); without a path, all proofs. `tests/proven.json`
is to be committed with what changed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import rules
from service.web.serving.gunicorn import cores
from tests.support import changed
from tests.support.shared_folder import FOLDER

TESTS = changed.ROOT / "tests"
HELPERS = ("support", "mutants", Path(__file__).name)
"""The paths in `tests/` that need no proof of their own."""


def files_that_ask() -> dict[Path, str]:
    """The test files that ask what changed, and their sources."""
    sources = {
        path: path.read_text("utf-8")
        for path in sorted(TESTS.rglob("*.py"))
        if path.relative_to(TESTS).parts[0] not in HELPERS
    }
    asking = ("changed(", "games_in_full")
    return {path: source for path, source in sources.items() if any(map(source.count, asking))}


def tests_of(path: str) -> set[Path]:
    """The tests that ask whether this path changed: modules, or the folder that they share."""
    of_games = any(path in changed.of_game(slug).paths for slug in rules.slugs())
    return {
        collected(file)
        for file, source in files_that_ask().items()
        if f'"{path}"' in source or (of_games and "games_in_full" in source)
    }


def pages_of(path: str) -> set[Path]:
    """The tests that check this path in a browser, if they do not run every day."""
    return _marked("browser", TESTS / "web", path, changed.of_page)


def services_of(path: str) -> set[Path]:
    """The tests that depend on this path of the service, and take long or run on PostgreSQL."""
    return {
        file
        for mark in ("of_service", "both_databases")
        for file in _marked(mark, TESTS, path, changed.of_service)
    }


def _marked(
    mark: str, folder: Path, path: str, proof_of: Callable[[str], changed.Proof]
) -> set[Path]:
    """The modules with this mark whose proof depends on the path."""
    modules = {
        file: file.relative_to(changed.ROOT).as_posix()
        for file in folder.rglob("test_*.py")
        if f"pytest.mark.{mark}" in file.read_text("utf-8")
    }
    return {file for file, name in modules.items() if path in proof_of(name).paths}


def collected(file: Path) -> Path:
    """The tests that pytest collects for this file: a module, or the folder that shares it."""
    return file if file.name.startswith("test_") else file.parent


ASKED = (tests_of, pages_of, services_of)


def run(paths: set[str], tests: set[Path]) -> list[str]:
    """Run these tests with the full proofs of these paths; returns the names to record if they pass."""
    with tempfile.TemporaryDirectory(prefix="tegami-") as folder:
        os.environ |= {FOLDER: folder, changed.IN_FULL: " ".join(sorted(paths))}
        command = [sys.executable, "-m", "pytest", "--numprocesses", str(cores() + 1)]
        done = subprocess.run([*command, *map(str, sorted(tests))], cwd=changed.ROOT, check=False)
        return changed.record(changed.asked()) if done.returncode == 0 else []


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.record_proof")
    parser.add_argument("path", nargs="*", help="a file or folder that a proof hangs on")
    paths = set(parser.parse_args().path)
    tests = set().union(*(asked(path) for path in paths for asked in ASKED))
    if not paths:
        paths = {changed.EVERYTHING}
        tests = {*map(collected, files_that_ask()), *pages_of("web"), *services_of("service")}
    if not tests:
        print(f"No test asks whether {' or '.join(sorted(paths))} changed.", file=sys.stderr)
        return 2
    recorded = run(paths, tests)
    print(f"recorded in tests/proven.json: {', '.join(recorded) or 'nothing'}")
    return not recorded


if __name__ == "__main__":
    sys.exit(main())
