"""Logs of format 3: times in the log, counted shuffles, and nonces with their tenures.

Games that have started keep the format of their log; their rows name the person of each nonce, as their logs do.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

NONCES = sa.JSON(none_as_null=True)
GAMES = sa.table(
    "games",
    sa.column("key", sa.Integer),
    sa.column("status", sa.String),
    sa.column("log_format", sa.Integer),
    sa.column("nonces", NONCES),
)
STARTS = sa.text("SELECT game_key, body FROM events WHERE number = 1")
STORE = (
    sa.update(GAMES)
    .where(GAMES.c.key == sa.bindparam("of"))
    .values(nonces=sa.bindparam("now", type_=NONCES))
)


def upgrade() -> None:
    columns = (
        sa.Column("log_format", sa.Integer(), nullable=False, server_default="2"),
        sa.Column("shuffles", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("logged_at", sa.BigInteger(), nullable=True),
    )
    for column in columns:
        op.add_column("games", column)
    op.execute(sa.update(GAMES).where(GAMES.c.status == "open").values(log_format=3))
    bind = op.get_bind()
    for key, body in bind.execute(STARTS).all():
        start = json.loads(body)
        pairs = zip(start["sat"], start["nonces"], strict=True)
        now = [{"tenure": tenure, "nonce": nonce} for tenure, nonce in pairs]
        bind.execute(STORE, {"of": key, "now": now})


def downgrade() -> None:
    bind = op.get_bind()
    for key, body in bind.execute(STARTS).all():
        bind.execute(STORE, {"of": key, "now": json.loads(body)["nonces"]})
    for name in ("logged_at", "shuffles", "log_format"):
        op.drop_column("games", name)
