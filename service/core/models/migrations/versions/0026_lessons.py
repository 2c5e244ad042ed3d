"""Some games are lessons."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


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
    op.drop_index("ix_games_lesson", "games")
    op.drop_column("games", "lesson")
