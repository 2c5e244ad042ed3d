"""Webhooks can be written as chat services read them."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column("receivers", sa.Column("shape", sa.String(length=12), nullable=True))


def downgrade() -> None:
    op.drop_column("receivers", "shape")
