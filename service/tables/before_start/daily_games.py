"""The games of daily deals: a person's only try, and the lines of the strongest house player with which to compare it.

Both are games like any other, except that only one person ever sees them: they are in no list, cause no mail and have
no clock. Their shuffles come from the seed of the day, and their house players answer in the order of seats, before the
person (asked_first.py).
"""

from __future__ import annotations

from sqlalchemy import insert

from rules.kernel import Json
from rules.players.levels import USUAL
from service.core.database.database import db, transaction
from service.core.models.games import Game
from service.core.runtime import days
from service.core.runtime.problems import NotFound
from service.core.runtime.units import DAY
from service.log import events
from service.log.table_rows.table import Table, find
from service.tables.before_start import table_setup
from service.tables.play.daily_deals import deals, tries
from service.tables.play.daily_deals.deals import Deal
from service.tables.play.daily_deals.tries import GAMES_KEPT, HOUSE
from service.tables.services import Services

LINES = 2
"""The number of lines that the strongest house player plays on each day; the best of them is shown.

Their iterations and seeds are fixed too, so they cost a bounded amount of time and are the same whenever they are
played.
"""
STRONGEST = "strong"


def begin(services: Services, player_id: str, day: str) -> tuple[Table, bool]:
    """The table of a person's only try at the deal of this day, and whether this call has begun it.

    Raises NotFound for days that have not begun or are long past.
    """
    now = services.now()
    if not can_begin(day, now):
        raise NotFound
    deal = deals.made(services, day) if day == days.day_of(now) else deals.find(day)
    if deal is None or not deal.is_known:
        raise NotFound
    with transaction():
        if tries.claim(day, player_id, now):
            table = _seat(services, deal, player_id)
            tries.set_game(day, player_id, table.game.key)
            table = table_setup.begin(services, table)
            begin_lines(services, deal)
            return table, True
    before = begun(player_id, day)
    if before is None:
        raise NotFound
    return before, False


def begun(player_id: str, day: str) -> Table | None:
    """The table of a person's try at the deal of this day; None if they have not begun it, or if it has been
    deleted.
    """
    before = tries.find(day, player_id)
    game_id = before and tries.id_of_game(before)
    return find(game_id) if game_id else None


def can_begin(day: str, now: int) -> bool:
    """Whether a try at the deal of this day can begin at the time `now`. A try on a later day than the deal's can
    begin, but does not count.
    """
    return days.begins_at(day) <= now < days.ends_at(day) + GAMES_KEPT - DAY


def begin_lines(services: Services, deal: Deal) -> None:
    """Begin the lines of the strongest house player, which happens with the first try of the day. The caller owns the
    commit.
    """
    for who in (f"{HOUSE}{number + 1}" for number in range(LINES)):
        if tries.find(deal.day, who) is None and tries.claim(deal.day, who, services.now()):
            table = _seat(services, deal, None)
            tries.set_game(deal.day, who, table.game.key)
            table_setup.begin(services, table)


def _seat(services: Services, deal: Deal, player_id: str | None) -> Table:
    """Insert the game and seat everybody, the person first; return the table. If `player_id` is None, the strongest
    house player takes the person's place.
    """
    game_id = services.new_id("g")
    values: Json = {
        "id": game_id,
        "private": True,
        "seating": "order",
        "start": "host",
        "takeover": 0,
        "level": USUAL,
        "deal": deal.day,
        "seed": deal.seed,
        "log_format": events.FORMAT,
        "created_at": services.now(),
    }
    values |= {each: getattr(deal, each) for each in ("ruleset", "version", "players", "options")}
    db.session.execute(insert(Game).values(values))
    table = find(game_id)
    if player_id is None:
        table = table_setup.seat_house_player(services, table, STRONGEST)
    else:
        table = table_setup.take_seat(services, table, player_id, None)
    for _ in range(table.free):
        table = table_setup.seat_house_player(
            services, table, USUAL
        )  # whose iterations are counted, not timed
    return table
