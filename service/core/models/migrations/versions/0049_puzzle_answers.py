"""People's answers to puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    op.create_table(
        "puzzle_answers",
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_puzzle_answers_player_id_players"),
            ondelete="CASCADE",  # the previous release erases players without this table
        ),
        sa.PrimaryKeyConstraint("player_id", "puzzle", name=op.f("pk_puzzle_answers")),
    )


def downgrade() -> None:
    op.drop_table("puzzle_answers")
