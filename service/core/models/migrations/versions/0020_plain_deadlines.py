"""The time that quiet hours have added to a deadline is stored with the deadline."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("seats", sa.Column("moved", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("seats", "moved")
