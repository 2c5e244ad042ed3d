"""Circles: their members, their talk and their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"

IN_CIRCLE = sa.text("circle_key IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "circles",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("about", sa.Text(), nullable=True),
        sa.Column("host_id", sa.String(26), nullable=False),
        sa.Column("link_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["host_id"],
            ["players.id"],
            name=op.f("fk_circles_host_id_players"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_circles")),
        sa.UniqueConstraint("id", name=op.f("uq_circles_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_circles_host_id", "circles", ["host_id"])
    op.create_table(
        "circle_members",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("circle_key", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.Column("read", sa.Integer(), server_default="0", nullable=False),
        _of_circle("circle_members"),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_circle_members_player_id_players"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_circle_members")),
        sa.UniqueConstraint("id", name=op.f("uq_circle_members_id")),
        sa.UniqueConstraint(
            "circle_key", "player_id", name=op.f("uq_circle_members_circle_key_player_id")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_circle_members_player_id", "circle_members", ["player_id"])
    op.create_table(
        "circle_messages",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("circle_key", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=True),
        sa.Column("name", sa.String(40), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("once", sa.String(64), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("hidden_at", sa.BigInteger(), nullable=True),
        _of_circle("circle_messages"),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_circle_messages_player_id_players"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_circle_messages")),
        sa.UniqueConstraint(
            "circle_key", "number", name=op.f("uq_circle_messages_circle_key_number")
        ),
        sa.UniqueConstraint(
            *("circle_key", "player_id", "once"),
            name=op.f("uq_circle_messages_circle_key_player_id_once"),
        ),
    )
    op.create_index("ix_circle_messages_player_id", "circle_messages", ["player_id"])
    op.add_column("games", sa.Column("circle_key", sa.Integer(), nullable=True))
    op.create_index(
        "ix_games_circle",
        "games",
        ["circle_key", "key"],
        sqlite_where=IN_CIRCLE,
        postgresql_where=IN_CIRCLE,
    )


def _of_circle(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_circle_key_circles")
    return sa.ForeignKeyConstraint(["circle_key"], ["circles.key"], name=name, ondelete="CASCADE")


def downgrade() -> None:
    op.drop_index("ix_games_circle", "games")
    op.drop_column("games", "circle_key")
    for table in ("circle_messages", "circle_members", "circles"):
        op.drop_table(table)
