"""The changes to a module: mutmut's operators wherever they apply, and a few of our own.

mutmut's own command changes functions only, and none with a decorator; but limits are constants, and views properties.
Words, names and types stay as they are: the catalogues and the contract have tests of their own.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import libcst
from libcst import metadata
from mutmut.mutation import mutators

Operator = Callable[[Any], Iterable[libcst.CSTNode]]


def _dropped_argument(call: libcst.Call) -> Iterator[libcst.CSTNode]:
    for changed in mutators.operator_arg_removal(call):
        if isinstance(changed, libcst.Call) and len(changed.args) < len(call.args):
            yield changed


def _turned_round(node: Any) -> Iterator[libcst.CSTNode]:
    test = node.test.with_changes(lpar=[libcst.LeftParen()], rpar=[libcst.RightParen()])
    yield node.with_changes(test=libcst.UnaryOperation(libcst.Not(), test))


def _dropped_statement(node: libcst.Expr) -> Iterator[libcst.CSTNode]:
    if isinstance(node.value, libcst.Call):
        yield libcst.Pass()


OPERATORS: tuple[tuple[type[libcst.CSTNode], Operator], ...] = (
    (libcst.BaseNumber, mutators.operator_number),
    (libcst.Name, mutators.operator_name),
    (libcst.AugAssign, mutators.operator_augmented_assignment),
    (libcst.UnaryOperation, mutators.operator_remove_unary_ops),
    (libcst.CSTNode, mutators.operator_keywords),
    (libcst.CSTNode, mutators.operator_swap_op),
    (libcst.Match, mutators.operator_match),
    (libcst.IfExp, mutators.operator_if_exp),
    (libcst.Call, _dropped_argument),
    (libcst.If, _turned_round),
    (libcst.While, _turned_round),
    (libcst.CompIf, _turned_round),
    (libcst.Expr, _dropped_statement),
)


FOR_CHECKERS = ("TypeVar", "cast", "dataclass_transform")
"""Calls that say something about types and do nothing else."""


FOR_TWO = ("lock=True", "key_share=True", "with_for_update()")
"""Code that matters to two requests at one moment: tests/service/tables/play/test_races.py tests it."""


class Mutant(NamedTuple):
    """A module with one change."""

    module: str
    line: int
    source: str
    """The whole module as changed."""
    diff: str

    @property
    def key(self) -> str:
        """A key that is the same for the same change of the same module."""
        return hashlib.sha256(f"{self.module}\n{self.source}".encode()).hexdigest()[:16]

    def changed(self, sign: str) -> str:
        """The lines that the change took away (`-`) or brought (`+`), in one line."""
        lines = [line[1:].strip() for line in self.diff.splitlines()[2:] if line.startswith(sign)]
        return " ".join(lines)


class _Places(libcst.CSTVisitor):
    """Finds the nodes that can be changed, and their lines."""

    METADATA_DEPENDENCIES = (metadata.PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[libcst.CSTNode, libcst.CSTNode, int]] = []
        self._line = 1

    def on_visit(self, node: libcst.CSTNode) -> bool:
        if isinstance(node, libcst.Annotation | libcst.Import | libcst.ImportFrom | libcst.Assert):
            return False
        if isinstance(node, libcst.Call) and getattr(node.func, "value", None) in FOR_CHECKERS:
            return False
        place = self.get_metadata(metadata.PositionProvider, node, None)
        if isinstance(place, metadata.CodeRange):
            self._line = place.start.line
        for kind, operator in OPERATORS:
            if isinstance(node, kind):
                self.found += [(node, changed, self._line) for changed in operator(node)]
        return True


def mutants(module: str, source: str, sample: int, seed: int) -> list[Mutant]:
    """All mutants of a module, or this number of them, in the order of its lines."""
    wrapper = metadata.MetadataWrapper(libcst.parse_module(source))
    places = _Places()
    wrapper.visit(places)
    chosen = range(len(places.found))
    if 0 < sample < len(chosen):
        chosen = sorted(random.Random(f"{seed} {module}").sample(chosen, sample))
    found = []
    for node, changed, line in (places.found[index] for index in chosen):
        text = wrapper.module.deep_replace(node, changed).code
        changes = ast.dump(ast.parse(text)) != ast.dump(ast.parse(source))
        if changes and not _unlocks(source, text):
            found.append(Mutant(module, line, text, _diff(module, source, text)))
    return found


def _unlocks(before: str, after: str) -> bool:
    """Whether only a lock is gone."""
    return any(before.count(lock) != after.count(lock) for lock in FOR_TWO)


def _diff(module: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), module, module, lineterm="", n=0
    )
    return "\n".join(lines)


def statement(source: str, line: int) -> range:
    """The lines of the innermost statement around a line; for a statement with a body, the lines before the body."""
    best = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno if body else (node.end_lineno or 0) + 1
            if line < max(end, node.lineno + 1):
                best = range(node.lineno, max(end, node.lineno + 1))
    return best
