"""Players can be notified in their browsers by Web Push."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("receivers", sa.Column("keys", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("receivers", sa.Column("credential_id", sa.String(26), nullable=True))
    op.add_column("receivers", sa.Column("delivered_at", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("pushed_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM receivers WHERE kind = 'push'")
    op.drop_column("outbox", "pushed_at")
    op.drop_column("receivers", "delivered_at")
    op.drop_column("receivers", "credential_id")
    op.drop_column("receivers", "keys")
