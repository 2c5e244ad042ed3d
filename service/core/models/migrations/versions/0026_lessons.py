"""Some games are lessons."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

_games = sa.table("games", sa.column("key"), sa.column("lesson"), sa.column("erasing", sa.Boolean))
_proposals = sa.table("proposals", sa.column("key"), sa.column("game_key"))
_votes = sa.table("votes", sa.column("proposal_key"))


def upgrade() -> None:
    op.add_column("games", sa.Column("lesson", sa.Integer(), nullable=True))
    op.create_index(
        "ix_games_lesson",
        "games",
        ["created_at"],
        sqlite_where=sa.text("lesson IS NOT NULL"),
        postgresql_where=sa.text("lesson IS NOT NULL"),
    )


def downgrade() -> None:
    # The earlier code knows no lessons: it would list them, and take their shuffles for forged.
    lessons = sa.select(_games.c.key).where(_games.c.lesson.is_not(None))
    op.execute(sa.update(_games).where(_games.c.lesson.is_not(None)).values(erasing=True))
    proposed = sa.select(_proposals.c.key).where(_proposals.c.game_key.in_(lessons))
    op.execute(sa.delete(_votes).where(_votes.c.proposal_key.in_(proposed)))
    for name in ("proposals", "events", "time_entries", "seats", "tenures"):
        table = sa.table(name, sa.column("game_key"))
        op.execute(sa.delete(table).where(table.c.game_key.in_(lessons)))
    op.execute(sa.delete(_games).where(_games.c.lesson.is_not(None)))
    op.drop_index("ix_games_lesson", "games")
    op.drop_column("games", "lesson")
