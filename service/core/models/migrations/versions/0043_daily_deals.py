"""Daily deals: the deal of each day, everybody's try, and the answers that house players have thought of."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

OF_A_GAME = sa.text("game_key IS NOT NULL")
_games = sa.table("games", sa.column("key"), sa.column("deal"), sa.column("erasing", sa.Boolean))


def upgrade() -> None:
    op.add_column("games", sa.Column("deal", sa.String(10), nullable=True))
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("committed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_daily_deals")),
    )
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("who", sa.String(26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=True),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("won", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["day"], ["daily_deals.day"], name=op.f("fk_daily_tries_day_daily_deals")
        ),
        sa.ForeignKeyConstraint(
            ["game_key"],
            ["games.key"],
            name=op.f("fk_daily_tries_game_key_games"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("day", "who", name=op.f("pk_daily_tries")),
    )
    op.create_index("ix_daily_tries_results", "daily_tries", ["day", "ended_at", "score", "won"])
    op.create_index(
        "ix_daily_tries_game",
        "daily_tries",
        ["game_key"],
        unique=True,
        sqlite_where=OF_A_GAME,
        postgresql_where=OF_A_GAME,
    )
    op.create_index("ix_daily_tries_who_day", "daily_tries", ["who", "day"])
    op.create_table(
        "daily_thoughts",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_daily_thoughts")),
    )
    op.create_index("ix_daily_thoughts_day", "daily_thoughts", ["day"])


def downgrade() -> None:
    op.drop_table("daily_thoughts")
    op.drop_table("daily_tries")
    op.drop_table("daily_deals")
    # The earlier code would take their shuffles for forged.
    tries = sa.select(_games.c.key).where(_games.c.deal.is_not(None))
    op.execute(sa.update(_games).where(_games.c.deal.is_not(None)).values(erasing=True))
    for name in ("events", "time_entries", "seats", "tenures"):
        table = sa.table(name, sa.column("game_key"))
        op.execute(sa.delete(table).where(table.c.game_key.in_(tries)))
    op.execute(sa.delete(_games).where(_games.c.deal.is_not(None)))
    op.drop_column("games", "deal")
