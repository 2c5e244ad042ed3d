"""Series: seasons, the places in them, and their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    op.create_table(
        "series",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("circle_key", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.String(26), nullable=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("round_days", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("season", sa.Integer(), server_default="1", nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("system", sa.String(12), nullable=True),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["circle_key"],
            ["circles.key"],
            name=op.f("fk_series_circle_key_circles"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_series_player_id_players"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_series")),
        sa.UniqueConstraint("id", name=op.f("uq_series_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_series_circle_key", "series", ["circle_key"])
    op.create_index("ix_series_player_id", "series", ["player_id"])
    _partial_index("ix_series_looked_at", "series", "look_at", "status <> 'over'")
    _partial_index("ix_series_ended", "series", "ended_at", "ended_at IS NOT NULL")
    _partial_index("ix_series_public", "series", "key", "circle_key IS NULL")
    _create_entries()
    _create_tables()


def _partial_index(name: str, table: str, column: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, [column], sqlite_where=condition, postgresql_where=condition)


def _create_entries() -> None:
    op.create_table(
        "series_entries",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("series_key", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.String(26), nullable=True),
        sa.Column("at_once", sa.Integer(), server_default="1", nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["series_key"],
            ["series.key"],
            name=op.f("fk_series_entries_series_key_series"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_series_entries_player_id_players"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_series_entries")),
        sa.UniqueConstraint("id", name=op.f("uq_series_entries_id")),
        sa.UniqueConstraint(
            "series_key", "player_id", name=op.f("uq_series_entries_series_key_player_id")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_series_entries_player_id", "series_entries", ["player_id"])


def _create_tables() -> None:
    op.create_table(
        "series_tables",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("series_key", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("ready_at", sa.BigInteger(), nullable=True),
        sa.Column("game_key", sa.Integer(), nullable=True),
        sa.Column("seated", sa.JSON(), nullable=True),
        sa.Column("places", sa.JSON(), nullable=True),
        sa.Column("why", sa.String(12), nullable=True),
        sa.ForeignKeyConstraint(
            ["series_key"],
            ["series.key"],
            name=op.f("fk_series_tables_series_key_series"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_series_tables")),
        sa.UniqueConstraint(
            "series_key", "round", "number", name=op.f("uq_series_tables_series_key_round_number")
        ),
        sqlite_autoincrement=True,
    )
    _partial_index("ix_series_tables_ready", "series_tables", "ready_at", "ready_at IS NOT NULL")
    _partial_index("ix_series_tables_game", "series_tables", "game_key", "game_key IS NOT NULL")


def downgrade() -> None:
    for table in ("series_tables", "series_entries", "series"):
        op.drop_table(table)
