"""Games that are played live: who is ready, and the outside clock that their rules ask for."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

ASKED, RUNS = sa.text("ready_until IS NOT NULL"), sa.text("clock_due IS NOT NULL")


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("live", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column(
        "tenures", sa.Column("ready", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("games", sa.Column("ready_until", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("clock_due", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_ready", "games", ["ready_until"], sqlite_where=ASKED, postgresql_where=ASKED
    )
    op.create_index(
        "ix_games_clock", "games", ["clock_due"], sqlite_where=RUNS, postgresql_where=RUNS
    )
    op.create_table(
        "live_wishes",
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_live_wishes_player_id_players"),
            ondelete="CASCADE",  # the previous release deletes players without this table
        ),
        sa.PrimaryKeyConstraint("player_id", "ruleset", name=op.f("pk_live_wishes")),
    )
    op.create_index("ix_live_wishes_ruleset_until", "live_wishes", ["ruleset", "until"])
    op.create_index("ix_live_wishes_until", "live_wishes", ["until"])


def downgrade() -> None:
    op.drop_table("live_wishes")
    op.drop_index("ix_games_clock", "games")
    op.drop_index("ix_games_ready", "games")
    op.drop_column("games", "clock_due")
    op.drop_column("games", "ready_until")
    op.drop_column("tenures", "ready")
    op.drop_column("games", "live")
