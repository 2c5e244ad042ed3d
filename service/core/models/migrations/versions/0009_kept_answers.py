"""Responses to requests that may be repeated are kept for a day."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "kept_answers",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("request", sa.LargeBinary(32), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_answers")),
    )
    op.create_index(op.f("ix_kept_answers_ends_at"), "kept_answers", ["ends_at"])


def downgrade() -> None:
    op.drop_table("kept_answers")
