"""Indexes for webhooks with news, for due rows, for emails to a person and for everything made with a token."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

INDEXES = (
    ("ix_listeners_news", "listeners", "player_id", "last > spread"),
    ("ix_deliveries_due", "deliveries", "run_at", "done_at IS NULL"),
    ("ix_outbox_tenure_id", "outbox", "tenure_id", None),
    ("ix_receivers_made_by", "receivers", "made_by", "made_by IS NOT NULL"),
    ("ix_credentials_made_by", "credentials", "made_by", "made_by IS NOT NULL"),
)
"""The name, table and columns of each index, and its condition if it does not contain all rows."""


def upgrade() -> None:
    op.add_column("listeners", sa.Column("spread", sa.Integer(), nullable=True))
    listeners = sa.table("listeners", sa.column("player_id"), sa.column("spread"))
    receivers = sa.table("receivers", *map(sa.column, ("player_id", "kind", "off_at")))
    told = sa.select(receivers.c.player_id).where(
        receivers.c.kind == "webhook", receivers.c.off_at.is_(None)
    )
    lacking = sa.update(listeners).where(listeners.c.spread.is_(None))
    op.execute(lacking.where(listeners.c.player_id.in_(told)).values(spread=0))
    for name, table, column, where in INDEXES:
        only = where and sa.text(where)
        op.create_index(name, table, [column], sqlite_where=only, postgresql_where=only)


def downgrade() -> None:
    for name, table, _, _ in reversed(INDEXES):
        op.drop_index(name, table)
    op.drop_column("listeners", "spread")
