"""Links in mails that play a move: whoever holds one may play this action of this seat, once, while it is asked this.

A link names the tenure, the question and the place of the action in the list of what was legal then; its signature
covers the game and the action as well. So it tells no card to whoever sees an address, it cannot be changed, and it
is nobody's once the seat has changed hands. A link without a place leads to all that may be done: the form.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, NamedTuple

from itsdangerous import Signer
from sqlalchemy import select

from rules.kernel import Json, text
from service.config import Config
from service.database import db
from service.log import States
from service.models import Game, Tenure
from service.problems import NotFound
from service.table import Table, find

SALT = "tegami move"
_TOKEN = re.compile(
    r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.([1-9][0-9]{0,8})(?:\.(0|[1-9][0-9]{0,4}))?", re.ASCII
)
"""Tenure, signature, question, place: it ends in a digit, so that mail programs see where the address ends."""


class Offer(NamedTuple):
    """What a link offers: an action (None: all that there are) of a seat that was asked `asked`, at its table."""

    table: Table
    person: Any
    asked: int
    action: Json | None

    @property
    def stands(self) -> bool:
        """Whether the seat is still asked this."""
        return self.table.game.status == "running" and bool(self.person.asked == self.asked)


def link(config: Config, table: Table, person: Any, place: int, action: Json) -> str:
    """The address that plays `action`, the member of `legal` at `place`, as the answer to the present question."""
    return f"{_address(config, table, person, place, action)}.{place}"


def form(config: Config, table: Table, person: Any) -> str:
    """The address where an answer to the present question is chosen step by step."""
    return _address(config, table, person)


def offered(config: Config, states: States, token: str) -> Offer:
    """What a link offers. Raises NotFound for one that we never made, or whose seat has changed hands."""
    read = _TOKEN.fullmatch(token)
    if read is None:
        raise NotFound
    tenure, signature, asked, place = read[1], read[2], int(read[3]), read[4]
    table, person = seat_of(tenure)
    action = None if place is None else _listed(states, table, person, asked, int(place))
    signed = () if action is None else (int(place), action)
    if not _signer(config).verify_signature(
        _what(tenure, table.game.id, asked, *signed), signature
    ):
        raise NotFound
    return Offer(table, person, asked, action)


def seat_of(tenure: str) -> tuple[Table, Any]:
    """The table and the row of a person who sits there. Raises NotFound."""
    query = select(Game.id).join(Tenure, Tenure.game_key == Game.key).where(Tenure.id == tenure)
    game_id = db.session.scalar(query)
    table = find(game_id) if game_id else None
    people = table.people if table else ()
    person = next((each for each in people if each.tenure == tenure and each.player_id), None)
    if table is None or person is None or person.seat is None:
        raise NotFound
    return table, person


def _listed(states: States, table: Table, person: Any, asked: int, place: int) -> Json:
    """The action that stood at `place` when the seat was asked `asked`. Raises NotFound."""
    if asked > table.game.number:
        raise NotFound
    then = states.load(db.session, table.game, asked)
    legal = table.ruleset.legal(then, person.seat)
    if place >= len(legal):
        raise NotFound
    return legal[place]


def _address(config: Config, table: Table, person: Any, *signed: Any) -> str:
    """The address of a link without its place."""
    what = _what(person.tenure, table.game.id, person.asked, *signed)
    signature = _signer(config).get_signature(what).decode()
    return f"{config.public_url}/moves/{person.tenure}.{signature}.{person.asked}"


def _what(tenure: str, game: str, asked: int, *signed: Any) -> str:
    """What is signed: of a move also its place and its action."""
    return text([tenure, game, asked, *signed])


def _signer(config: Config) -> Signer:
    return Signer(config.secret_key, salt=SALT, key_derivation="hmac", digest_method=hashlib.sha256)
