"""An index with which a move finds the unsent emails to the people at its table."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
UNSENT = sa.text("done_at IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_outbox_unsent",
        "outbox",
        ["tenure_id", "done_at"],  # SQLite would not choose it if it had one column
        sqlite_where=UNSENT,
        postgresql_where=UNSENT,
    )


def downgrade() -> None:
    op.drop_index("ix_outbox_unsent", "outbox")
