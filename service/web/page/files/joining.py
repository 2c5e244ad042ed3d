"""Joining the modules and the style sheets, which are many files in the source tree, so that a browser gets one file of
each kind.

A phone would request a hundred and fifty modules, level by level of their imports, which takes seconds on a slow line.
So they are joined when the server starts, without a build: each module comes after those that it imports, in a scope
shared by all. A module that declares a name already taken there becomes a function that returns its exports, so no text
is ever changed. (Renaming names would save 0.2 KB of a first visit.) This relies on only two forms of statements, which
`tests/web/test_rooms.py` enforces: `import {…} from "…";`, and `export` before a function, a class or a constant. Other
declarations begin at the start of a line, and have no name that browsers use.

Parts that not every visit needs are not sent with the rest: `import("…")` names a module that is loaded later, in a
file of its own with everything that only it needs. That file is a function of the things that it takes from modules
already loaded, so both are named by their content, and no module is ever created twice. Files that it loads still later
work in the same way.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import orjson

Read = Callable[[str], str]
"""A function that returns the text of the file at a path in `web/`."""
Publish = Callable[[str, str], str]
"""A function that takes the name (without folders) and the text of a file that is loaded later, and returns its
address.
"""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n?', re.M)
_LATE = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.M)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
_SHEET = re.compile(r'^@import url\("(\.[^"]+)"\);$', re.M)
_COMMENTS = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.M | re.S)
_IN_LINES = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?|(?<=[;,{}]) // [^\n\"'`]*$", re.M)
"""The types of expressions, and comments at the end of a line. A comment with a quotation mark may be text, and
stays.
"""
_INDENTATION = re.compile(r"^\s+", re.M)
"""The indentation of lines, empty lines included."""


class Cycle(Exception):
    """A module imports itself, through other modules."""


class SingleFile(Exception):
    """A module to be loaded later was named where a single file has to be made."""


def join_modules(entry: str, read: Read, publish: Publish | None = None) -> str:
    """One module that does what `entry` does; `publish` gets the files that it loads later.

    Raises Cycle and SingleFile.
    """
    joining = _Joining(read, publish)
    made = joining.made(joining.with_shared(_in_order(entry, read, _IMPORT)))
    return (_LOADING if joining.loads_later else "") + made


_LATE_NAME = "$late"
_LOADING = f"""const $made = {{}}, $again = {{}};
const $failed = address => error => {{
$again[address] = `?${{Date.now()}}`;
throw error;
}};
const {_LATE_NAME} = (address, given) => import(address + ($again[address] ?? ""))
.then(file => $made[address] ??= file.default(given), $failed(address));
"""
"""The code that loads a file later: browsers cache the file, and this code caches the module made from it.

Some browsers remember that a file did not arrive, so it is requested again at another address.
"""


class _Joining:
    """The work of turning modules into files. Each file is a function of the exports that it needs from files loaded
    before it.
    """

    def __init__(self, read: Read, publish: Publish | None) -> None:
        self._read, self._publish = read, publish
        self._names = dict[str, dict[str, str]]()
        """The exports of each module loaded so far, with their names in all files."""
        self._taken = set[str]()
        self._later_files = 0

    @property
    def loads_later(self) -> bool:
        return self._later_files > 0

    def made(self, modules: list[str]) -> str:
        """The text of these modules, one after the other, and the code that loads others later."""
        calls = {
            name: f"$l{n}"
            for n, name in enumerate(loaded_by(modules, self._read), self._later_files)
        }
        self._later_files += len(calls)
        code = "".join(self._module(name, calls) for name in modules)
        later = (f"const {call} = () => {self._later(name)};\n" for name, call in calls.items())
        return "".join(later) + code

    def with_shared(self, order: list[str]) -> list[str]:
        """These modules and, before the last of them, the modules that several of the later files need."""
        needs = [self._needs(name) for name in loaded_by(order, self._read)]
        needed = Counter(name for each in needs for name in each)
        *before, last = order
        known = {*order, *self._names}
        shared = [name for name, files in needed.items() if files > 1 and name not in known]
        return [*before, *shared, last]

    def _module(self, name: str, calls: dict[str, str]) -> str:
        """The text of a module in the common scope, or as a function if one of its names is taken."""
        text = _without_comments(self._read(name))
        other_names = {
            local: self._names[source][exported]
            for source, exported, local in _imports(name, text)
            if self._names[source][exported] != local
        }
        exported = [found[2] for found in _EXPORT.finditer(text)]
        own = {*_DECLARED.findall(self._read(name)), *other_names}  # in a function it is indented
        code = "".join(f"const {each} = {other};\n" for each, other in other_names.items())
        code += _EXPORT.sub(r"\1", _IMPORT.sub("", text)).strip()
        code = _LATE.sub(lambda found: f"{calls[_resolved(name, found[1])]}()", code)
        self._names[name] = {each: self._free(each) for each in exported}
        is_taken = any(each != free for each, free in self._names[name].items())
        if not is_taken and (own - {*exported}).isdisjoint(self._taken):
            self._taken |= own
            return f"{code}\n"
        if not exported:
            return f"(() => {{\n{code}\n}})();\n"
        given = _members(self._names[name])
        return f"const {{{given}}} = (() => {{\n{code}\nreturn {{{', '.join(exported)}}};\n}})();\n"

    def _free(self, name: str) -> str:
        """A name like this one that nothing else has."""
        free = next(each for each in _numbered(name) if each not in self._taken)
        self._taken.add(free)
        return free

    def _later(self, name: str) -> str:
        """The code that replaces a late import: it loads the file of that module, which is published here. Raises
        SingleFile.
        """
        if self._publish is None:
            raise SingleFile(name)
        there = set(self._names)
        own = [each for each in _in_order(name, self._read, _IMPORT) if each not in there]
        own = self.with_shared(own) if own else []
        body = self.made(own)
        exported = _members(self._names[name])
        given = f"{{{', '.join(self._given(name, there))}}}"
        text = f"export default ({given}) => {{\n{body}return {{{exported}}};\n}};\n"
        address = self._publish(posixpath.basename(name), text)
        return f"{_LATE_NAME}({orjson.dumps(address).decode()}, {given})"

    def _given(self, name: str, there: set[str]) -> list[str]:
        """The names that a file takes from modules loaded before it, both for itself and for the files that it
        loads.
        """
        own = [each for each in self._needs(name) if each not in there]
        taken = {
            self._names[source][exported]: None
            for module in own
            for source, exported, _ in _imports(module, self._read(module))
            if source in there
        }
        if name in there:
            taken |= dict.fromkeys(self._names[name].values())
        if loaded_by(own, self._read):
            taken[_LATE_NAME] = None
        return list(taken)

    def _needs(self, name: str) -> list[str]:
        """Everything that a module needs, now or later, each module after its imports."""
        now = _in_order(name, self._read, _IMPORT)
        later = [each for late in loaded_by(now, self._read) for each in self._needs(late)]
        return list(dict.fromkeys([*now, *later]))


def _imports(name: str, text: str) -> Iterator[tuple[str, str, str]]:
    """The imports in the text of a module: the imported module, the name there, and the name here."""
    for names, source in _IMPORT.findall(text):
        for each in filter(None, map(str.strip, names.split(","))):
            exported, _, local = each.partition(" as ")
            yield _resolved(name, source), exported, local or exported


def _members(names: dict[str, str]) -> str:
    """The text of an object or a pattern with these members under these names."""
    return ", ".join(
        exported if exported == name else f"{exported}: {name}" for exported, name in names.items()
    )


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}${number}" for number in itertools.count(2))


def reached(entry: str, read: Read, *but: str) -> list[str]:
    """The modules that `entry` needs at once or later, except those that only the modules in `but` need."""
    found: dict[str, None] = {}
    ahead = [entry]
    while ahead:
        for name in _in_order(ahead.pop(), read, _IMPORT):
            if name not in found:
                found[name] = None
                ahead += [each for each in loaded_by([name], read) if each not in (*but, *found)]
    return list(found)


def loaded_by(modules: Iterable[str], read: Read) -> list[str]:
    """The modules that these load later."""
    found = (
        _resolved(name, source)
        for name in modules
        for source in _LATE.findall(_without_comments(read(name)))
    )
    return list(dict.fromkeys(found))


def join_sheets(entry: str, read: Read) -> str:
    """One style sheet with everything that `entry` imports, in order; its addresses start at the root."""
    return "".join(
        _without_comments(_SHEET.sub("", read(name))) for name in _in_order(entry, read, _SHEET)
    )


def _in_order(entry: str, read: Read, statement: re.Pattern[str]) -> list[str]:
    """`entry` and the files that it imports, each after its own imports. Raises Cycle."""
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
    """The text without comments, indentation and empty lines, which make up half of the bytes."""
    return _INDENTATION.sub("", _IN_LINES.sub("", _COMMENTS.sub("", text)))
