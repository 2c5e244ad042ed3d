"""Players can have one email a day instead of one for each turn."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("players", sa.Column("digest", sa.String(5), nullable=True))
    op.add_column("players", sa.Column("digested", sa.String(10), nullable=True))


def downgrade() -> None:
    op.drop_column("players", "digested")
    op.drop_column("players", "digest")
