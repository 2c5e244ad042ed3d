"""Ratings as others see them, after the last public game; and an index of the people who have set up weekly tables.

The worker rates all games again, with the same result.
"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    op.add_column("rated_results", sa.Column("public_games", sa.Integer(), nullable=True))
    for name in ("seen_mean", "seen_deviation", "seen_games"):
        op.add_column("ratings", sa.Column(name, sa.Integer(), nullable=True))
    op.create_index("ix_circle_weeklies_player_id", "circle_weeklies", ["player_id"])
    op.drop_index("ix_ratings_ruleset_mean_who", "ratings")
    op.create_index("ix_ratings_ruleset_seen_mean_who", "ratings", ["ruleset", "seen_mean", "who"])
    waits = "UPDATE rated_results SET mean = NULL, deviation = NULL, games = NULL"
    op.execute(f"{waits} WHERE mean IS NOT NULL")
    op.execute("DELETE FROM ratings")


def downgrade() -> None:
    op.drop_index("ix_circle_weeklies_player_id", "circle_weeklies")
    op.drop_index("ix_ratings_ruleset_seen_mean_who", "ratings")
    op.create_index("ix_ratings_ruleset_mean_who", "ratings", ["ruleset", "mean", "who"])
    for name in ("seen_mean", "seen_deviation", "seen_games"):
        op.drop_column("ratings", name)
    op.drop_column("rated_results", "public_games")
