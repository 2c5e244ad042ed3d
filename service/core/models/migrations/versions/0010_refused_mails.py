"""The replies of mail servers are kept with the emails, and players can be told that no mail reaches them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("refusal", sa.String(40), nullable=True))
    op.add_column("accounts", sa.Column("undelivered", sa.String(10), nullable=True))
    op.add_column("accounts", sa.Column("undelivered_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("accounts", "undelivered_at")
    op.drop_column("accounts", "undelivered")
    op.drop_column("outbox", "refusal")
