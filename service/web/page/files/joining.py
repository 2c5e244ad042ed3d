"""Modules and style sheets stay many files in the tree; a browser gets one of each kind.

A phone would ask for eighty modules, level by level of their imports: seconds on a slow line. So they are joined when
the server starts, without a build: each module becomes a function that is called once, after those that it imports,
and returns what it exports. That needs only two forms of statements, which `tests/web/test_rooms.py` holds the
modules to: `import {…} from "…";` and `export` before a function, a class or a constant.

What few visits need is not sent with the rest: `import("…")` names a module that is loaded then, in a file of its own
with all that only it needs. That file is a function of the modules that the first one has made already, so both are
named by their content, and no module is ever made twice.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable

Read = Callable[[str], str]
"""The text of the file at a path in `web/`."""
Publish = Callable[[str, str], str]
"""Takes the name (without folders) and the text of a file that is loaded later, and returns its address."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.M)
_LATE = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.M)
_SHEET = re.compile(r'^@import url\("(\.[^"]+)"\);$', re.M)
_COMMENTS = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.M | re.S)
_IN_LINES = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?|(?<=[;,{}]) // [^\n\"'`]*$", re.M)
"""Types of expressions, and what is said of a line behind it; where it has a quotation mark it may be text."""
_INDENTATION = re.compile(r"^\s+", re.M)
"""With empty lines."""


class Cycle(Exception):
    """A module imports, by way of others, itself."""


class LateInLate(Exception):
    """A module that is loaded later loads another one later still, or a single file was to be made."""


def join_modules(entry: str, read: Read, publish: Publish | None = None) -> str:
    """One module that does what `entry` does; `publish` gets the files that it loads later.

    Raises Cycle and LateInLate.
    """
    late = {name: _in_order(name, read, _IMPORT) for name in _loaded_later(entry, read)}
    needed = Counter(name for files in late.values() for name in files)
    *before, last = _in_order(entry, read, _IMPORT)
    shared = [name for name, files in needed.items() if files > 1 and name not in before]
    order = [*before, *shared, last]
    number = {name: n for n, name in enumerate(order)}
    addresses: dict[str, str] = {}
    for name, files in late.items():
        if publish is None or any(_LATE.search(_without_comments(read(each))) for each in files):
            raise LateInLate(name)
        given = [each for each in files if each in number]
        own = [each for each in files if each not in number]
        numbers = number | {each: len(order) + n for n, each in enumerate(own)}
        parameters = ", ".join(f"$m{number[each]}" for each in given)
        made = "".join(_function(each, read, numbers, {}) for each in own)
        text = f"export default ({parameters}) => {{\n{made}return $m{numbers[name]};\n}};\n"
        address = publish(posixpath.basename(name), text)
        addresses[name] = f'$late("{address}", {parameters})'
    joined = "".join(_function(name, read, number, addresses) for name in order)
    return (_LOADING if late else "") + joined


_LOADING = """const $made = {};
const $late = (address, ...given) => import(address).then(file => $made[address] ??= file.default(...given));
"""
"""What loads a file later: browsers keep the file, and this the module that was made of it."""


def _loaded_later(entry: str, read: Read) -> list[str]:
    found = [
        _resolved(name, source)
        for name in _in_order(entry, read, _IMPORT)
        for source in _LATE.findall(_without_comments(read(name)))
    ]
    return list(dict.fromkeys(found))


def _function(name: str, read: Read, number: dict[str, int], late: dict[str, str]) -> str:
    """A module as the constant `$m…`; `late` has what stands for an import that is loaded later."""

    def imported(found: re.Match[str]) -> str:
        names = found[1].strip().replace(" as ", ": ")
        return f"const {{{names}}} = $m{number[_resolved(name, found[2])]};"

    text = _IMPORT.sub(imported, _without_comments(read(name)))
    text = _LATE.sub(lambda found: late[_resolved(name, found[1])], text)
    exported = ", ".join(found[2] for found in _EXPORT.finditer(text))
    code = _EXPORT.sub(r"\1", text).strip()
    return f"const $m{number[name]} = (() => {{\n{code}\nreturn {{{exported}}};\n}})();\n"


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
        for found in statement.finditer(read(name)):
            visit(_resolved(name, found[statement.groups]), (*way, name))
        order[name] = None

    visit(entry, ())
    return list(order)


def _resolved(name: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), source))


def _without_comments(text: str) -> str:
    """Comments, indentation and empty lines are half of what would be sent."""
    return _INDENTATION.sub("", _IN_LINES.sub("", _COMMENTS.sub("", text)))
