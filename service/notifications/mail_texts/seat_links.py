"""Links in mails that show a seat's table without a sign-in, and that take a seat back from a house player.

Both are signed: whoever has the link may see, or take back, what its recipient may. The first names the tenure and the
question, as the link to the form does; the second names a tenure that has ended, and works while its player may return.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from service.core.runtime.problems import NotFound
from service.core.runtime.signatures import is_same, signature
from service.core.settings.config import Config
from service.log.table_rows.table import Holder, Table
from service.notifications.mail_texts.move_links import HandedOver, find_seated

_TABLE = re.compile(r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.([1-9][0-9]{0,8})", re.ASCII)
_SEAT = re.compile(r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.0", re.ASCII)
"""It ends in a digit, so that mail programs find its end."""


class LinkedTable(NamedTuple):
    """What a link shows: a table as somebody who holds a seat there sees it, and the question it was mailed about."""

    table: Table
    player_id: str
    asked: int


def table_link(config: Config, person: Holder) -> str:
    """The link that shows this person's table."""
    signed = signature(config.secret_key, "table", person.tenure, person.asked)
    return f"{config.public_url}/tables/{person.tenure}.{signed}.{person.asked}"


def read_table_link(config: Config, token: str) -> LinkedTable:
    """What a link shows. Raises NotFound if it is not signed, HandedOver if the seat has changed hands."""
    match = _TABLE.fullmatch(token)
    if match is None:
        raise NotFound
    tenure, signed, asked = match[1], match[2], int(match[3])
    if not is_same(signed, signature(config.secret_key, "table", tenure, asked)):
        raise NotFound
    table, _, player_id = find_seated(tenure)
    return LinkedTable(table, player_id, asked)


def seat_link(config: Config, tenure: str) -> str:
    """The link by which whoever held this tenure takes the seat back."""
    return f"{config.public_url}/seats/{tenure}.{signature(config.secret_key, 'seat', tenure)}.0"


def read_seat_link(config: Config, token: str) -> HandedOver:
    """The seat that a link takes back. Raises NotFound if it is not signed, or if its tenure has not ended."""
    match = _SEAT.fullmatch(token)
    if match is None or not is_same(match[2], signature(config.secret_key, "seat", match[1])):
        raise NotFound
    try:
        find_seated(match[1])
    except HandedOver as seat:
        return seat
    raise NotFound
