"""Rules: pure functions from (state, event) to state, on the standard library alone.

kernel/    the parts of every ruleset; knows no game
common/    what several games share: cards, dominoes, tricks, poker hands
games/     a folder for each game, with everything about it
players/   the house players
rules.slugs()                       every ruleset that can be played
rules.versions("caravan")           its versions, the oldest first
rules.load("caravan")               its newest version
rules.load("caravan", version=1)    the version that a running game started with
rules.folder("caravan", version=1)  where that version keeps its words and its page of rules
rules.lesson("caravan", version=1)  the first moves of a game, as somebody who learns it may make them
rules.puzzles("caravan")            positions in which one action is far better than all others
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from rules.kernel import Illegal, Invalid, Result, Ruleset, Turn, lessons
from rules.kernel import puzzles as collections
from rules.kernel.lessons import Lesson
from rules.kernel.puzzles import EMPTY, Collection

__all__ = [
    "Illegal",
    "Invalid",
    "Result",
    "Ruleset",
    "Turn",
    "folder",
    "lesson",
    "load",
    "puzzles",
    "slugs",
    "versions",
]


class Found(NamedTuple):
    """A version of a game: its ruleset, and the path of its folder."""

    ruleset: Ruleset
    folder: str


def slugs() -> tuple[str, ...]:
    """The slugs of all rulesets, in alphabetical order."""
    return tuple(sorted({slug for slug, _ in _versions()}))


def versions(slug: str) -> tuple[int, ...]:
    """The versions of the ruleset with this slug, the oldest first; empty if there is no such ruleset."""
    return tuple(sorted(number for name, number in _versions() if name == slug))


def load(slug: str, version: int | None = None) -> Ruleset:
    """The ruleset with this slug, in its newest version unless one is given.

    Raises LookupError if there is no such ruleset or version.
    """
    return _version(slug, version).ruleset


def folder(slug: str, version: int | None = None) -> str:
    """The path of the folder with the words and the rules page of that version.

    Raises LookupError if there is no such ruleset or version.
    """
    return _version(slug, version).folder


def lesson(slug: str, version: int | None = None) -> Lesson | None:
    """The lesson of that version; None if it has none.

    Raises LookupError if there is no such ruleset or version.
    """
    return _lesson(folder(slug, version))


@functools.cache
def _lesson(folder: str) -> Lesson | None:
    return lessons.read(folder)


def puzzles(slug: str) -> Collection:
    """The puzzles of the newest version; an empty collection if the stored puzzles are of another version.

    Raises LookupError if there is no such ruleset.
    """
    found = _puzzles(folder(slug))
    return found if found.version == load(slug).version else EMPTY


@functools.cache
def _puzzles(folder: str) -> Collection:
    return collections.read(folder)


def _version(slug: str, version: int | None) -> Found:
    known = versions(slug)
    if not known or (version is not None and version not in known):
        raise LookupError(f"no ruleset {slug!r} in version {version}")
    return _versions()[slug, known[-1] if version is None else version]


@functools.cache
def _versions() -> dict[tuple[str, int], Found]:
    """Every version of every game, by slug and version number."""
    games = importlib.import_module("rules.games")
    return {(found.ruleset.slug, found.ruleset.version): found for found in discover(games)}


def discover(games: ModuleType) -> Iterator[Found]:
    """Every version of every game in the package `games`: each game, and the older versions in its `v<N>` packages.

    Raises ValueError if a package contains another game, another version, or one that is not older than the newest.
    """
    for game in _packages(games):
        yield Found(game.ruleset, game.__path__[0])
        for older in _packages(game):
            number = re.fullmatch(r"v([0-9]+)", older.__name__.rpartition(".")[2])
            if number:
                _check(game.ruleset, older.ruleset, int(number[1]))
                yield Found(older.ruleset, older.__path__[0])


def _check(newest: Ruleset, older: Ruleset, number: int) -> None:
    """Check that `older` is version `number` of the same game, and older than `newest`; raises ValueError otherwise."""
    if older.slug != newest.slug or older.version != number:
        raise ValueError(f"{newest.slug}: v{number} is version {older.version} of {older.slug}")
    if number >= newest.version:
        raise ValueError(f"{newest.slug}: v{number} is not older than version {newest.version}")


def _packages(parent: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(parent.__path__, f"{parent.__name__}."):
        if found.ispkg:
            yield importlib.import_module(found.name)
