"""A vacation says which answers the service gives for the player during it."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    op.add_column("vacations", sa.Column("answers", sa.String(length=8), nullable=True))


def downgrade() -> None:
    op.drop_column("vacations", "answers")
