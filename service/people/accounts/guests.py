"""Guests: players who have given only a name. They may register later (service/people/accounts/accounts.py)."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Select, exists, insert, select

from service.core.database.database import db, transaction
from service.core.models.games import Tenure
from service.core.models.people import Account, Credential, Player
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.people import names, players
from service.people.accounts import admission_codes
from service.people.credentials import credentials
from service.people.credentials.credentials import NewCredential, TokenTerms
from service.people.players import PlayerRow

GUESTS_KEPT = 30 * DAY
"""The time (ms) for which a guest who has never played is kept after they were last seen."""


class GuestRequest(NamedTuple):
    """The request of a visitor who becomes a guest."""

    name: str
    language: str
    token: TokenTerms | None = None
    """The terms of the bearer token that a program asks for; None for a browser, which gets a cookie."""
    browser: str | None = None
    """The kind of browser; None if it is not known."""
    admission_code: str | None = None
    program: bool = False
    """Whether a program is to play for this guest."""


class NewGuest(NamedTuple):
    """A guest who has just been created, with the secrets, which cannot be shown again."""

    player: PlayerRow
    link: str
    """The secret of the link with which to sign in again."""
    credential: NewCredential
    """The token or the cookie, with its secret."""


def create(runtime: Runtime, request: GuestRequest, *, needs_code: bool = False) -> NewGuest:
    """Create a guest and sign them in; return the guest with the secrets.

    Raises UnusableName if nobody may have the name, and InvitationNeeded if `needs_code` and the code is not valid.
    """
    name = names.usable(request.name)
    player_id = runtime.new_id("p")
    row = {"id": player_id, "name": name, "language": request.language, "program": request.program}
    with transaction():
        if needs_code:
            admission_codes.redeem(runtime, request.admission_code)
        db.session.execute(insert(Player).values(**row, created_at=runtime.now()))
        link = credentials.create(runtime, player_id, "link").secret
        if request.token is None:
            credential = credentials.create(runtime, player_id, "cookie", request.browser)
        else:
            credential = credentials.create_token(runtime, player_id, request.token)
        return NewGuest(players.get(player_id), link, credential)


def unseen(before: int) -> Select[str]:
    """The query for the ids of guests who were not seen since `before`, have no seat and have never played; oldest
    first.
    """
    seen = exists().where(Credential.player_id == Player.id, Credential.seen_at >= before)
    played = exists().where(
        Tenure.player_id == Player.id, Tenure.ended_at.is_(None) | Tenure.began.is_not(None)
    )
    registered = exists().where(Account.player_id == Player.id)
    query = select(Player.id).where(
        Player.created_at < before, Player.erased_at.is_(None), ~registered, ~seen, ~played
    )
    return query.order_by(Player.created_at)
