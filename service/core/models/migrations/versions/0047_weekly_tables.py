"""Tables that open in a circle each week."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    op.create_table(
        "circle_weeklies",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("circle_key", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=True),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(5), nullable=False),
        sa.Column("time_zone", sa.String(40), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=True),
        sa.Column("unused", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_key"],
            ["circles.key"],
            name=op.f("fk_circle_weeklies_circle_key_circles"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_circle_weeklies_player_id_players"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_circle_weeklies")),
    )
    op.create_index("ix_circle_weeklies_circle_key", "circle_weeklies", ["circle_key"])
    op.create_index("ix_circle_weeklies_next_at", "circle_weeklies", ["next_at"])


def downgrade() -> None:
    op.drop_table("circle_weeklies")
