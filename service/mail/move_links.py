"""Links in mails that play a move: whoever has the link may play one action for a seat, while it is asked a question.

A link names the tenure, the question and the place of the action in the list of legal actions; its signature also
covers the game and the action. So it reveals no card, cannot be altered, and dies when the seat changes hands. A link
without a place leads to the form on which any legal action can be chosen.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from itsdangerous import Signer
from sqlalchemy import select

from rules.kernel import Json, text
from service.core.config import Config
from service.core.database import db
from service.core.problems import NotFound
from service.game.event_log import States
from service.game.table import Holder, Table, find
from service.models.games import Game, Tenure

SALT = "tegami move"
_TOKEN = re.compile(
    r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.([1-9][0-9]{0,8})(?:\.(0|[1-9][0-9]{0,4}))?", re.ASCII
)
"""Tenure, signature, question, place. It ends in a digit, so that mail programs find the end of the link."""


class LinkedMove(NamedTuple):
    """What a link plays in answer to question `asked`: an action; None: whichever is chosen on the form."""

    table: Table
    person: Holder
    player_id: str
    asked: int
    action: Json | None

    @property
    def is_current(self) -> bool:
        """Whether the seat is still asked this."""
        return self.table.game.status == "running" and self.person.asked == self.asked


def move_link(config: Config, table: Table, person: Holder, place: int, action: Json) -> str:
    """The link that plays `action`, the legal action at `place`, as the answer to the present question."""
    return f"{_link(config, table, person, place, action)}.{place}"


def form_link(config: Config, table: Table, person: Holder) -> str:
    """The link to the form on which the answer to the present question is chosen."""
    return _link(config, table, person)


def read_move_link(config: Config, states: States, token: str) -> LinkedMove:
    """What a link plays. Raises NotFound if its signature is wrong, or if the seat has changed hands."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise NotFound
    tenure, signature, asked, place = match[1], match[2], int(match[3]), match[4]
    table, person, player_id = find_seated(tenure)
    action = None if place is None else _legal_then(states, table, person, asked, int(place))
    signed = () if action is None else (int(place), action)
    payload = _payload(tenure, table.game.id, asked, *signed)
    if not _signer(config).verify_signature(payload, signature):
        raise NotFound
    return LinkedMove(table, person, player_id, asked, action)


def find_seated(tenure: str) -> tuple[Table, Holder, str]:
    """The table at which a tenure holds a seat now, who holds it, and the id of that player. Raises NotFound."""
    query = select(Game.id).join(Tenure, Tenure.game_key == Game.key).where(Tenure.id == tenure)
    game_id = db.session.scalar(query)
    table = find(game_id) if game_id else None
    people = table.people if table else ()
    person = next((each for each in people if each.tenure == tenure), None)
    if table is None or not isinstance(person, Holder) or person.player_id is None:
        raise NotFound
    return table, person, person.player_id


def _legal_then(states: States, table: Table, person: Holder, asked: int, place: int) -> Json:
    """The legal action at `place` when the seat was asked `asked`. Raises NotFound."""
    if asked > table.game.number:
        raise NotFound
    then = states.load(db.session, table.game, asked)
    legal = table.ruleset.legal(then, person.seat)
    if place >= len(legal):
        raise NotFound
    return legal[place]


def _link(config: Config, table: Table, person: Holder, *signed: object) -> str:
    """A link without its place."""
    payload = _payload(person.tenure, table.game.id, person.asked, *signed)
    signature = _signer(config).get_signature(payload).decode()
    return f"{config.public_url}/moves/{person.tenure}.{signature}.{person.asked}"


def _payload(tenure: str, game: str, asked: int, *signed: object) -> str:
    """What is signed; for a move that includes its place and its action."""
    return text([tenure, game, asked, *signed])


def _signer(config: Config) -> Signer:
    return Signer(config.secret_key, salt=SALT, key_derivation="hmac", digest_method=hashlib.sha256)
