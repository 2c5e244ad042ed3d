"""The time lost in an outage is credited to one game at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("began_at", name=op.f("pk_outages")),
    )
    op.add_column("games", sa.Column("credited_until", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "credited_until")
    op.drop_table("outages")
