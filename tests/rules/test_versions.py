"""Versions: rulesets are found by name and version, and an older one stays in a folder of its game."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import rules
from tests.rules.new_version import set_aside

GAME = "boomerang_auction"
FOLDERS = sorted(Path(rules.__file__).parent.glob("games/*/"))


def imports(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def strays(game: Path, package: str) -> list[tuple[str, str]]:
    """Imports of a game's module that lead to another version of the same game."""
    found = []
    for path in game.rglob("*.py"):
        own = version_of(path.relative_to(game).parts)
        for module in imports(path):
            of_game = module.split(".")[: package.count(".") + 1] == package.split(".")
            if of_game and version_of(module.split(".")[package.count(".") + 1 :]) != own:
                found.append((str(path.relative_to(game)), module))
    return found


def version_of(parts: Sequence[str]) -> str:
    """The folder of the older version to which a path or a name leads; "" for the newest version."""
    return parts[0] if parts and re.fullmatch(r"v[0-9]+", parts[0]) else ""


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with one game whose folder holds version 2, with version 1 as a complete copy inside it."""
    package = tmp_path / "some_games"
    package.mkdir()
    (package / "__init__.py").touch()
    newest = package / GAME
    shutil.copytree(
        rules.folder("boomerang-auction"), newest, ignore=shutil.ignore_patterns("v[0-9]*")
    )
    replace(newest, f"rules.games.{GAME}", f"some_games.{GAME}")
    newest_version = rules.versions("boomerang-auction")[-1]
    replace(newest, f"version={newest_version},", "version=1,")
    assert set_aside(newest, "some_games") == 1
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.split(".")[0] == "some_games"]:
        del sys.modules[name]


def test_rulesets_are_found_by_name_and_version() -> None:
    for slug in rules.slugs():
        newest = rules.load(slug)
        assert rules.load(slug, newest.version) is newest
        with pytest.raises(LookupError):
            rules.load(slug, newest.version + 1)
    with pytest.raises(LookupError):
        rules.load("toy")


def test_the_folder_of_a_ruleset_holds_its_words_and_its_page() -> None:
    for slug in rules.slugs():
        folder = Path(rules.folder(slug))
        assert folder == Path(rules.folder(slug, rules.load(slug).version))
        assert (folder / "words.en.po").exists() and (folder / "page.en.md").exists()
        with pytest.raises(LookupError):
            rules.folder(slug, 0)


def test_an_older_version_is_found_in_the_folder_of_its_game(games: Path) -> None:
    found = {each.ruleset.version: each for each in rules.discover(load(games))}
    assert sorted(found) == [1, 2]
    assert Path(found[1].folder) == games / GAME / "v1"
    assert Path(found[2].folder) == games / GAME
    assert {each.ruleset.slug for each in found.values()} == {"boomerang-auction"}
    old, new = found[1].ruleset.initial(3, {}), found[2].ruleset.initial(3, {})
    assert type(old).__module__ == f"some_games.{GAME}.v1.phases"
    assert type(new).__module__ == f"some_games.{GAME}.phases"


def test_a_version_must_be_the_one_that_its_folder_names(games: Path) -> None:
    (games / GAME / "v1").rename(games / GAME / "v3")
    replace(games / GAME / "v3", f"{GAME}.v1", f"{GAME}.v3")
    with pytest.raises(ValueError, match="v3 is version 1"):
        list(rules.discover(load(games)))


def test_a_version_must_be_older_than_that_of_its_game(games: Path) -> None:
    replace(games / GAME, "version=2", "version=1")
    with pytest.raises(ValueError, match="v1 is not older"):
        list(rules.discover(load(games)))


def load(games: Path) -> object:
    return importlib.import_module(games.name)


def replace(folder: Path, old: str, new: str) -> None:
    for path in folder.glob("*.py"):
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_a_version_that_imports_another_is_found(games: Path) -> None:
    assert strays(games / GAME, f"some_games.{GAME}") == []
    replace(games / GAME / "v1", f"{GAME}.v1.scoring", f"{GAME}.scoring")
    assert ("v1/components.py", f"some_games.{GAME}.scoring") in strays(
        games / GAME, f"some_games.{GAME}"
    )


@pytest.mark.parametrize("game", FOLDERS, ids=lambda path: path.name)
def test_no_version_of_a_game_imports_another(game: Path) -> None:
    assert strays(game, f"rules.games.{game.name}") == []
