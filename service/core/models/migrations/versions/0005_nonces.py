"""Nonces that are sent after the commitment: a table that starts automatically waits for its opener's nonce."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
STARTING = sa.text("starts_at IS NOT NULL")


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column("awaits_nonce", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("games", sa.Column("starts_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_starts",
        "games",
        ["starts_at"],
        sqlite_where=STARTING,
        postgresql_where=STARTING,
    )


def downgrade() -> None:
    op.drop_index("ix_games_starts", "games")
    op.drop_column("games", "starts_at")
    op.drop_column("games", "awaits_nonce")
