"""People sign in to other sites and apps with codes, and each token names its site or app."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.add_column("credentials", sa.Column("client", sa.String(length=300), nullable=True))
    op.add_column("credentials", sa.Column("client_id", sa.String(length=200), nullable=True))
    op.create_table(
        "authorization_codes",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("sign_in", sa.String(length=26), nullable=False),
        sa.Column("client", sa.String(length=300), nullable=False),
        sa.Column("client_id", sa.String(length=200), nullable=False),
        sa.Column("redirect_uri", sa.String(length=500), nullable=False),
        sa.Column("scopes", sa.String(length=40), nullable=False),
        sa.Column("challenge", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("token", sa.String(length=26), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name="fk_authorization_codes_player_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_authorization_codes"),
    )
    for column in ("player_id", "ends_at"):
        op.create_index(f"ix_authorization_codes_{column}", "authorization_codes", [column])


def downgrade() -> None:
    op.drop_table("authorization_codes")
    op.drop_column("credentials", "client_id")
    op.drop_column("credentials", "client")
