"""Correspondence: mail, people with an address, clocks, tables that last, and talk. Each has one function."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _mail()
    _people()
    _clocks()
    _tables()
    _talk()


def downgrade() -> None:
    _no_talk()
    _no_tables()
    _no_clocks()
    _no_people()
    _no_mail()


def _mail() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=True),
        sa.Column("game_key", sa.Integer(), nullable=True),
        sa.Column("tenure_id", sa.String(length=26), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("run_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=10), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    op.create_index(op.f("ix_outbox_done_at_run_at"), "outbox", ["done_at", "run_at"])
    op.create_table(
        "suppressed",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("reason", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", "reason", name=op.f("pk_suppressed")),
    )
    op.create_table(
        "unsubscribed",
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("game_key", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.id"],
            name=op.f("fk_unsubscribed_player_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("player_id", "kind", "game_key", name=op.f("pk_unsubscribed")),
    )


def _no_mail() -> None:
    op.drop_table("unsubscribed")
    op.drop_table("suppressed")
    op.drop_index(op.f("ix_outbox_done_at_run_at"), table_name="outbox")
    op.drop_table("outbox")


def _people() -> None:
    for table, column in (
        ("players", sa.Column("time_zone", sa.String(length=40), nullable=True)),
        ("players", sa.Column("reminders", sa.JSON(none_as_null=True), nullable=True)),
        ("players", sa.Column("erased_at", sa.BigInteger(), nullable=True)),
        ("credentials", sa.Column("seen_at", sa.BigInteger(), nullable=True)),
        ("tenures", sa.Column("erased", sa.Boolean(), nullable=False, server_default=sa.false())),
    ):
        op.add_column(table, column)
    op.create_table(
        "accounts",
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("handle", sa.String(length=24), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=True),
        sa.Column("folded", sa.String(length=254), nullable=True),
        sa.Column("pending", sa.String(length=254), nullable=True),
        sa.Column("nonce", sa.String(length=26), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("registered_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_accounts_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("handle", name=op.f("uq_accounts_handle")),
        sa.UniqueConstraint("folded", name=op.f("uq_accounts_folded")),
    )
    op.create_table(
        "vacations",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("first", sa.String(length=10), nullable=False),
        sa.Column("last", sa.String(length=10), nullable=False),
        sa.Column("begins_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_vacations_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index(op.f("ix_vacations_player_id_ends_at"), "vacations", ["player_id", "ends_at"])
    _counting_tables()


def _counting_tables() -> None:
    op.create_table(
        "admissions",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_admissions")),
    )
    op.create_table(
        "tallies",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_tallies")),
    )
    op.create_index(op.f("ix_tallies_ends_at"), "tallies", ["ends_at"])


def _no_people() -> None:
    op.drop_index(op.f("ix_tallies_ends_at"), table_name="tallies")
    op.drop_index(op.f("ix_vacations_player_id_ends_at"), table_name="vacations")
    for table in ("tallies", "admissions", "vacations", "accounts"):
        op.drop_table(table)
    for table, columns in (
        ("tenures", "erased"),
        ("credentials", "seen_at"),
        ("players", "erased_at reminders time_zone"),
    ):
        for name in columns.split():
            op.drop_column(table, name)


def _clocks() -> None:
    for table, columns in (
        (
            "games",
            (
                sa.Column("pace", sa.JSON(none_as_null=True), nullable=True),
                sa.Column("takeover", sa.Integer(), nullable=False, server_default="3"),
                sa.Column("paused_at", sa.BigInteger(), nullable=True),
                sa.Column("paused_until", sa.BigInteger(), nullable=True),
                sa.Column("unattended_at", sa.BigInteger(), nullable=True),
                _zero("asking", sa.Integer()),
            ),
        ),
        (
            "seats",
            (
                sa.Column("due", sa.BigInteger(), nullable=True),
                _zero("reserve", sa.BigInteger()),
                _zero("extra", sa.BigInteger()),
                _zero("spent", sa.BigInteger()),
                _zero("misses", sa.Integer()),
            ),
        ),
        (
            "tenures",
            (
                sa.Column("began", sa.Integer(), nullable=True),
                sa.Column("ended", sa.Integer(), nullable=True),
                sa.Column("why", sa.String(length=12), nullable=True),
                sa.Column("result", sa.String(length=12), nullable=True),
            ),
        ),
        (
            "players",
            (
                sa.Column("away_from", sa.BigInteger(), nullable=True),
                sa.Column("away_until", sa.BigInteger(), nullable=True),
            ),
        ),
    ):
        for column in columns:
            op.add_column(table, column)
    for name, table, indexed, where in _CLOCK_INDEXES:
        op.create_index(
            name, table, [indexed], sqlite_where=sa.text(where), postgresql_where=sa.text(where)
        )
    _clock_tables()


def _zero(name: str, kind: sa.types.TypeEngine[int]) -> sa.Column[int]:
    return sa.Column(name, kind, nullable=False, server_default="0")


_CLOCK_INDEXES = (
    ("ix_seats_time", "seats", "due", "due IS NOT NULL"),
    ("ix_games_paused", "games", "paused_until", "paused_until IS NOT NULL"),
    ("ix_games_unattended", "games", "unattended_at", "unattended_at IS NOT NULL"),
)


def _clock_tables() -> None:
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "time_entries",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("reserve", sa.BigInteger(), nullable=False),
        sa.Column("extra", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_key"], ["games.key"], name=op.f("fk_time_entries_game_key")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_time_entries")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_time_entries_game_key_key"), "time_entries", ["game_key", "key"])
    op.create_table(
        "proposals",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=True),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_key"], ["games.key"], name=op.f("fk_proposals_game_key")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_proposals_player_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_proposals")),
        sa.UniqueConstraint("id", name=op.f("uq_proposals_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_proposals_game_key_key"), "proposals", ["game_key", "key"])
    op.create_index(
        "ix_proposals_open",
        "proposals",
        ["due"],
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "votes",
        sa.Column("proposal_key", sa.Integer(), nullable=False),
        sa.Column("tenure_id", sa.String(length=26), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["proposal_key"], ["proposals.key"], name=op.f("fk_votes_proposal_key")
        ),
        sa.ForeignKeyConstraint(["tenure_id"], ["tenures.id"], name=op.f("fk_votes_tenure_id")),
        sa.PrimaryKeyConstraint("proposal_key", "tenure_id", name=op.f("pk_votes")),
    )


def _no_clocks() -> None:
    for table in ("votes", "proposals", "time_entries", "heartbeats"):
        op.drop_table(table)
    for name, table, _column, _where in _CLOCK_INDEXES:
        op.drop_index(name, table)
    for table, columns in (
        ("players", "away_from away_until"),
        ("tenures", "began ended why result"),
        ("seats", "due reserve extra spent misses"),
        ("games", "pace takeover paused_at paused_until unattended_at asking"),
    ):
        for name in columns.split():
            op.drop_column(table, name)


def _tables() -> None:
    op.add_column("games", sa.Column("rematch_of", sa.Integer(), nullable=True))
    op.add_column("tenures", sa.Column("nudged_at", sa.BigInteger(), nullable=True))
    rematches = sa.text("rematch_of IS NOT NULL")
    op.create_index(
        "ix_games_rematch",
        "games",
        ["rematch_of"],
        sqlite_where=rematches,
        postgresql_where=rematches,
    )
    op.create_table(
        "invitations",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("inviter_id", sa.String(length=26), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("declined_at", sa.BigInteger(), nullable=True),
        _refers("invitations", "game_key", "games.key", "CASCADE"),
        _refers("invitations", "inviter_id", "players.id", "CASCADE"),
        _refers("invitations", "player_id", "players.id", "CASCADE"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_invitations")),
        _unique("invitations", "id"),
        _unique("invitations", "game_key", "player_id"),
        _unique("invitations", "game_key", "inviter_id", "address"),
        sqlite_autoincrement=True,
    )
    for column in ("player_id", "address"):
        op.create_index(op.f(f"ix_invitations_{column}"), "invitations", [column])


def _no_tables() -> None:
    op.drop_table("invitations")
    op.drop_index("ix_games_rematch", "games")
    op.drop_column("tenures", "nudged_at")
    op.drop_column("games", "rematch_of")


def _talk() -> None:
    op.create_table(
        "messages",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=True),
        sa.Column("tenure_id", sa.String(length=26), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("once", sa.String(length=64), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("hidden_at", sa.BigInteger(), nullable=True),
        _refers("messages", "game_key", "games.key", "CASCADE"),
        _refers("messages", "player_id", "players.id", "SET NULL"),
        _refers("messages", "tenure_id", "tenures.id", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        _unique("messages", "game_key", "channel", "number"),
        _unique("messages", "game_key", "player_id", "once"),
    )
    op.create_index(op.f("ix_messages_player_id"), "messages", ["player_id"])
    _talk_by_player()
    _manners()


def _talk_by_player() -> None:
    for table, columns in (
        (
            "read_marks",
            (
                sa.Column("channel", sa.String(length=10), nullable=False),
                sa.Column("number", sa.Integer(), nullable=False),
            ),
        ),
        (
            "notes",
            (
                sa.Column("text", sa.Text(), nullable=False),
                sa.Column("changed_at", sa.BigInteger(), nullable=False),
            ),
        ),
    ):
        key = ("game_key", "player_id", *(["channel"] if table == "read_marks" else []))
        op.create_table(
            table,
            sa.Column("game_key", sa.Integer(), autoincrement=False, nullable=False),
            sa.Column("player_id", sa.String(length=26), nullable=False),
            *columns,
            _refers(table, "game_key", "games.key", "CASCADE"),
            _refers(table, "player_id", "players.id", "CASCADE"),
            sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{table}")),
        )


def _manners() -> None:
    op.create_table(
        "mutes",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("game_key", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _refers("mutes", "game_key", "games.key", "CASCADE"),
        _refers("mutes", "player_id", "players.id", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mutes")),
        _unique("mutes", "game_key", "player_id"),
    )
    op.create_table(
        "blocks",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("player_id", sa.String(length=26), nullable=False),
        sa.Column("blocked_id", sa.String(length=26), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _refers("blocks", "player_id", "players.id", "CASCADE"),
        _refers("blocks", "blocked_id", "players.id", "CASCADE"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_blocks")),
        _unique("blocks", "id"),
        _unique("blocks", "player_id", "blocked_id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("message_id", sa.String(length=26), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("author_id", sa.String(length=26), nullable=True),
        sa.Column("author", sa.String(length=40), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", sa.BigInteger(), nullable=False),
        sa.Column("reporter_id", sa.String(length=26), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        _refers("reports", "author_id", "players.id", "SET NULL"),
        _refers("reports", "reporter_id", "players.id", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        _unique("reports", "message_id", "reporter_id"),
    )
    op.create_index(op.f("ix_reports_closed_at_made_at"), "reports", ["closed_at", "made_at"])


def _refers(table: str, column: str, to: str, gone: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [to], name=name, ondelete=gone)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f(f"uq_{table}_{'_'.join(columns)}"))


def _no_talk() -> None:
    for table in ("reports", "blocks", "mutes", "notes", "read_marks", "messages"):
        op.drop_table(table)
