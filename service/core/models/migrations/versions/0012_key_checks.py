"""The database knows which keys belong to it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "key_checks",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_key_checks")),
    )


def downgrade() -> None:
    op.drop_table("key_checks")
