"""The parts of the standard library that some code uses, and those among them that a Python lacks.

As a program, it can be run by any Python without packages: it reads uses from standard input, as one JSON list, and
prints those that it does not know.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Use(NamedTuple):
    """A member of a module or of its classes (`tarfile`, `open`), or an argument of one (`extractall`, `filter`)."""

    modules: tuple[str, ...]
    name: str
    argument: str = ""


_TELLING = (ast.Import, ast.ImportFrom, ast.Attribute, ast.Call)
"""The nodes of a module that reveal its uses."""


def uses(source: bytes) -> Iterator[Use]:
    """The uses in the source of a module."""
    nodes = [each for each in ast.walk(ast.parse(source)) if isinstance(each, _TELLING)]
    imported = dict[str, str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            imported |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (Use((node.module,), each.name) for each in node.names)
            imported |= {f"{node.module}:": node.module}
    ours = {name: module for name, module in imported.items() if _is_standard(module)}
    modules = tuple(sorted({*ours.values()}))
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = ours.get(node.value.id) if isinstance(node.value, ast.Name) else None
            yield Use((owner,) if owner else modules, node.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = (each.arg for each in node.keywords if each.arg)
            yield from (Use(modules, node.func.attr, argument) for argument in named)


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def unknown(found: Iterable[Use]) -> list[Use]:
    """The uses that this Python does not know; names outside its standard library do not count."""
    return [use for use in found if all(map(_is_standard, use.modules)) and not _knows(use)]


def _knows(use: Use) -> bool:
    had = [each for name in use.modules for each in _had(name, use.name)]
    if not use.argument:
        inner = f"{use.modules[0]}.{use.name}" if use.modules else ""
        return bool(had or (inner and _loaded(inner)))
    return not had or any(_takes(each, use.argument) for each in had)


@functools.cache
def _had(module: str, name: str) -> list[Any]:
    """All members with this name of the module and its classes."""
    return [getattr(place, name) for place in _places(module) if hasattr(place, name)]


@functools.cache
def _places(module: str) -> list[Any]:
    """The module and its classes."""
    loaded = _loaded(module)
    return [loaded, *filter(_is_class, vars(loaded).values())] if loaded else []


@functools.cache
def _loaded(name: str) -> Any:
    try:
        return importlib.import_module(name) if _is_standard(name) else None
    except ImportError:
        return None


def _is_class(value: object) -> bool:
    return isinstance(value, type)


def _takes(function: Any, argument: str) -> bool:
    """Whether a function accepts this argument, or this cannot be determined."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    kinds = {each.kind for each in parameters.values()}
    return argument in parameters or inspect.Parameter.VAR_KEYWORD in kinds


if __name__ == "__main__":
    asked = [
        Use(tuple(modules), name, argument) for modules, name, argument in json.load(sys.stdin)
    ]
    print(json.dumps(unknown(asked)))
