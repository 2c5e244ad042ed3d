"""People can leave orders with which the service answers for them; nobody else sees the orders."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

PRESENT = sa.text("ended_at IS NULL")
Id = sa.String(26)


def upgrade() -> None:
    op.add_column("tenures", sa.Column("orders", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "standing_orders",
        sa.Column("id", Id, nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("tenure_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("phase", sa.String(40), nullable=False),
        sa.Column("types", sa.JSON(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_number", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(16), nullable=True),
        *belonging("standing_orders"),
        sa.PrimaryKeyConstraint("id", name="pk_standing_orders"),
    )
    op.create_index(
        "ix_standing_orders_tenure_id_made_at", "standing_orders", ["tenure_id", "made_at"]
    )
    op.create_index("ix_standing_orders_game_key", "standing_orders", ["game_key"])
    op.create_index("ix_standing_orders_player_id", "standing_orders", ["player_id"])
    op.create_index(
        "ix_standing_orders_present",
        "standing_orders",
        ["player_id"],
        sqlite_where=PRESENT,
        postgresql_where=PRESENT,
    )
    op.create_table(
        "own_answers",
        sa.Column("game_key", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenure_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("order_id", Id, nullable=True),
        *belonging("own_answers"),
        sa.PrimaryKeyConstraint("game_key", "number", name="pk_own_answers"),
    )
    op.create_index("ix_own_answers_player_id", "own_answers", ["player_id"])
    op.create_index("ix_own_answers_tenure_id", "own_answers", ["tenure_id"])


def belonging(table: str) -> list[sa.ForeignKeyConstraint]:
    """The foreign keys of a row that belongs to a game, a tenure there, and a player."""
    return [
        sa.ForeignKeyConstraint(
            [f"{name}_{key}"],
            [f"{name}s.{key}"],
            name=f"fk_{table}_{name}_{key}",
            ondelete="CASCADE",
        )
        for name, key in (("game", "key"), ("tenure", "id"), ("player", "id"))
    ]


def downgrade() -> None:
    op.drop_table("own_answers")
    op.drop_table("standing_orders")
    op.drop_column("tenures", "orders")
