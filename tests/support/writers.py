"""Wrappers of batch writers, which let tests do something at each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from flask import Flask
from sqlalchemy import PoolProxiedConnection

from service.core.database.batches import WRITER, Text, Writer, usual_writer
from service.core.database.database import db


class Around(Writer):
    """A writer that passes everything on to the usual one."""

    def __init__(self, inner: Writer) -> None:
        self._inner = inner

    def begin(self) -> None:
        """Begin a transaction, as the usual writer does."""
        self._inner.begin()

    def write(self, texts: Sequence[Text]) -> None:
        """Write statements, as the usual writer does."""
        self._inner.write(texts)

    def commit(self) -> None:
        """Commit the transaction, as the usual writer does."""
        self._inner.commit()

    def roll_back(self) -> None:
        """Roll the transaction back, as the usual writer does."""
        self._inner.roll_back()


class Watched(list[Text]):
    """Statements that report which of them is about to be run or sent."""

    def __init__(self, texts: Sequence[Text], hear: Callable[[int], None]) -> None:
        super().__init__(texts)
        self._hear = hear

    def __iter__(self) -> Iterator[Text]:
        for number, text in enumerate(super().__iter__(), 1):
            self._hear(number)
            yield text


def plant(app: Flask, around: Callable[[Writer], Writer]) -> None:
    """Make the writers of `app`, each wrapped by `around`."""
    with app.app_context():
        engine = db.engines["polls"]
    usual = usual_writer(engine)

    def make(connection: PoolProxiedConnection) -> Writer:
        return around(usual(connection))

    vars(engine)[WRITER] = make


@contextmanager
def planted(app: Flask, around: Callable[[Writer], Writer]) -> Iterator[None]:
    """A block in which `around` wraps the writers of `app`."""
    plant(app, around)
    try:
        yield
    finally:
        with app.app_context():
            del vars(db.engines["polls"])[WRITER]
