"""The logs of all games are checked every night, and damaged games are noted."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "log_checks",
        sa.Column("name", sa.String(8), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_log_checks")),
    )
    op.create_table(
        "damaged_games",
        sa.Column("game_id", sa.String(26), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_damaged_games")),
    )


def downgrade() -> None:
    op.drop_table("damaged_games")
    op.drop_table("log_checks")
