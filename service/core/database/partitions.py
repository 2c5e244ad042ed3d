"""The events of a large site in partitions of PostgreSQL, made while people play and without copying rows.

Games up to a key, the *boundary*, stay in the present table, which becomes the first partition as it is. The events of
later games lie in partitions by a hash of the game. Every statement about events names the game, so no statement has to
change.

Partitions by hash alone cannot be made of existing rows: PostgreSQL checks each row of a partition, and most rows would
belong to another one. For a range, one constraint proves where all old rows belong, and PostgreSQL validates it while
others read and write.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Engine

from service.core.database.changing_tables import changing_tables, patiently

MOST = 256
"""The largest number of partitions by hash: more would cost each statement more to plan than they save a vacuum."""
HEADROOM, OF_ALL = 1000, 100
"""The keys between the last game and the boundary: a minimum, and one for every hundred games.

Games that are opened before the partitions exist have to lie below the boundary.
"""
OLD = "events_old"
"""The name of the partition of all games up to the boundary."""
BY_HASH = "events_by_hash"
"""The name of the partition of later games, which itself has partitions by hash: `events_by_hash_0` and so on."""
_CHECK = "events_below_boundary"
"""The name of the constraint that proves that all rows of the old table are below the boundary."""

_IS_PARTITIONED = "SELECT relkind = 'p' FROM pg_class WHERE oid = 'events'::regclass"
_IS_BEGUN = """
SELECT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = 'events'::regclass AND conname = %s)
"""
_NAMES = """
SELECT child.relname FROM pg_inherits
JOIN pg_class AS child ON child.oid = inhrelid
JOIN pg_class AS parent ON parent.oid = inhparent
WHERE parent.relkind = 'p' AND child.relkind IN ('r', 'p')
"""
_LAST_KEY = "SELECT coalesce(max(key), 0) FROM games"
_GIVEN_UP = f"ALTER TABLE events DROP CONSTRAINT IF EXISTS {_CHECK}"
_PROMISED = f"ALTER TABLE events ADD CONSTRAINT {_CHECK} CHECK (game_key < {{boundary}}) NOT VALID"
_PROVEN = f"ALTER TABLE events VALIDATE CONSTRAINT {_CHECK}"
_EXCHANGED = (
    # The tables are in the order in which a move locks them.
    "LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE",
    "LOCK TABLE events IN ACCESS EXCLUSIVE MODE",
    f"ALTER TABLE events RENAME TO {OLD}",
    f"ALTER INDEX pk_events RENAME TO pk_{OLD}",
    f"ALTER INDEX uq_events_game_key_seat_asked RENAME TO uq_{OLD}_game_key_seat_asked",
    f"CREATE TABLE events (LIKE {OLD}) PARTITION BY RANGE (game_key)",
    "ALTER TABLE events ADD CONSTRAINT pk_events PRIMARY KEY (game_key, number)",
    "ALTER TABLE events ADD CONSTRAINT uq_events_game_key_seat_asked UNIQUE (game_key, seat, asked)",
    "ALTER TABLE events ADD CONSTRAINT fk_events_game_key FOREIGN KEY (game_key) REFERENCES games (key)",
    # The new table has the same triggers, which apply to each row in all partitions.
    f"DROP TRIGGER events_never_change ON {OLD}",
    f"ALTER TABLE events ATTACH PARTITION {OLD} FOR VALUES FROM (MINVALUE) TO ({{boundary}})",
    f"ALTER TABLE {OLD} DROP CONSTRAINT {_CHECK}",
    f"""
    CREATE TABLE {BY_HASH} PARTITION OF events
    FOR VALUES FROM ({{boundary}}) TO (MAXVALUE) PARTITION BY HASH (game_key)
    """,
    """
    CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION keep_events()
    """,
)
_ONE = (
    f"CREATE TABLE {BY_HASH}_{{nth}} PARTITION OF {BY_HASH}"
    " FOR VALUES WITH (MODULUS {parts}, REMAINDER {nth})"
)
_NEVER_GO = """
CREATE TRIGGER events_never_go BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION keep_events()
"""


def partitions(connection: Connection) -> frozenset[str]:
    """The names of all tables that are partitions of another table; empty on SQLite."""
    if connection.dialect.name != "postgresql":
        return frozenset()
    return frozenset(connection.exec_driver_sql(_NAMES).scalars())


def is_partitioned(connection: Connection) -> bool:
    """Whether the events of this PostgreSQL lie in partitions."""
    return bool(connection.exec_driver_sql(_IS_PARTITIONED).scalar_one())


def is_begun(connection: Connection) -> bool:
    """Whether the boundary is set although there are no partitions, so that no game above it could be played."""
    if connection.dialect.name != "postgresql":
        return False
    return bool(connection.exec_driver_sql(_IS_BEGUN, (_CHECK,)).scalar_one())


def partition(engine: Engine, parts: int, headroom: int = HEADROOM) -> int:
    """Divide the events of a PostgreSQL database into the old table and `parts` partitions by hash, while others play.

    Returns the boundary: the lowest key of a game that lies in a partition by hash. If this fails, the table stays as
    it was. Raises what `patiently` raises.
    """
    boundary = patiently(lambda: _promise(engine, headroom))
    try:
        patiently(lambda: _run(engine, [_PROVEN]))
        patiently(lambda: _exchange(engine, boundary, parts))
    except BaseException:
        patiently(lambda: _run(engine, [_GIVEN_UP]))
        raise
    return boundary


def _promise(engine: Engine, headroom: int) -> int:
    """From now on, let no event be written of a game above the boundary, which is returned."""
    with changing_tables(engine) as connection:
        last: int = connection.exec_driver_sql(_LAST_KEY).scalar_one()
        boundary = last + max(headroom, last // OF_ALL)
        for statement in (_GIVEN_UP, _PROMISED.format(boundary=boundary)):
            connection.exec_driver_sql(statement)
        return boundary


def _run(engine: Engine, statements: Iterable[str]) -> None:
    with changing_tables(engine) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def _exchange(engine: Engine, boundary: int, parts: int) -> None:
    """Make the old table the first partition of a new one with the same name, and add the other partitions."""
    leaves = [f"{BY_HASH}_{nth}" for nth in range(parts)]
    with changing_tables(engine) as connection:
        for statement in _EXCHANGED:
            connection.exec_driver_sql(statement.format(boundary=boundary))
        for nth in range(parts):
            connection.exec_driver_sql(_ONE.format(nth=nth, parts=parts))
        for table in ("events", BY_HASH, *leaves):
            connection.exec_driver_sql(_NEVER_GO.format(table=table))
