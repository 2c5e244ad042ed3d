"""The first tables, and the triggers that keep the log append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SQLITE = (
    """
    CREATE TRIGGER events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END
    """,
    """
    CREATE TRIGGER events_never_go BEFORE DELETE ON events
    WHEN NOT EXISTS (SELECT 1 FROM games WHERE key = OLD.game_key AND erasing)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END
    """,
)
POSTGRESQL = (
    """
    CREATE FUNCTION keep_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            IF EXISTS (SELECT 1 FROM games WHERE key = OLD.game_key AND erasing) THEN
                RETURN OLD;
            END IF;
        END IF;
        RAISE EXCEPTION 'the log is append-only';
    END $$
    """,
    """
    CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION keep_events()
    """,
    """
    CREATE TRIGGER events_never_go BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION keep_events()
    """,
)


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("seating", sa.String(length=8), nullable=False),
        sa.Column("start", sa.String(length=8), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(length=32), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("nonces", sa.JSON(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("erasing", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_games")),
        sa.UniqueConstraint("id", name=op.f("uq_games_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_games_status_private_key"), ["status", "private", "key"], unique=False
        )

    op.create_table(
        "players",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "credentials",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_credentials_player_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credentials")),
        sa.UniqueConstraint("digest", name=op.f("uq_credentials_digest")),
    )
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_credentials_player_id_kind"), ["player_id", "kind"], unique=False
        )

    op.create_table(
        "events",
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_key"], ["games.key"], name=op.f("fk_events_game_key")),
        sa.PrimaryKeyConstraint("game_key", "number", name=op.f("pk_events")),
        sa.UniqueConstraint(
            "game_key", "seat", "asked", name=op.f("uq_events_game_key_seat_asked")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tenures",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=True),
        sa.Column("nonce", sa.String(length=64), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("sat_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_key"], ["games.key"], name=op.f("fk_tenures_game_key")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tenures_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenures")),
    )
    with op.batch_alter_table("tenures", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_tenures_player_id_game_key"), ["player_id", "game_key"], unique=False
        )
        batch_op.create_index(
            "uq_tenures_present",
            ["game_key", "player_id"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "seats",
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenure_id", sa.String(length=26), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_key"], ["games.key"], name=op.f("fk_seats_game_key")),
        sa.ForeignKeyConstraint(["tenure_id"], ["tenures.id"], name=op.f("fk_seats_tenure_id")),
        sa.PrimaryKeyConstraint("game_key", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("tenure_id", name=op.f("uq_seats_tenure_id")),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(
            "ix_seats_house_due",
            ["game_key"],
            unique=False,
            sqlite_where=sa.text("waiting AND house"),
            postgresql_where=sa.text("waiting AND house"),
        )

    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_seats_house_due",
            sqlite_where=sa.text("waiting AND house"),
            postgresql_where=sa.text("waiting AND house"),
        )

    op.drop_table("seats")
    with op.batch_alter_table("tenures", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_tenures_present",
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_tenures_player_id_game_key"))

    op.drop_table("tenures")
    op.drop_table("events")
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_credentials_player_id_kind"))

    op.drop_table("credentials")
    op.drop_table("players")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_status_private_key"))

    op.drop_table("games")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION keep_events()")
