"""Counting the statements that reach the database, and the calls of a method."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from rules.kernel import State
from service.core.database.database import db


@contextmanager
def statements() -> Iterator[list[str]]:
    """A block that lists every statement that SQLite runs for the current application inside it, with its
    parameters.
    """
    heard: list[str] = []

    def hear(connection: Any, _record: Any) -> None:
        connection.set_trace_callback(heard.append)

    for engine in db.engines.values():
        engine.dispose()
        event.listen(engine, "connect", hear)
    try:
        yield heard
    finally:
        for engine in db.engines.values():
            event.remove(engine, "connect", hear)
            engine.dispose()


@contextmanager
def calls(name: str, *classes: type) -> Iterator[list[tuple[Any, ...]]]:
    """A block that lists the arguments of every call of this method of one of `classes` inside it, `self` first."""
    heard: list[tuple[Any, ...]] = []
    own = {cls: vars(cls)[name] for cls in classes if name in vars(cls)}
    for cls, method in own.items():
        setattr(cls, name, _heard(method, heard))
    try:
        yield heard
    finally:
        for cls, method in own.items():
            setattr(cls, name, method)


def _heard(method: Any, heard: list[tuple[Any, ...]]) -> Any:
    @functools.wraps(method)
    def hear(*args: Any) -> Any:
        heard.append(args)
        return method(*args)

    return hear


def phases(cls: type[State] = State) -> Iterator[type[State]]:
    """Every subclass of `cls`: the classes of states."""
    yield cls
    for below in cls.__subclasses__():
        yield from phases(below)
