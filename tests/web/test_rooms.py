"""The folders of the page: few doors, imports that go one way and resolve, and no file or export that is unused."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from service.core.settings.config import ROOT
from service.web.page.files.serving import PICTURES

WEB = ROOT / "web"
ROOMS = (
    *("base", "base/controls"),
    "verify",
    *("people/sign_in", "people/circles", "people/series", "people/ratings", "people/settings"),
    "people/player_page",
    *("cards", "cards/zones", "cards/areas"),
    "rules_page",
    "talk",
    "time",
    *("lobby/daily", "lobby/puzzles", "lobby/new_table", "lobby/waiting_room", "lobby"),
    *("table/choosing", "table/replay", "table/scores", "table/fit", "table/state", "table/screen"),
    "service_worker",
    ".",
)
"""The folders, lowest first, up to `web/` itself: a module imports only from its own folder and earlier ones.

The rooms of a folder stand together, so that its imports go one way on the first floor too.
"""

ENTRIES = (
    *("app.js", "app.css", "every_page.css"),
    "service_worker/worker.js",
)
"""The files that the server names: the page, the styles of the server's pages, and the worker."""

MOST_FOLDERS = 10
MOST_ROOMS = 7
LEAST_FILES, MOST_FILES = 3, 16
MOST_LINES = 450

CODE = re.compile(
    r"""^(?:import|export)\s(?:[^"';()]*\bfrom)?\s*["']([^"']+)["']|\bimport\(["']([^"']+)["']\)""",
    re.M,
)
"""Imports, and JSDoc types from other modules: `import("../base/api.js").Game`."""
NAMES = re.compile(r"""^import \{([^}]*)\} from "([^"]+)";""", re.M)
LATE = re.compile(r"""\bimport\("([^"]+)"\)""")
EXPORTS = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.M)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
CLASSES = re.compile(r"""\bh\("[^{}]*\{ className: (?:"([^"]*)"|`([^`"]*)`)""")
SAID = re.compile(r"""^(?:export )?const ([A-Z_]+) = (["'`/[{].*);$""", re.M)
"""Constants of text, lists and patterns: numbers that are alike by chance say different things."""
SHEETS = re.compile(r"""@import\s+url\("([^"]+)"\)""")
LINKS = re.compile(r"""\b(?:href|src)="(/[^"]+\.\w+)\"""")
FILES = sorted(
    path.relative_to(WEB).as_posix()
    for path in WEB.rglob("*")
    if path.is_file() and not path.is_relative_to(PICTURES)
)
MODULES = [name for name in FILES if name.endswith(".js")]


def room(name: str) -> str:
    """The folder of a file."""
    return str(PurePosixPath(name).parent)


def imported(name: str, text: str, *, types: bool = True) -> Iterator[str]:
    """The files that a file with this text imports, as paths in `web/`."""
    patterns = {".js": CODE, ".css": SHEETS, ".html": LINKS}
    if not types:
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for found in patterns[Path(name).suffix].finditer(text):
        source = next(filter(None, found.groups()))
        if name.endswith(".html"):
            yield source.removeprefix("/")
        else:
            assert source.startswith("."), f"{name}: {source} is not a relative import"
            yield os.path.normpath(f"{room(name)}/{source}")


def backwards(name: str, text: str) -> list[str]:
    """The imports of a module from folders above its own."""
    level = ROOMS.index(room(name))
    return [each for each in imported(name, text) if ROOMS.index(room(each)) > level]


def read(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def test_every_folder_is_in_the_order() -> None:
    assert {room(name) for name in FILES} == set(ROOMS)


def test_there_are_few_doors_and_few_rooms_behind_each() -> None:
    floor = [name.partition("/")[0] for name in ROOMS if name != "."]
    together = [folder for folder, _ in itertools.groupby(floor)]
    assert len(together) == len(set(together)) <= MOST_FOLDERS
    assert max(Counter(floor).values()) <= MOST_ROOMS
    assert {name.count("/") for name in ROOMS} == {0, 1}


def test_a_room_is_more_than_two_files() -> None:
    files = Counter(map(room, FILES))
    assert {folder for folder in ROOMS if files[folder] < LEAST_FILES} == set()


def test_imports_go_down() -> None:
    for name in MODULES:
        assert backwards(name, read(name)) == [], name


@pytest.mark.parametrize(
    "planted",
    [
        'import { Table } from "../table/state/table.js";',
        'import "../table/state/table.js";',
        'export { Table } from "../table/state/table.js";',
        'const table = await import("../table/state/table.js");',
        '/** @type {import("../table/state/table.js").Table} */',
        '/**\n * @typedef {import("../table/state/table.js").Table} Table\n */',
    ],
)
def test_an_import_upwards_is_found(planted: str) -> None:
    assert backwards("talk/talk.js", f"{read('talk/talk.js')}\n{planted}\n") == [
        "table/state/table.js"
    ]


def test_every_import_resolves() -> None:
    answered_by_the_service = {"openapi.yaml"}
    for name in FILES:
        if name.endswith((".js", ".css", ".html")):
            missing = set(imported(name, read(name))) - set(FILES) - answered_by_the_service
            assert missing == set(), name


def test_no_file_is_unused() -> None:
    reached: set[str] = set()
    ahead = list(ENTRIES)
    while ahead:
        name = ahead.pop()
        if name not in reached and name in FILES:
            reached.add(name)
            if name.endswith((".js", ".css", ".html")):
                ahead += imported(name, read(name), types=False)
    assert set(FILES) - reached == set()


OF_BROWSERS = """
() => {
  const names = new Set();
  for (let each = globalThis; each; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  }
  return [...names];
}
"""


def together(name: str) -> list[str]:
    """The modules that share a scope with this one: those of the page, or those of the worker."""
    of_worker = room(name) == "service_worker"
    return [each for each in MODULES if (room(each) == "service_worker") == of_worker]


@pytest.mark.browser
def test_no_module_takes_what_another_one_declares_for_what_browsers_have(visit: Any) -> None:
    """Joined modules share a scope: a declaration in one hides a global name from all others."""
    of_browsers = {*visit().open("/privacy").evaluate(OF_BROWSERS)}
    code = {
        name: re.sub(r"/\*.*?\*/|//[^\n]*", "", read(name), flags=re.DOTALL) for name in MODULES
    }
    declared = {(name, each) for name in MODULES for each in DECLARED.findall(read(name))}
    hidden = {
        (each, other)
        for name, each in declared
        if each in of_browsers
        for other in together(name)
        if other != name
        and re.search(rf"(?<![.\w]){each}\b", code[other])
        and not any(each in names for names, _ in NAMES.findall(read(other)))
    }
    assert hidden == set()


def test_no_icon_is_unused() -> None:
    """The other pictures are requested by tests/service/web/page/test_shell.py and page_files/test_manifest.py."""
    named = "".join(read(name) for name in MODULES)
    named += (ROOT / "service/web/page/templates/page.html").read_text(encoding="utf-8")
    assert {icon.name for icon in PICTURES.glob("*") if f'"/{icon.name}"' not in named} == {
        "icons",
        "previews",
    }


def test_every_class_is_named_by_a_style_a_script_or_a_test() -> None:
    named = [read(name) for name in FILES if name.endswith((".css", ".js"))]
    named += [path.read_text("utf-8") for path in (ROOT / "tests/web").rglob("*.py")]
    known = {each for text in named for each in re.findall(r"\.([a-z][\w-]*)", text)}
    for module in MODULES:
        for whole, pieces in CLASSES.findall(read(module)):
            given = re.sub(r"\S*\$\{[^}]*\}\S*", " ", whole or pieces).split()
            assert {*given} <= known, module


def test_nothing_is_stated_in_two_modules() -> None:
    stated = Counter(each for module in MODULES for each in {*SAID.findall(read(module))})
    assert [each for each, times in stated.items() if times > 1] == []


def test_no_export_is_unused() -> None:
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests/web").rglob("*.py"))
    used = {(source, name) for module in MODULES for source, name in names(module)}
    for module in MODULES:
        for name in EXPORTS.findall(read(module)):
            assert (module, name) in used or re.search(rf"\b{name}\b", tests), f"{module}: {name}"


def names(module: str) -> Iterator[tuple[str, str]]:
    """The modules that a module imports, with each name; for one that is loaded later, the names that are mentioned."""
    text = re.sub(r"/\*.*?\*/", "", read(module), flags=re.DOTALL)
    for found, source in NAMES.findall(text):
        for name in found.split(","):
            yield os.path.normpath(f"{room(module)}/{source}"), name.split(" as ")[0].strip()
    for source in LATE.findall(text):
        late = os.path.normpath(f"{room(module)}/{source}")
        for name in EXPORTS.findall(read(late)):
            if re.search(rf"\b{name}\b", text):
                yield late, name


def test_folders_and_files_stay_small() -> None:
    for folder in ROOMS:
        assert sum(room(name) == folder for name in FILES) <= MOST_FILES, folder
    for name in FILES:
        assert len(read(name).splitlines()) <= MOST_LINES, name
