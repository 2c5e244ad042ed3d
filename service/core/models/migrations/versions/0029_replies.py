"""Players say whether moves that they send by answering an email need to be confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("players", sa.Column("confirm_replies", sa.String(length=7), nullable=True))


def downgrade() -> None:
    op.drop_column("players", "confirm_replies")
