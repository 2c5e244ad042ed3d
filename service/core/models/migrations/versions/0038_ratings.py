"""Ratings: which tables are rated, the results of finished games, and who wants to be seen with a rating."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

PENDING, RATED = sa.text("mean IS NULL"), sa.text("mean IS NOT NULL")
ORDER = ["ruleset", "ended_at", "game_key"]


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column(
        "players", sa.Column("listed", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("players", sa.Column("ratings_for", sa.String(8), nullable=True))
    op.create_table(
        "rated_results",
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Integer(), nullable=True),
        sa.Column("deviation", sa.Integer(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_key"],
            ["games.key"],
            name=op.f("fk_rated_results_game_key_games"),
            ondelete="CASCADE",  # the previous release deletes lessons without this table
        ),
        sa.PrimaryKeyConstraint("game_key", "seat", name=op.f("pk_rated_results")),
    )
    op.create_index(
        "ix_rated_results_pending",
        "rated_results",
        ORDER,
        sqlite_where=PENDING,
        postgresql_where=PENDING,
    )
    op.create_index(
        "ix_rated_results_rated", "rated_results", ORDER, sqlite_where=RATED, postgresql_where=RATED
    )
    op.create_index(
        "ix_rated_results_who_ruleset_ended_at_game_key", "rated_results", ["who", *ORDER]
    )
    op.create_table(
        "ratings",
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("mean", sa.Integer(), nullable=False),
        sa.Column("deviation", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("who", "ruleset", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_ruleset_mean_who", "ratings", ["ruleset", "mean", "who"])


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("rated_results")
    op.drop_column("players", "ratings_for")
    op.drop_column("players", "listed")
    op.drop_column("games", "rated")
