"""Safety: the scopes of tokens and the time when they expire; invitation keys that can be changed.

It also adds the subject of an email, and the person who caused it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("credentials", sa.Column("scopes", sa.String(length=40), nullable=True))
    op.add_column("credentials", sa.Column("expires_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE credentials SET scopes = 'read play talk account' WHERE kind = 'token'")
    number = sa.Column("invitation_number", sa.Integer(), nullable=False, server_default="0")
    op.add_column("games", number)
    op.add_column("outbox", sa.Column("about", sa.String(length=80), nullable=True))
    op.add_column("outbox", sa.Column("cause", sa.String(length=60), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "cause")
    op.drop_column("outbox", "about")
    op.drop_column("games", "invitation_number")
    op.drop_column("credentials", "expires_at")
    op.drop_column("credentials", "scopes")
