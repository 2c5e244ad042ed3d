"""Guests who come with a mailed invitation have proven the address to which it was mailed."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("players", sa.Column("proven", sa.String(254), nullable=True))


def downgrade() -> None:
    op.drop_column("players", "proven")
