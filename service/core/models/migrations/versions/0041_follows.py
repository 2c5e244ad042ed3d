"""People can follow others."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    op.create_table(
        "follows",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("followed_id", sa.String(26), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [name],
                ["players.id"],
                name=op.f(f"fk_follows_{name}_players"),
                ondelete="CASCADE",  # the previous release erases players without this table
            )
            for name in ("player_id", "followed_id")
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_follows")),
        sa.UniqueConstraint("id", name=op.f("uq_follows_id")),
        sa.UniqueConstraint(
            "player_id", "followed_id", name=op.f("uq_follows_player_id_followed_id")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_follows_followed_id_key", "follows", ["followed_id", "key"])


def downgrade() -> None:
    op.drop_table("follows")
