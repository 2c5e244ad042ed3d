"""Tables that rest on days of the week, or outside of agreed hours."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("games", sa.Column("rest", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "rest")
