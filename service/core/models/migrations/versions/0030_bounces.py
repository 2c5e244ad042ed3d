"""Emails that come back, and addresses to which emails pause because of that."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "bounces",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("why", sa.String(10), nullable=True),
        sa.Column("status", sa.String(12), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.Boolean(), nullable=False),
        sa.Column("lifted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_bounces")),
    )


def downgrade() -> None:
    op.drop_table("bounces")
