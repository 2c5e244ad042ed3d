"""The arrows of the design: web → service → rules → standard library, and no game known by name above the rules."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from tests.support.in_one_go import in_one_go

ROOT = Path(rules.__file__).parent.parent
FORBIDDEN = {"random", "time", "datetime", "secrets", "os"}
"""The rules draw no lots, look at no clock and touch no file."""

NAMES = {name for slug in rules.slugs() for name in (slug, slug.replace("-", "_"))}
TEXTS = {".py", ".js", ".css", ".html", ".po", ".txt", ".mako", ".json", ".svg"}


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """The syntax tree of a file, node by node."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, in full."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are in full"
            yield node.module or ""


def files(folder: str, *suffixes: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*"))
    return [path for path in found if path.suffix in suffixes and "__pycache__" not in path.parts]


@in_one_go("path", files("rules", ".py"))
def test_rules_import_the_standard_library_and_themselves(path: Path) -> None:
    for module in imported(path):
        top = module.split(".")[0]
        assert top == "rules" or top in sys.stdlib_module_names, module
        assert top not in FORBIDDEN, module


@in_one_go("path", files("rules", ".py"))
def test_rules_open_no_files(path: Path) -> None:
    called = {getattr(node.func, "id", "") for node in nodes(path) if isinstance(node, ast.Call)}
    assert called.isdisjoint({"open", "print", "input", "exec", "eval", "__import__"})


def test_the_kernel_knows_no_game() -> None:
    for path in (*files("rules/kernel", ".py"), *files("rules/common", ".py")):
        games = [module for module in imported(path) if module.startswith("rules.games")]
        assert not games, f"{path.name} imports a game"


def test_the_service_imports_the_rules_and_not_the_other_way_round() -> None:
    importers = {"service", "tests", "benchmarks"}
    for path in files(".", ".py"):
        top = path.relative_to(ROOT).parts[0]
        if top in importers or top.startswith("."):
            continue
        assert top == "rules" or "rules" not in {m.split(".")[0] for m in imported(path)}, path


@pytest.mark.parametrize("folder", ["service", "web"])
def test_nothing_above_the_rules_names_a_game(folder: str) -> None:
    named = re.compile("|".join(map(re.escape, sorted(NAMES))), re.IGNORECASE)
    for path in files(folder, *TEXTS):
        assert not named.search(path.read_text(encoding="utf-8")), path


def test_the_page_knows_the_service_by_its_contract_alone() -> None:
    for path in files("web", ".js"):
        text = path.read_text("utf-8")
        sources = re.findall(r"""(?<![\w"'.-])(?:import|from)\s*\(?["']([^"']+)["']""", text)
        assert all(source.startswith(("./", "../", "/")) for source in sources), path
