"""Guests: players who have given nothing but a name. They may register later (service/people/accounts/accounts.py)."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import insert

from service.core.database.database import db, transaction
from service.core.models.people import Player
from service.core.runtime.time_and_random import Runtime
from service.people import names, players
from service.people.accounts import admission_codes
from service.people.credentials import credentials
from service.people.credentials.credentials import NewCredential, TokenTerms
from service.people.players import PlayerRow


class GuestRequest(NamedTuple):
    """What a visitor sends to become a guest."""

    name: str
    language: str
    token: TokenTerms | None = None
    """The bearer token that a program asks for; None: a browser, which gets a cookie."""
    browser: str | None = None
    """The kind of browser."""
    admission_code: str | None = None
    program: bool = False
    """Whether a program is to play for this guest."""


class NewGuest(NamedTuple):
    """A guest who has just been created, with the secrets that are shown only now."""

    player: PlayerRow
    link: str
    """The secret of the link with which to sign in again."""
    credential: NewCredential
    """A token or a cookie."""


def create(runtime: Runtime, request: GuestRequest, *, needs_code: bool = False) -> NewGuest:
    """Create a guest, who is signed in.

    Raises UnusableName, and InvitationNeeded if `needs_code` and the code is not valid.
    """
    name = names.usable(request.name)
    player_id = runtime.new_id("p")
    row: dict[str, object] = {"id": player_id, "name": name, "language": request.language}
    row |= {"program": request.program}
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
