"""Deliveries to webhooks and browsers are chosen fairly by host, by player and by how quickly they respond."""

from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

USUAL_PORTS = {"https": 443, "http": 80}


def upgrade() -> None:
    op.add_column("receivers", sa.Column("host", sa.String(500), nullable=True))
    op.add_column("receivers", sa.Column("tried_at", sa.BigInteger(), nullable=True))
    op.add_column(
        "receivers", sa.Column("quick", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    receivers = sa.table("receivers", sa.column("id"), sa.column("url"), sa.column("host"))
    connection = op.get_bind()
    lacking = receivers.c.host.is_(None)
    for row in connection.execute(sa.select(receivers.c.id, receivers.c.url).where(lacking)).all():
        same = sa.update(receivers).where(lacking, receivers.c.id == row.id)
        connection.execute(same.values(host=host_of(row.url)))


def host_of(url: str) -> str:
    """The host and port of an address, in lower case."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}:{parts.port or USUAL_PORTS.get(parts.scheme, '')}"


def downgrade() -> None:
    op.drop_column("receivers", "quick")
    op.drop_column("receivers", "tried_at")
    op.drop_column("receivers", "host")
