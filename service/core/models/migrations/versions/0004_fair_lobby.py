"""A lobby that mixes hosts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    rank = sa.Column("opener_rank", sa.Integer(), nullable=False, server_default="0")
    op.add_column("games", rank)


def downgrade() -> None:
    op.drop_column("games", "opener_rank")
