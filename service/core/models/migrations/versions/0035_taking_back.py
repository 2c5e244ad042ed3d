"""Moves can be taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.add_column("games", sa.Column("undone", sa.JSON, nullable=True))
    op.add_column("games", sa.Column("standing", sa.JSON, nullable=True))
    op.add_column(
        "players",
        sa.Column("no_take_backs", sa.Boolean, nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("players", "no_take_backs")
    op.drop_column("games", "standing")
    op.drop_column("games", "undone")
