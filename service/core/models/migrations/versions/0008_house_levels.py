"""House players have a level, a name and a version; those who sit at tables already play at the level `normal`."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

NAMES = (
    "suzuri fude hanko kitte tanzaku mizuhiki bunchin fubako"
    " hikyaku chiyogami orizuru shikishi yatate kendama andon makimono"
).split()
COLUMNS = {"house_name": 16, "house_level": 8, "house_version": 8}
TENURES = sa.table(
    "tenures",
    *map(sa.column, ("game_key", "player_id", "erased", "place", *COLUMNS)),
)


def upgrade() -> None:
    level = sa.Column("level", sa.String(8), nullable=False, server_default="normal")
    op.add_column("games", level)
    for name, length in COLUMNS.items():
        op.add_column("tenures", sa.Column(name, sa.String(length), nullable=True))
    now, earlier = TENURES.c, TENURES.alias().c
    sat_before = (
        sa.select(sa.func.count())
        .where(earlier.game_key == now.game_key, earlier.place < now.place)
        .where(*_is_house(earlier))
        .scalar_subquery()
    )
    named = {
        "house_name": sa.case(dict(enumerate(NAMES)), value=sat_before % len(NAMES)),
        "house_level": "normal",
        "house_version": "0",
    }
    op.execute(sa.update(TENURES).where(*_is_house(now)).values(named))


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("tenures", name)
    op.drop_column("games", "level")


def _is_house(tenure: Any) -> tuple[Any, Any]:
    return tenure.player_id.is_(None), sa.not_(tenure.erased)
