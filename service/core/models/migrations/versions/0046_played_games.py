"""Each person's part in each finished game, the sums over games, and who may see them on a person's page."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"

UNCOUNTED = sa.text("counted IS NULL AND ended_at IS NOT NULL")
Id = sa.String(26)


def upgrade() -> None:
    op.add_column("games", sa.Column("counted", sa.Boolean(), nullable=True))
    op.create_index(
        "ix_games_uncounted",
        "games",
        ["ended_at"],
        sqlite_where=UNCOUNTED,
        postgresql_where=UNCOUNTED,
    )
    op.add_column("players", sa.Column("page_for", sa.String(8), nullable=True))
    op.add_column(
        "players", sa.Column("shows_hours", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "played_games",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game_key", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("table_score", sa.Integer(), nullable=True),
        sa.Column("close", sa.Boolean(), nullable=False),
        sa.Column("beaten", sa.String(8), nullable=True),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("times", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_key"],
            ["games.key"],
            name=op.f("fk_played_games_game_key_games"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("player_id", "game_key", name=op.f("pk_played_games")),
    )
    op.create_index(
        "ix_played_games_player_id_ended_at_game_key",
        "played_games",
        ["player_id", "ended_at", "game_key"],
    )
    op.create_index("ix_played_games_game_key", "played_games", ["game_key"])
    op.create_table(
        "player_numbers",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("private", sa.Boolean(), autoincrement=False, nullable=False),
        sa.Column("numbers", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "ruleset", "private", name=op.f("pk_player_numbers")),
    )


def downgrade() -> None:
    op.drop_table("player_numbers")
    op.drop_table("played_games")
    op.drop_column("players", "shows_hours")
    op.drop_column("players", "page_for")
    op.drop_index("ix_games_uncounted", "games")
    op.drop_column("games", "counted")
