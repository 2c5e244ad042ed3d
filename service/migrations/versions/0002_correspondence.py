"""Correspondence: mail, people with an address, clocks, tables that last, talk. One function for each of them."""

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
    pass


def _no_mail() -> None:
    pass


def _people() -> None:
    pass


def _no_people() -> None:
    pass


def _clocks() -> None:
    pass


def _no_clocks() -> None:
    pass


def _tables() -> None:
    pass


def _no_tables() -> None:
    pass


def _talk() -> None:
    pass


def _no_talk() -> None:
    pass
