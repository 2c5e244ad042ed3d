"""An index of everybody who has sat at a table; before it, histories looked through the tenures of all games."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_index(op.f("ix_tenures_game_key_seat"), "tenures", ["game_key", "seat"])


def downgrade() -> None:
    op.drop_index(op.f("ix_tenures_game_key_seat"), table_name="tenures")
