"""Analyses of finished games, and the decisions that they appraise."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"

WAITING = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("thinker", sa.String(16), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.JSON(), nullable=False),
        sa.Column("done", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_until", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("claims", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("failed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_key"],
            ["games.key"],
            name=op.f("fk_analyses_game_key_games"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_analyses_player_id_players"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sa.UniqueConstraint(
            *("game_key", "player_id", "version", "thinker"),
            name=op.f("uq_analyses_game_key_player_id_version_thinker"),
        ),
    )
    op.create_index(op.f("ix_analyses_player_id"), "analyses", ["player_id"])
    op.create_index(op.f("ix_analyses_asked_at"), "analyses", ["asked_at"])
    op.create_index(
        "ix_analyses_waiting",
        "analyses",
        ["asked_at"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )
    op.create_table(
        "appraised_decisions",
        sa.Column("analysis_id", sa.String(26), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tried", sa.JSON(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["analysis_id"],
            ["analyses.id"],
            name=op.f("fk_appraised_decisions_analysis_id_analyses"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("analysis_id", "number", name=op.f("pk_appraised_decisions")),
    )


def downgrade() -> None:
    op.drop_table("appraised_decisions")
    op.drop_table("analyses")
