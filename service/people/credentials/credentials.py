"""Credentials: cookies, bearer tokens, secret links, feeds. Each secret is shown once and stored as its SHA-256."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, final

from sqlalchemy import Update, bindparam, delete, insert, or_, select, update

from rules.kernel import Json
from service.core.database.database import (
    changed_rows,
    columns,
    db,
    delete_some,
    one_row,
    read_alone,
    rows,
    transaction,
    write,
)
from service.core.models.people import Credential, CredentialKind, Player
from service.core.models.receivers import PUSH, WEBHOOK, Receiver
from service.core.runtime.problems import MissingScope, NotFound, NotSignedIn
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.runtime.units import DAY, MINUTE, SECOND
from service.log.table_rows import table
from service.log.table_rows.table import Table
from service.people import players
from service.people.players import PlayerRow

SCOPES = ("read", "play", "talk", "account")
"""The scopes that a token can have; openapi.yaml explains them."""
FEED: CredentialKind = "feed"
"""The kind of credential that only opens feeds (service/web/page/feeds.py)."""
SIGN_INS: tuple[CredentialKind, ...] = ("cookie", "link")
KINDS: tuple[CredentialKind, ...] = (*SIGN_INS, "token", FEED)
DEFAULT_SCOPES = ("read", "play")
TOKEN_PREFIX = "tgm_"  # noqa: S105 - by which people and scanners recognise a token
_TOKEN = re.compile(rf"{TOKEN_PREFIX}[0-9A-Za-z_-]{{32,86}}", re.ASCII)
COOKIE_MAX_AGE = 400 * DAY // SECOND
"""The time (seconds) for which a browser keeps the cookie: as long as browsers allow."""
USE_RECORDED_EVERY = MINUTE
"""The time (ms) after a recorded use of a credential in which no further use is recorded, since an open page polls all
the time.
"""


class TokenTerms(NamedTuple):
    """The terms of a new token: its purpose, its scopes, and the time at which it expires (ms UTC)."""

    label: str
    scopes: Iterable[str] = DEFAULT_SCOPES
    expires_at: int | None = None
    client: str | None = None
    """The site or app that gets the token; None unless the player has signed in there."""
    client_id: str | None = None
    """The name that this site or app gives itself; None if `client` is None."""


class Site(NamedTuple):
    """The site or app to which a token was given, as `TokenTerms` names it."""

    client: str | None
    client_id: str | None


class NewCredential(NamedTuple):
    """A credential that has just been created, with its secret."""

    row: Credential
    secret: str


@final
@dataclass(frozen=True)
class Caller(PlayerRow):
    """A player who has proved who they are, and the credential that proved it."""

    credential: str
    """The id of the credential."""
    seen_at: int | None
    """The time at which the use of the credential was last recorded (ms UTC); None if it never was."""
    scopes: str | None
    """The scopes of the token, separated by spaces; None for other credentials."""
    expires_at: int | None
    """The time at which the token expires (ms UTC); None if it does not."""

    @property
    def token(self) -> str | None:
        """The id of the token that was used; None if it was not a token."""
        return None if self.scopes is None else self.credential


_player, _credential = Player.__table__, Credential.__table__
_called, CALLING = _player.alias("called"), _credential.alias("calling")
_CALLER_COLUMNS = (
    *columns(PlayerRow, _called),
    CALLING.c.id.label("credential"),
    *(CALLING.c.seen_at, CALLING.c.scopes, CALLING.c.expires_at),
)
VALID = (
    (CALLING.c.digest == bindparam("digest"))
    & (CALLING.c.kind == bindparam("kind"))
    & CALLING.c.ended_at.is_(None)
    & (CALLING.c.expires_at.is_(None) | (CALLING.c.expires_at > bindparam("now")))
)
"""The condition that a row of `CALLING` is the credential with the `values_of` it, and that it is valid."""
_CALLER = select(*_CALLER_COLUMNS).join(CALLING, CALLING.c.player_id == _called.c.id).where(VALID)
_CALLER_AND_TABLE = (
    table.SELECTED.add_columns(*_CALLER_COLUMNS)
    .outerjoin(CALLING, VALID)
    .outerjoin(_called, _called.c.id == CALLING.c.player_id)
)
"""The query that has one row for each person at a table, each with the caller."""
_OF_CALLER = len(_CALLER_COLUMNS)
_FREE = select(_credential.c.id).where(_credential.c.id == bindparam("of"))
_FREE = _FREE.with_for_update(skip_locked=True)
_USED = (
    update(Credential.metadata.tables["credentials"])
    .where(_credential.c.id.in_(_FREE))
    .values(seen_at=bindparam("now", type_=_credential.c.seen_at.type))
)


def digest(secret: str) -> bytes:
    """The stored digest of a secret. A secret has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


def authenticate(runtime: Runtime, secret: str, kind: CredentialKind) -> Caller:
    """The player to whom this credential belongs. Raises NotSignedIn if it is not valid."""
    found = one_row(Caller, _CALLER, values_of(secret, kind, runtime.now()))
    if found is None:
        raise NotSignedIn
    return found


def authenticate_at_table(
    runtime: Runtime, secret: str, kind: CredentialKind, game_id: str, *, alone: bool
) -> tuple[Caller, Table | None]:
    """The player to whom this credential belongs, and the table with this id (None if there is none), from one SELECT.

    `alone` means that nothing else is read with it; code that changes something reads again. Raises NotSignedIn if the
    credential is not valid.
    """
    query, values = _CALLER_AND_TABLE, {**values_of(secret, kind, runtime.now()), "id": game_id}
    found = read_alone(query, values) if alone else db.session.execute(query, values).all()
    if not found:
        return authenticate(runtime, secret, kind), None
    caller = Caller(*found[0][-_OF_CALLER:])
    if caller.credential is None:
        raise NotSignedIn
    return caller, table.table_of(found)


def why_refused(secret: str) -> str:
    """The reason why this token is not valid: `malformed`, `unknown`, `expired` or `revoked`.

    Only somebody who has the whole secret learns of its end, so this helps nobody to guess one. A token that has ended
    is `unknown` once it is purged.
    """
    if not _TOKEN.fullmatch(secret):
        return "malformed"
    mine = (_credential.c.digest == digest(secret)) & (_credential.c.kind == "token")
    ends = select(_credential.c.ended_at, _credential.c.expires_at).where(mine)
    found = db.session.execute(ends).first()
    if found is None:
        return "unknown"
    ended_at, expires_at = found
    was_revoked = ended_at is not None and (expires_at is None or ended_at < expires_at)
    return "revoked" if was_revoked else "expired"


def site_of(token_id: str | None) -> Site | None:
    """The site or app to which this token was given, or to which the token that made it was given; None if there is
    none.
    """
    mine = select(_credential.c.client, _credential.c.client_id).where(_credential.c.id == token_id)
    found = db.session.execute(mine.where(_credential.c.client.is_not(None))).first()
    return Site(*found) if found else None


def values_of(secret: str | None, kind: CredentialKind | None, now: int) -> dict[str, object]:
    """The parameters of `VALID` for this credential. They match no row if there is no secret or no kind."""
    return {"digest": digest(secret) if secret else b"", "kind": kind or "", "now": now}


def may(scopes: str | None, needed: str | None) -> bool:
    """Whether a token with these scopes has the scope `needed`; if that is None, no token has it."""
    return needed in (scopes or "").split()


def in_order(scopes: Iterable[str]) -> str:
    """The scopes, each once, in the order of `SCOPES`, separated by spaces."""
    wanted = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in wanted)


def is_use_due(seen_at: int | None, now: int) -> bool:
    """Whether another use of a credential is to be recorded; `seen_at` is its last recorded use."""
    return now - (seen_at or 0) >= USE_RECORDED_EVERY


def refuse_ended(maker: object) -> None:
    """Raise NotSignedIn if this token (None: no token), which makes something, was revoked during the request.

    The caller has locked the player's row, so that the token cannot be revoked in the meantime.
    """
    on = select(_credential.c.id).where(_credential.c.id == maker, _credential.c.ended_at.is_(None))
    if maker is not None and db.session.scalar(on) is None:
        raise NotSignedIn


def create(
    runtime: Runtime, player_id: str, kind: CredentialKind, label: str | None = None, **more: object
) -> NewCredential:
    """Create a credential, and return it with its secret; a cookie or a link counts as used at once.

    The caller owns the commit. Raises NotSignedIn if the player has just been erased or `made_by` was revoked.
    """
    players.prevent_erasure(player_id)
    refuse_ended(more.get("made_by"))
    now = runtime.now()
    row = {"id": runtime.new_id("k"), "player_id": player_id, "kind": kind, "label": label, **more}
    row |= {"created_at": now, "seen_at": now if kind in SIGN_INS else None}
    secret = (TOKEN_PREFIX if kind == "token" else "") + runtime.new_secret()
    db.session.execute(insert(Credential).values(**row, digest=digest(secret)))
    return NewCredential(Credential(**row), secret)


def create_token(
    runtime: Runtime, player_id: str, terms: TokenTerms, made_by: str | None = None
) -> NewCredential:
    """Create a bearer token, which another token may have made, and return it with its secret.

    The caller owns the commit. Raises NotSignedIn if the player has just been erased or `made_by` was revoked.
    """
    more = {"scopes": in_order(terms.scopes), "expires_at": terms.expires_at, "made_by": made_by}
    more |= {"client": terms.client, "client_id": terms.client_id}
    return create(runtime, player_id, "token", terms.label, **more)


def make_feed(runtime: Runtime, maker: Caller, label: str) -> NewCredential:
    """Create a credential for the addresses of feeds of `maker`, and return it with its secret.

    Raises NotSignedIn if `maker` is no longer signed in.
    """
    with transaction():
        return create(runtime, maker.id, FEED, label, made_by=maker.token)


def delegate_token(runtime: Runtime, maker: Caller, terms: TokenTerms) -> NewCredential:
    """Create a token for the player of `maker`, and return it with its secret.

    If `maker` used a token, the new one has no more scopes, does not last longer, and is listed as its site's. Raises
    MissingScope if it would have more scopes, and NotSignedIn if `maker` is no longer signed in.
    """
    if maker.scopes is not None:
        for scope in sorted(set(terms.scopes) - set(maker.scopes.split())):
            raise MissingScope(scope=scope)
    ends = [each for each in (terms.expires_at, maker.expires_at) if each is not None]
    terms = terms._replace(expires_at=min(ends, default=None))
    with transaction():
        if site := site_of(maker.token):
            terms = terms._replace(**site._asdict())
        return create_token(runtime, maker.id, terms, maker.token)


def replace_link(runtime: Runtime, player_id: str) -> str:
    """Create a new secret link, which ends the old one; return its secret.

    Raises NotSignedIn if the player has just been erased.
    """
    with transaction():
        db.session.execute(_end(runtime, player_id, "link"))
        return create(runtime, player_id, "link").secret


def record_use(runtime: Runtime, credential_id: str) -> None:
    """Record that a credential is being used."""
    with transaction():
        write_use(runtime, credential_id)


def write_use(runtime: Runtime, credential_id: str) -> None:
    """Record a use like `record_use`, in the caller's transaction.

    This does not wait for the row: a transaction that has locked it knows more.
    """
    write(_USED, {"of": credential_id, "now": runtime.now()})


def active(runtime: Runtime, player_id: str, kind: CredentialKind) -> list[Credential]:
    """The credentials of this kind that have neither ended nor expired, the oldest first."""
    valid = Credential.expires_at.is_(None) | (Credential.expires_at > runtime.now())
    mine = (Credential.player_id == player_id) & (Credential.kind == kind)
    query = select(_credential).where(mine, Credential.ended_at.is_(None), valid)
    return rows(Credential.of, query.order_by(Credential.created_at, Credential.id))


def end(runtime: Runtime, player_id: str, credential_id: str, kind: CredentialKind) -> None:
    """End one credential of the player. Raises NotFound if the player has no such credential."""
    with transaction():
        if changed_rows(_end(runtime, player_id, kind).where(Credential.id == credential_id)) != 1:
            raise NotFound
        _forget_browsers(player_id)


def sign_out(runtime: Runtime, caller: Caller) -> None:
    """End the credential of this caller if it is a cookie."""
    with transaction():
        mine = _end(runtime, caller.id, "cookie").where(Credential.id == caller.credential)
        db.session.execute(mine)
        _forget_browsers(caller.id)


def sign_out_everywhere(runtime: Runtime, player_id: str, *, link: bool) -> None:
    """End all cookies of the player and, if `link` is true, the secret link."""
    with transaction():
        db.session.execute(_end(runtime, player_id, *(SIGN_INS if link else SIGN_INS[:1])))
        _forget_browsers(player_id)


def end_others(runtime: Runtime, player_id: str, keep: str | None) -> None:
    """End every sign-in, secret link and token except the one with the id `keep`. The caller owns the commit.

    Somebody who got hold of one of them loses access once the owner changes how to sign in. They are not told of
    anything either: webhooks are switched off, and browsers forgotten.
    """
    told = update(Receiver).where(Receiver.player_id == player_id, Receiver.off_at.is_(None))
    told = told.where(Receiver.kind == WEBHOOK)
    db.session.execute(told.values(off_at=runtime.now(), off_why="account"))
    ending = _end(runtime, player_id, *KINDS)
    db.session.execute(ending.where(Credential.id != keep) if keep else ending)
    _forget_browsers(player_id)


def _forget_browsers(player_id: str) -> None:
    """Stop notifications in the player's browsers whose sign-in has ended, in the caller's transaction."""
    signed_in = select(Credential.id).where(Credential.ended_at.is_(None))
    signed_in = signed_in.where(Credential.player_id == player_id)
    mine = (Receiver.player_id == player_id) & (Receiver.kind == PUSH)
    ended = delete(Receiver).where(mine, Receiver.credential_id.not_in(signed_in))
    db.session.execute(ended)


def _end(runtime: Runtime, player_id: str, *kinds: CredentialKind) -> Update:
    mine = (Credential.player_id == player_id) & Credential.kind.in_(kinds)
    active_ones = update(Credential).where(mine, Credential.ended_at.is_(None))
    return active_ones.values(ended_at=runtime.now())


def exported(runtime: Runtime, player_id: str, kind: CredentialKind) -> list[Json]:
    """The player's credentials of one kind that have not ended, without their secrets."""
    return [_exported(row, kind) for row in active(runtime, player_id, kind)]


def _exported(row: Credential, kind: CredentialKind) -> Json:
    made = {"label": row.label, "created_at": rfc3339(row.created_at)}
    if kind == FEED:
        return {"id": row.id, **made}
    used = {**made, "seen_at": row.seen_at and rfc3339(row.seen_at)}
    if kind == "cookie":
        return used
    ends = row.expires_at and rfc3339(row.expires_at)
    given = {"scopes": (row.scopes or "").split(), "expires_at": ends, "client": row.client}
    return {**used, **given}


def erase(player_id: str) -> None:
    """Delete the player's credentials. The caller owns the commit."""
    db.session.execute(delete(Credential).where(Credential.player_id == player_id))


def repair() -> int:
    """Give all scopes to tokens made by a release without scopes, as they could do everything; return their number."""
    without = (Credential.kind == "token") & Credential.scopes.is_(None)
    with transaction():
        return changed_rows(update(Credential).where(without).values(scopes=" ".join(SCOPES)))


def purge(now: int, most: int) -> int:
    """Delete at most `most` credentials that have ended or expired, and cookies that the browser no longer keeps.

    Returns their number. A token is kept as long as anything that was made with it, so that its origin stays known.
    """
    oldest_cookie = now - SECOND * COOKIE_MAX_AGE
    expired = (Credential.kind == "cookie") & (Credential.created_at < oldest_cookie)
    ended = or_(Credential.ended_at < now - DAY, Credential.expires_at < now - DAY)
    made = (_credential.alias("made").c.made_by, Receiver.made_by)
    is_needed = or_(*(select(by).where(by == Credential.id).exists() for by in made))
    return delete_some(_credential, most, or_(ended, expired), ~is_needed)
