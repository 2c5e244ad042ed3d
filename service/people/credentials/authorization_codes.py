"""Authorization codes: with one, another site or app gets a token, once, after the player has agreed (OAuth).

A code is for the client, the redirect URI and the challenge of its request, and ends with the sign-in of the player who
has agreed. If a code is used again, the token for which it was exchanged ends, too: one of the two parties that had the
code was not meant to have it.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from service.core.database.database import changed_rows, db, delete_some, one_row, transaction
from service.core.models.people import AuthorizationCode
from service.core.runtime.problems import NotSignedIn
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE
from service.people import players
from service.people.credentials import credentials, made_by_tokens
from service.people.credentials.credentials import Caller, NewCredential, TokenTerms

WORKS_FOR = 2 * MINUTE
"""The time (ms) for which a code can be exchanged: browser and client do so at once."""
KEPT = DAY
"""The time (ms) for which a code that has ended is kept, so that using it again is noticed."""
TOKEN_WORKS_FOR = 90 * DAY
"""The time (ms) for which a token that was given in exchange for a code works."""
LONGEST_LABEL = 60
"""The greatest length of a token's label, in characters."""
_code = AuthorizationCode.__table__


class Wish(NamedTuple):
    """A client's request, to which a player agrees."""

    client: str
    """The site or app, as the player was shown it."""
    client_id: str
    redirect_uri: str
    scopes: str
    """The scopes, separated by spaces, in the order of `SCOPES`."""
    challenge: str
    """The SHA-256 of the client's verifier, in base64url."""


def create(runtime: Runtime, owner: Caller, wish: Wish) -> str:
    """Create a code for the wish to which `owner`, who is signed in with a cookie, has agreed; return its secret.

    Raises NotSignedIn if that sign-in has ended.
    """
    secret, now = runtime.new_secret(), runtime.now()
    row = {**wish._asdict(), "digest": credentials.digest(secret), "player_id": owner.id}
    row |= {"sign_in": owner.credential, "created_at": now, "ends_at": now + WORKS_FOR}
    with transaction():
        players.prevent_erasure(owner.id)
        db.session.execute(insert(AuthorizationCode).values(row))
    return secret


def find(secret: str) -> AuthorizationCode | None:
    """The code with this secret, used or not; None if there is none."""
    return _stored(credentials.digest(secret))


def exchange(runtime: Runtime, code: AuthorizationCode) -> NewCredential | None:
    """Use the code up, and create its token; return None if the code was used before, or has ended.

    Of several requests with one code, one gets a token, and each of the others ends it. The caller has checked that
    they come from the client that asked for the code, since nobody else may end anything.
    """
    try:
        with transaction():
            made = _claimed(runtime, code)
    except NotSignedIn:
        made = None
    used = None if made else _stored(code.digest)
    if used is not None and used.token is not None:
        made_by_tokens.end(runtime.now(), used.player_id, used.token)
    return made


def _stored(digest: bytes) -> AuthorizationCode | None:
    return one_row(AuthorizationCode.of, select(_code).where(_code.c.digest == digest))


def _claimed(runtime: Runtime, code: AuthorizationCode) -> NewCredential | None:
    """The new token, if this request is the first to claim the code; otherwise None.

    Raises NotSignedIn if the player was erased or the sign-in has ended.
    """
    now = runtime.now()
    players.prevent_erasure(code.player_id)
    credentials.refuse_ended(code.sign_in)
    unused = (_code.c.digest == code.digest) & _code.c.used_at.is_(None) & (_code.c.ends_at > now)
    if changed_rows(update(AuthorizationCode).where(unused).values(used_at=now)) != 1:
        return None
    label = code.client[-LONGEST_LABEL:]  # a long name ends in the domain of its owner
    terms = TokenTerms(
        label, code.scopes.split(), now + TOKEN_WORKS_FOR, code.client, code.client_id
    )
    made = credentials.create_token(runtime, code.player_id, terms)
    this = update(AuthorizationCode).where(_code.c.digest == code.digest)
    db.session.execute(this.values(token=made.row.id))
    return made


def erase(player_id: str) -> None:
    """Delete the player's codes. The caller owns the commit."""
    db.session.execute(delete(AuthorizationCode).where(AuthorizationCode.player_id == player_id))


def purge(now: int, most: int) -> int:
    """Delete at most `most` codes that ended long ago; return the number."""
    return delete_some(_code, most, _code.c.ends_at <= now - KEPT)
