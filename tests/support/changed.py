"""The parts that changed since their last full proof, so that an everyday run proves only them again.

A *proof* is a set of tests that only some changes can alter: the games of one ruleset played in full, or a client made
of the contract. `tests/proven.json` keeps, for each, a digest of all files on which it depends and the date when it
last passed. Nothing else matters, neither history nor branch: if the digest differs, or is missing, the proof is due.
So a record that is missing or was mixed up in a merge only makes more run, never less.

    @pytest.mark.skipif(not changed("openapi.yaml", "tests/clients"), reason=UNCHANGED)

The record is written when a run of all tests has passed, with the proofs that were due in it, or proof by proof:
`python -m tests.record_proof PATH …` runs the proofs of these paths in full and records what passed. The author of the
change commits it with the changed files.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import rules
from tests.support.shared_folder import FOLDER, shared_folder

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/proven.json"
IN_FULL = "TEGAMI_IN_FULL"
"""The environment variable that says what counts as changed: some paths, or EVERYTHING."""
EVERYTHING = "everything"
UNCHANGED = "unchanged since it was proven in full (tests/proven.json); --thorough runs it"
"""The reason for skipping a test."""
OF_EVERY_GAME = (
    "rules/__init__.py",
    "rules/kernel",
    "rules/common",
    "rules/players",
    "tests/rules/*.py",
)
"""The paths on which the proof of each game depends, besides its own folders."""
OF_THE_PAGE = (
    "web",
    "service/web",
    "service/core/words",
    "openapi.yaml",
    "tests/web/conftest.py",
    "tests/web/support",
)
"""The paths on which every detail of the page depends, as a browser shows it."""
OF_SERVER_PAGES = ("service/notifications/mail_texts", "service/tables/drawing", "docs")
"""Further paths on which the server's own pages depend, and mails as a browser shows them."""
OF_THE_SERVICE = (
    *("service", "rules", "openapi.yaml"),
    *("requirements.txt", "requirements-dev.txt"),
    *("tests/conftest.py", "tests/support", "tests/endurance"),
    *("tests/service/**/conftest.py", "tests/service/**/*.json"),
)
"""The paths on which slow tests of the service depend, and all on PostgreSQL."""
OTHERS = 3
"""The number of games that are played in full although they have not changed; they vary with the rules."""

ONE_IN = 4
"""The share of the modules whose tests run on PostgreSQL although they have not changed; they vary with the service."""


class Proof(NamedTuple):
    """A proof, and the files, folders and patterns (`tests/rules/*.py`) on which it depends."""

    name: str
    paths: tuple[str, ...]


class Proven(NamedTuple):
    """A proof that a test run asked for and runs in full."""

    proof: Proof
    digest: str
    """The digest of the files when the run began."""


def changed(*paths: str) -> bool:
    """Whether one of these files and folders has changed since they were last proven together.

    Raises FileNotFoundError for a missing one, which would never change.
    """
    return is_due(Proof(" ".join(paths), paths))


def games_in_full() -> frozenset[str]:
    """The slugs of the games to be played in full: those that changed, and some others."""
    due = frozenset(slug for slug in rules.slugs() if is_due(of_game(slug)))
    if os.environ.get(IN_FULL):
        return due
    turn = digest("rules", *OF_EVERY_GAME)
    others = sorted(set(rules.slugs()) - due, key=lambda slug: hashed(f"{turn} {slug}".encode()))
    return due | set(others[:OTHERS])


def of_game(slug: str) -> Proof:
    """The proof that a whole game is correct."""
    name = Path(rules.folder(slug)).name
    own = (f"rules/games/{name}", f"tests/rules/games/{name}")
    return Proof(f"{slug} in full", (*own, *OF_EVERY_GAME))


def of_page(module: str) -> Proof:
    """The proof that a module of tests makes with a browser, apart from its tests marked `daily`."""
    more = OF_SERVER_PAGES if module.startswith("tests/web/server_pages/") else ()
    return Proof(f"{module} in a browser", (module, *OF_THE_PAGE, *more))


def of_service(module: str) -> Proof:
    """The proof that a module of tests makes with the service: its tests marked `of_service`, and on PostgreSQL those
    marked `both_databases`.
    """
    return Proof(f"{module} with the service", (module, *OF_THE_SERVICE))


def is_its_turn(module: str) -> bool:
    """Whether the tests of a module run on PostgreSQL although nothing of the service has changed."""
    turn = hashed(f"{digest(*OF_THE_SERVICE)} {module}".encode())
    return int(turn, 16) % ONE_IN == 0


def is_due(proof: Proof) -> bool:
    """Whether this run has to prove the part in full."""
    now = digest(*proof.paths)
    wanted = os.environ.get(IN_FULL, "").split()
    if wanted:
        due = EVERYTHING in wanted or not set(wanted).isdisjoint(proof.paths)
    else:
        due = recorded().get(proof.name, {}).get("digest") != now
    if due:
        _note(Proven(proof, now))
    return due


def digest(*paths: str) -> str:
    """A digest of the names and the content of all files in these paths."""
    return hashed("\n".join(map(_digest, paths)).encode())


@functools.cache
def _digest(path: str) -> str:
    found = sorted(file.relative_to(ROOT).as_posix() for file in _files(path))
    if not found:
        raise FileNotFoundError(f"{path}: there is no such file in the clone")
    each = (f"{name} {hashed((ROOT / name).read_bytes())}" for name in found)
    return hashed("\n".join(each).encode())


def _files(path: str) -> Iterator[Path]:
    for found in ROOT.glob(path):
        inside = found.rglob("*") if found.is_dir() else [found]
        yield from (file for file in inside if file.is_file() and "__pycache__" not in file.parts)


def hashed(content: bytes) -> str:
    """A short digest."""
    return hashlib.sha256(content).hexdigest()[:32]


def recorded() -> dict[str, Any]:
    """The proofs so far: digest and date, by the name of the proof."""
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    return found


def record(proven: set[Proven], *, whole: bool = False) -> list[str]:
    """Record what a passing run has proven, replacing everything if it was the whole run; returns the recorded names.

    Proofs whose files changed while the tests ran are left out.
    """
    _digest.cache_clear()
    kept = {} if whole else recorded()
    today = datetime.now(UTC).date().isoformat()
    new = {
        each.proof.name: {"digest": each.digest, "on": today}
        for each in proven
        if digest(*each.proof.paths) == each.digest
    }
    RECORD.write_text(json.dumps(kept | new, indent=1, sort_keys=True) + "\n", "utf-8")
    return sorted(new)


def asked() -> set[Proven]:
    """The proofs that all processes of this run had to make in full."""
    file = shared_folder() / "proofs"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    found = (json.loads(line) for line in lines)
    return {Proven(Proof(name, tuple(paths)), now) for name, paths, now in found}


def _note(proven: Proven) -> None:
    if FOLDER in os.environ:
        with (shared_folder() / "proofs").open("a", encoding="utf-8") as file:
            file.write(json.dumps([*proven.proof, proven.digest]) + "\n")
