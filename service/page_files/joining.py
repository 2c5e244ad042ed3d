"""Modules and style sheets stay many files in the tree; a browser gets one of each kind.

A phone would ask for eighty modules, level by level of their imports: seconds on a slow line. So they are joined when
the server starts, without a build: each module becomes a function that is called once, after those that it imports,
and returns what it exports. That needs only two forms of statements, which `tests/web/test_rooms.py` holds the
modules to: `import {…} from "…";` and `export` before a function, a class or a constant.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

Read = Callable[[str], str]
"""The text of the file at a path in `web/`."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.M)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.M)
_SHEET = re.compile(r'^@import url\("(\.[^"]+)"\);$', re.M)
_COMMENTS = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.M | re.S)
_IN_LINES = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?|(?<=[;,{}]) // [^\n\"'`]*$", re.M)
"""Types of expressions, and what is said of a line behind it; where it has a quotation mark it may be text."""
_INDENTATION = re.compile(r"^[ \t]+", re.M)


class Cycle(Exception):
    """A module imports, by way of others, itself."""


def join_modules(entry: str, read: Read) -> str:
    """One module that does what `entry` does. Raises Cycle."""
    order = _in_order(entry, read, _IMPORT)
    number = {name: n for n, name in enumerate(order)}

    def imported(name: str) -> Callable[[re.Match[str]], str]:
        def constant(found: re.Match[str]) -> str:
            names = found[1].replace(" as ", ": ")
            return f"const {{{names}}} = $m{number[_resolved(name, found[2])]};"

        return constant

    def function(name: str) -> str:
        text = _IMPORT.sub(imported(name), _without_comments(read(name)))
        exported = ", ".join(found[2] for found in _EXPORT.finditer(text))
        code = _EXPORT.sub(r"\1", text)
        return f"const $m{number[name]} = (() => {{\n{code}\nreturn {{{exported}}};\n}})();\n"

    return "".join(map(function, order))


def join_sheets(entry: str, read: Read) -> str:
    """One style sheet with everything that `entry` imports, in order; addresses in it are from the root."""
    return "".join(
        _without_comments(_SHEET.sub("", read(name))) for name in _in_order(entry, read, _SHEET)
    )


def _in_order(entry: str, read: Read, statement: re.Pattern[str]) -> list[str]:
    """`entry` and the files that it imports, each after those that it imports itself. Raises Cycle."""
    order: dict[str, None] = {}

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            raise Cycle(" → ".join((*way, name)))
        if name in order:
            return
        for source in _sources(name, read(name), statement):
            visit(source, (*way, name))
        order[name] = None

    visit(entry, ())
    return list(order)


def _sources(name: str, text: str, statement: re.Pattern[str]) -> Iterator[str]:
    for found in statement.finditer(text):
        yield _resolved(name, found[statement.groups])


def _resolved(name: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), source))


def _without_comments(text: str) -> str:
    """Comments and indentation are half of what would be sent."""
    return _INDENTATION.sub("", _IN_LINES.sub("", _COMMENTS.sub("", text)))
