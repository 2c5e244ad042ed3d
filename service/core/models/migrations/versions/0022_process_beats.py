"""Each worker and each thinker of each machine has a separate heartbeat."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "process_beats",
        sa.Column("worker_id", sa.String(26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("machine", sa.String(64), nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", "number", name=op.f("pk_process_beats")),
    )
    op.execute("DELETE FROM heartbeats WHERE name LIKE 'thinker %'")


def downgrade() -> None:
    op.drop_table("process_beats")
