"""The parts that only PostgreSQL's driver needs; they are loaded only if that is the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
import sqlalchemy
from psycopg.adapt import Dumper
from sqlalchemy import Dialect, Engine, PoolProxiedConnection, event

from service.core.database.batches import Overtaken, Text, Writer
from service.core.database.connecting import Connection, Parameter, Reach, connect
from service.core.database.tables import Look
from service.core.settings.database_address import Patience

_MOST_PREPARED = 1000
"""The largest number of statements that a connection keeps prepared; in practice there are fewer."""
_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"


class Number(Dumper):
    """The driver's adapter that sends integers without a type.

    The driver's own type depends on the size of the number, and makes a different statement for each size.
    """

    def dump(self, obj: int) -> bytes:
        """The digits of the number, as bytes."""
        return str(obj).encode()


def listen(
    engines: Iterable[Engine], patience: Patience, look: Look | None, *, prepared: bool
) -> None:
    """Set up the connections of engines to one database: their time limits, and the statements that they prepare."""
    reach = Reach()

    def connect_bounded(
        _dialect: Dialect, _record: object, _args: object, told: dict[str, Parameter]
    ) -> Connection:
        return connect(reach, patience, told, look, prepared=prepared)

    def begin(connection: sqlalchemy.Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, Connection)
        if driver.begins_with:
            connection.exec_driver_sql(driver.begins_with)

    for engine in engines:
        event.listen(engine, "do_connect", connect_bounded)
        event.listen(engine, "begin", begin)
        if engine.get_execution_options().get("alone"):
            event.listen(engine, "connect", lambda connection, _record: prepare_at_once(connection))


def prepare_at_once(connection: Connection) -> None:
    """Let a connection prepare each statement when it is first run, and PostgreSQL plan it then.

    The driver would prepare a statement at its sixth use, and PostgreSQL would plan it each of the first five times.
    For a query that joins tables, planning takes ten times as long as running, and since all queries look for keys
    there is only one good plan. Nothing is prepared through a proxy that hands connections on.
    """
    connection.adapters.register_dumper(int, Number)
    if not connection.begins_with:
        connection.prepare_threshold, connection.prepared_max = 0, _MOST_PREPARED
        connection.execute("SET plan_cache_mode = force_generic_plan")


class OnPostgresql(Writer):
    """A writer that sends all statements before it waits for the first result.

    PostgreSQL locks rows as they are changed.
    """

    def __init__(self, connection: PoolProxiedConnection) -> None:
        super().__init__(connection)
        self._driver: Connection = connection.driver_connection  # type: ignore[assignment]

    def write(self, texts: Sequence[Text]) -> None:
        """Run these statements in a transaction, which begins along with them, as Writer does.

        Raises Overtaken if a row has changed, and the driver's errors.
        """
        to_find, failures = list[psycopg.Cursor[Any]](), list[psycopg.Error]()
        try:
            with self._driver.pipeline():
                try:
                    self._driver.execute(_BEGIN)
                    if self._driver.begins_with:
                        self._driver.execute(self._driver.begins_with)
                    for text, values, only_if_found in texts:
                        cursor = self._driver.execute(text, values)
                        if only_if_found:
                            to_find.append(cursor)
                except psycopg.Error as error:
                    failures.append(error)  # otherwise the pipeline logs the failures that follow
        except psycopg.Error as error:
            failures.append(error)
        if any(cursor.rowcount == 0 for cursor in to_find):
            raise Overtaken
        if failures:
            raise failures[0]
