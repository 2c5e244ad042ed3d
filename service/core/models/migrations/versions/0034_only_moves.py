"""An only move can be played for a person, after a wait that does not depend on the position."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

DUE = sa.text("acts_at IS NOT NULL")


def upgrade() -> None:
    op.add_column(
        "players",
        sa.Column("only_move", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("tenures", sa.Column("only_move", sa.Boolean(), nullable=True))
    for name in ("acts_from", "acts_at"):
        op.add_column("seats", sa.Column(name, sa.BigInteger(), nullable=True))
    op.create_index("ix_seats_acts", "seats", ["acts_at"], sqlite_where=DUE, postgresql_where=DUE)


def downgrade() -> None:
    op.drop_index("ix_seats_acts", "seats")
    for table, name in (
        ("seats", "acts_at"),
        ("seats", "acts_from"),
        ("tenures", "only_move"),
        ("players", "only_move"),
    ):
        op.drop_column(table, name)
