"""Everything that was made with a token ends together with that token."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("credentials", sa.Column("made_by", sa.String(26), nullable=True))
    op.add_column("receivers", sa.Column("made_by", sa.String(26), nullable=True))


def downgrade() -> None:
    op.drop_column("receivers", "made_by")
    op.drop_column("credentials", "made_by")
