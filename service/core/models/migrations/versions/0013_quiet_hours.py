"""Players can have quiet hours."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("players", sa.Column("quiet", sa.String(11), nullable=True))


def downgrade() -> None:
    op.drop_column("players", "quiet")
