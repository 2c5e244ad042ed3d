"""Players can have their changes sent to receivers."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "receivers",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("player_id", sa.String(26), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("wanted", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("rotated_at", sa.BigInteger(), nullable=True),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.Column("off_at", sa.BigInteger(), nullable=True),
        sa.Column("off_why", sa.String(10), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_receivers_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receivers")),
    )
    op.create_index(op.f("ix_receivers_player_id"), "receivers", ["player_id"])
    op.create_table(
        "deliveries",
        sa.Column("receiver_id", sa.String(26), nullable=False),
        sa.Column("sequence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("change", sa.Integer(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(26), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("run_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(10), nullable=True),
        sa.ForeignKeyConstraint(
            ["receiver_id"],
            ["receivers.id"],
            name=op.f("fk_deliveries_receiver_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("receiver_id", "sequence", name=op.f("pk_deliveries")),
    )
    op.create_index(op.f("ix_deliveries_at"), "deliveries", ["at"])
    op.create_index(
        "ix_deliveries_pending",
        "deliveries",
        ["receiver_id", "sequence"],
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_table(
        "delivery_attempts",
        sa.Column("receiver_id", sa.String(26), nullable=False),
        sa.Column("sequence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("claim", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("took", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.String(10), nullable=True),
        sa.ForeignKeyConstraint(
            ["receiver_id", "sequence"],
            ["deliveries.receiver_id", "deliveries.sequence"],
            name=op.f("fk_delivery_attempts_receiver_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "receiver_id", "sequence", "claim", name=op.f("pk_delivery_attempts")
        ),
    )


def downgrade() -> None:
    op.drop_table("delivery_attempts")
    op.drop_table("deliveries")
    op.drop_table("receivers")
