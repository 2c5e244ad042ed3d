"""Changes for a player are kept, for programs that follow them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "listeners",
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_listeners")),
    )
    op.create_table(
        "changes",
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(26), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "number", name=op.f("pk_changes")),
    )
    op.create_index(op.f("ix_changes_at"), "changes", ["at"])


def downgrade() -> None:
    op.drop_table("changes")
    op.drop_table("listeners")
