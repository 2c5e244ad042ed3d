"""Things made with tokens: further tokens, feeds and webhooks. They end with the token unless its owner keeps them.

So a person who has stolen a token has nothing left once it is revoked. Things made with a sign-in, or before their
origin was noted, are the owner's own. What another site or app has made also ends when its token expires, since its
player agreed to that time. Such a site keeps nothing beyond the end of its token, whichever of its tokens ends it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import ColumnElement, select, update

from service.core.database.database import changed_rows, db, transaction
from service.core.models.people import Credential, Player
from service.core.models.receivers import WEBHOOK, Receiver
from service.core.runtime.problems import CookieOnly, NotFound
from service.core.runtime.time_and_random import Runtime
from service.people.credentials import credentials
from service.people.credentials.credentials import FEED, Caller

_credential = Credential.metadata.tables["credentials"]
_receiver = Receiver.metadata.tables["receivers"]


class Made(NamedTuple):
    """The number of things of each kind that would end with a token: things that it has made, and what these have
    made.
    """

    tokens: int = 0
    feeds: int = 0
    webhooks: int = 0


def made(runtime: Runtime, player_id: str) -> dict[str, Made]:
    """The number of things made by the player's tokens, by the token's id."""
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
            by = makers.get(by)  # noqa: PLW2901 - up to the first of the makers
    return {by: Made(*each) for by, each in numbers.items()}


def revoke(runtime: Runtime, caller: Caller, token_id: str, *, keep: bool = False) -> None:
    """End a token of the caller with everything made by it, unless the owner wants to `keep` those things.

    A program can replace its token with one made by it: the token of the request stays, with everything made by it. A
    site or app of others cannot do so. Raises NotFound if there is no such token. Raises CookieOnly for a token that
    wants to `keep` something: a person who has stolen it would still have that once the owner has revoked it.
    """
    if keep and caller.token is not None:
        raise CookieOnly
    with transaction():
        is_site = credentials.site_of(caller.token) is not None
        if not _end(runtime.now(), caller.id, token_id):
            raise NotFound
        if keep:
            own: dict[str, object] = {"made_by": None}
            mine = (_credential.c.player_id == caller.id) & (_credential.c.made_by == token_id)
            db.session.execute(update(_credential).where(mine).values(own))
            _webhooks(caller.id, [token_id], own)
        else:
            _end_made(runtime.now(), caller.id, token_id, None if is_site else caller.token)


def end(now: int, player_id: str, token_id: str) -> None:
    """End a token of this player with everything made by it, if it has not ended."""
    with transaction():
        if _end(now, player_id, token_id):
            _end_made(now, player_id, token_id, None)


def end_expired(now: int, most: int) -> int:
    """End everything made by expired tokens of sites and apps, for at most `most` tokens; return their number."""
    of = _credential.c
    expired = of.client.is_not(None) & of.ended_at.is_(None) & (of.expires_at <= now)
    found = db.session.execute(select(of.player_id, of.id).where(expired).limit(most)).all()
    for player_id, token_id in found:
        end(now, player_id, token_id)
    return len(found)


def _end(now: int, player_id: str, token_id: str) -> bool:
    """End this token alone; return whether it had not ended before."""
    of = _credential.c
    # Code that makes something holds this row, too, so it is either seen here or not made.
    db.session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
    mine = (of.player_id == player_id) & of.ended_at.is_(None)
    this = update(_credential).where(mine, of.id == token_id, of.kind == "token")
    return changed_rows(this.values(ended_at=now)) == 1


def _end_made(now: int, player_id: str, token_id: str, kept: str | None) -> None:
    """End everything made by this token, but not the token `kept`."""
    of = _credential.c
    mine = of.player_id == player_id
    ended, found = [token_id], [token_id]
    while found:
        further = select(of.id).where(mine, of.made_by.in_(found))
        known = {*ended, kept}
        found = [each for each in db.session.scalars(further) if each not in known]
        ended += found
    made = update(_credential).where(mine, of.ended_at.is_(None), of.id.in_(ended))
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
