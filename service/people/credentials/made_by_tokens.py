"""What tokens have made: further tokens, feeds and webhooks. It ends with the token, unless its owner keeps it.

So whoever has stolen a token has nothing left once it is revoked. What was made before this was noted, or by a sign-in,
is the owner's own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import ColumnElement, select, update

from service.core.database.database import changed_rows, db, transaction
from service.core.models.people import Credential, Player
from service.core.models.receivers import WEBHOOK, Receiver
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.people.credentials.credentials import FEED, Caller

_credential = Credential.metadata.tables["credentials"]
_receiver = Receiver.metadata.tables["receivers"]


class Made(NamedTuple):
    """How many of each a token has made, and what it has made has made, that would end with it."""

    tokens: int = 0
    feeds: int = 0
    webhooks: int = 0


def made(runtime: Runtime, player_id: str) -> dict[str, Made]:
    """What the player's tokens have made, by their ids."""
    of = _credential.c
    valid = of.ended_at.is_(None) & (of.expires_at.is_(None) | (of.expires_at > runtime.now()))
    query = select(of.id, of.made_by, of.kind, valid)
    found = db.session.execute(query.where(of.player_id == player_id)).all()
    hooks = select(_receiver.c.made_by).where(_receiver.c.kind == WEBHOOK)
    on = hooks.where(_receiver.c.player_id == player_id, _receiver.c.off_at.is_(None))
    makers = {each.id: each.made_by for each in found}
    numbers: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    things = [(each.made_by, 1 if each.kind == FEED else 0) for each in found if each[-1]]
    for by, what in [*things, *((by, 2) for by in db.session.scalars(on))]:
        while by is not None:
            numbers[by][what] += 1
            by = makers.get(by)  # noqa: PLW2901 - up to the first of them
    return {by: Made(*each) for by, each in numbers.items()}


def revoke(runtime: Runtime, caller: Caller, token_id: str, *, keep: bool = False) -> None:
    """End a token of the caller, with all that it has made, unless the owner wants to `keep` that. Raises NotFound.

    A program that replaces its token by one that it has made with it goes on: what it asks with stays, with all that it
    has made.
    """
    of, now, player_id = _credential.c, runtime.now(), caller.id
    mine, is_on = of.player_id == player_id, of.ended_at.is_(None)
    with transaction():
        # whoever makes something holds it too: what is made meanwhile is seen, or not made
        db.session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
        this = update(_credential).where(mine, is_on, of.id == token_id, of.kind == "token")
        if not changed_rows(this.values(ended_at=now)):
            raise NotFound
        if keep:
            own: dict[str, object] = {"made_by": None}
            db.session.execute(update(_credential).where(mine, of.made_by == token_id).values(own))
            _webhooks(player_id, [token_id], own)
            return
        ended, found = [token_id], [token_id]
        while found:
            further = select(of.id).where(mine, of.made_by.in_(found))
            known = {*ended, caller.token}
            found = [each for each in db.session.scalars(further) if each not in known]
            ended += found
        made = update(_credential).where(mine, is_on, of.id.in_(ended))
        db.session.execute(made.values(ended_at=now))
        off = {"off_at": now, "off_why": "token"}
        _webhooks(player_id, ended, off, _receiver.c.off_at.is_(None))
        _webhooks(player_id, ended, {"made_by": None})


def _webhooks(
    player_id: str, makers: list[str], values: dict[str, object], *which: ColumnElement[bool]
) -> None:
    mine = (_receiver.c.player_id == player_id) & (_receiver.c.kind == WEBHOOK)
    theirs = update(_receiver).where(mine, _receiver.c.made_by.in_(makers), *which)
    db.session.execute(theirs.values(values))
