"""The logs of games that ended long ago can lie in cold storage."""

import sqlalchemy as sa
from alembic import op

from service.core.database.failures import KnownCause

revision = "0032"
down_revision = "0031"

WARM = sa.text("cold IS NULL AND ended_at IS NOT NULL")


class SomeAreCold(KnownCause):
    """Raised if games lie in cold storage, where the earlier release could not read them."""

    cause = "games lie in cold storage: run bin/tegami bring-back first"


def upgrade() -> None:
    op.add_column("games", sa.Column("cold", sa.LargeBinary(32), nullable=True))
    op.create_index(
        "ix_games_warm", "games", ["ended_at"], sqlite_where=WARM, postgresql_where=WARM
    )


def downgrade() -> None:
    games = sa.table("games", sa.column("key"), sa.column("cold"))
    some = sa.select(games.c.key).where(games.c.cold.is_not(None)).limit(1)
    if op.get_bind().execute(some).first():
        raise SomeAreCold
    op.drop_index("ix_games_warm", "games")
    op.drop_column("games", "cold")
