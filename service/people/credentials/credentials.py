"""Credentials: cookies, bearer tokens, secret links, feeds. Each secret is shown once and kept as its SHA-256."""

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
"""What a token may do; openapi.yaml says what each means."""
FEED: CredentialKind = "feed"
"""Opens feeds, and nothing else (service/web/page/feeds.py)."""
SIGN_INS: tuple[CredentialKind, ...] = ("cookie", "link")
KINDS: tuple[CredentialKind, ...] = (*SIGN_INS, "token", FEED)
DEFAULT_SCOPES = ("read", "play")
TOKEN_PREFIX = "tgm_"  # noqa: S105 - by which people and scanners recognise a token
_TOKEN = re.compile(rf"{TOKEN_PREFIX}[0-9A-Za-z_-]{{32,86}}", re.ASCII)
COOKIE_MAX_AGE = 400 * DAY // SECOND
"""Seconds for which a browser keeps the cookie: the most that browsers allow."""
USE_RECORDED_EVERY = MINUTE
"""Ms for which no further use of a credential is recorded: a page that is open polls all the time."""


class TokenTerms(NamedTuple):
    """What a new token is for, what it may do, and until when (ms UTC)."""

    label: str
    scopes: Iterable[str] = DEFAULT_SCOPES
    expires_at: int | None = None


class NewCredential(NamedTuple):
    """A credential that has just been created, with its secret."""

    row: Credential
    secret: str


@final
@dataclass(frozen=True)
class Caller(PlayerRow):
    """A player who has proved who they are, and the credential that was used."""

    credential: str
    """Its id."""
    seen_at: int | None
    """When its use was last recorded (ms UTC)."""
    scopes: str | None
    """What a token may do, separated by spaces."""
    expires_at: int | None
    """When a token stops working (ms UTC)."""

    @property
    def token(self) -> str | None:
        """The id of the token that was used; None: it was no token."""
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
"""Which row of `CALLING` is the credential of these `values_of` it, if it is a good one."""
_CALLER = select(*_CALLER_COLUMNS).join(CALLING, CALLING.c.player_id == _called.c.id).where(VALID)
_CALLER_AND_TABLE = (
    table.SELECTED.add_columns(*_CALLER_COLUMNS)
    .outerjoin(CALLING, VALID)
    .outerjoin(_called, _called.c.id == CALLING.c.player_id)
)
"""A row for each person at a table, each with the caller."""
_OF_CALLER = len(_CALLER_COLUMNS)
_FREE = select(_credential.c.id).where(_credential.c.id == bindparam("of"))
_FREE = _FREE.with_for_update(skip_locked=True)
_USED = (
    update(Credential.metadata.tables["credentials"])
    .where(_credential.c.id.in_(_FREE))
    .values(seen_at=bindparam("now", type_=_credential.c.seen_at.type))
)


def digest(secret: str) -> bytes:
    """What is kept of a secret. It has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


def authenticate(runtime: Runtime, secret: str, kind: CredentialKind) -> Caller:
    """The player to whom this credential belongs. Raises NotSignedIn."""
    found = one_row(Caller, _CALLER, values_of(secret, kind, runtime.now()))
    if found is None:
        raise NotSignedIn
    return found


def authenticate_at_table(
    runtime: Runtime, secret: str, kind: CredentialKind, game_id: str, *, alone: bool
) -> tuple[Caller, Table | None]:
    """The player to whom this credential belongs, and the table with this id, in one SELECT. Raises NotSignedIn.

    `alone`: nothing else is read beside it; whoever changes something reads anew.
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
    """Why this is no good token: `malformed`, `unknown`, `expired` or `revoked`.

    Only whoever has the whole secret is told of its end, so this helps nobody to guess one. What has ended is `unknown`
    once it is purged.
    """
    if not _TOKEN.fullmatch(secret):
        return "malformed"
    mine = (_credential.c.digest == digest(secret)) & (_credential.c.kind == "token")
    found = db.session.execute(select(_credential.c.ended_at).where(mine)).first()
    if found is None:
        return "unknown"
    return "expired" if found.ended_at is None else "revoked"


def values_of(secret: str | None, kind: CredentialKind | None, now: int) -> dict[str, object]:
    """What `VALID` has to be given to find this credential; None: there is none, and none is found."""
    return {"digest": digest(secret) if secret else b"", "kind": kind or "", "now": now}


def may(scopes: str | None, needed: str | None) -> bool:
    """Whether a token with these scopes may do what needs that one; None needs one that no token has."""
    return needed in (scopes or "").split()


def is_use_due(seen_at: int | None, now: int) -> bool:
    """Whether the use of a credential that was `seen_at` then is to be recorded again."""
    return now - (seen_at or 0) >= USE_RECORDED_EVERY


def refuse_ended(maker: object) -> None:
    """Raise NotSignedIn if this token, which makes something, has been revoked since it was asked with; None is none.

    The player's row is locked, so that no revocation goes on meanwhile.
    """
    on = select(_credential.c.id).where(_credential.c.id == maker, _credential.c.ended_at.is_(None))
    if maker is not None and db.session.scalar(on) is None:
        raise NotSignedIn


def create(
    runtime: Runtime, player_id: str, kind: CredentialKind, label: str | None = None, **more: object
) -> NewCredential:
    """Create a credential; a cookie or a link is used by that. The caller owns the commit. Raises NotSignedIn."""
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
    """Create a bearer token, perhaps by another one. The caller owns the commit. Raises NotSignedIn."""
    scopes = " ".join(scope for scope in SCOPES if scope in set(terms.scopes))
    more = {"scopes": scopes, "expires_at": terms.expires_at, "made_by": made_by}
    return create(runtime, player_id, "token", terms.label, **more)


def make_feed(runtime: Runtime, maker: Caller, label: str) -> NewCredential:
    """Create a secret that is part of the addresses of feeds of `maker`. Raises NotSignedIn."""
    with transaction():
        return create(runtime, maker.id, FEED, label, made_by=maker.token)


def delegate_token(runtime: Runtime, maker: Caller, terms: TokenTerms) -> NewCredential:
    """Create a token for the player of `maker`; if that is a token, the new one can do no more and for no longer.

    Raises MissingScope and NotSignedIn.
    """
    if maker.scopes is not None:
        for scope in sorted(set(terms.scopes) - set(maker.scopes.split())):
            raise MissingScope(scope=scope)
    ends = [each for each in (terms.expires_at, maker.expires_at) if each is not None]
    with transaction():
        until = min(ends, default=None)
        return create_token(runtime, maker.id, terms._replace(expires_at=until), maker.token)


def replace_link(runtime: Runtime, player_id: str) -> str:
    """The secret of a new link; the old one ends. Raises NotSignedIn."""
    with transaction():
        db.session.execute(_end(runtime, player_id, "link"))
        return create(runtime, player_id, "link").secret


def record_use(runtime: Runtime, credential_id: str) -> None:
    """Record that a credential is used now."""
    with transaction():
        write_use(runtime, credential_id)


def write_use(runtime: Runtime, credential_id: str) -> None:
    """The same; the caller owns the commit. Nobody is waited for: whoever has locked the row knows more."""
    write(_USED, {"of": credential_id, "now": runtime.now()})


def active(runtime: Runtime, player_id: str, kind: CredentialKind) -> list[Credential]:
    """The credentials of this kind that have neither ended nor expired, oldest first."""
    valid = Credential.expires_at.is_(None) | (Credential.expires_at > runtime.now())
    mine = (Credential.player_id == player_id) & (Credential.kind == kind)
    query = select(_credential).where(mine, Credential.ended_at.is_(None), valid)
    return rows(Credential.of, query.order_by(Credential.created_at, Credential.id))


def end(runtime: Runtime, player_id: str, credential_id: str, kind: CredentialKind) -> None:
    """End one credential of the player. Raises NotFound."""
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
    """End all cookies of the player and, with `link`, the secret link."""
    with transaction():
        db.session.execute(_end(runtime, player_id, *(SIGN_INS if link else SIGN_INS[:1])))
        _forget_browsers(player_id)


def end_others(runtime: Runtime, player_id: str, keep: str | None) -> None:
    """End every sign-in, secret link and token but the one with the id `keep`. The caller owns the commit.

    Whoever got hold of one of them has no access any more once the owner changes how to sign in, nor is told of
    anything: webhooks are switched off, and browsers forgotten.
    """
    told = update(Receiver).where(Receiver.player_id == player_id, Receiver.off_at.is_(None))
    told = told.where(Receiver.kind == WEBHOOK)
    db.session.execute(told.values(off_at=runtime.now(), off_why="account"))
    ending = _end(runtime, player_id, *KINDS)
    db.session.execute(ending.where(Credential.id != keep) if keep else ending)
    _forget_browsers(player_id)


def _forget_browsers(player_id: str) -> None:
    """Nobody is told in a browser whose sign-in has ended. In the caller's transaction."""
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
    return {**used, "scopes": (row.scopes or "").split(), "expires_at": ends}


def erase(player_id: str) -> None:
    """Delete the player's credentials. The caller owns the commit."""
    db.session.execute(delete(Credential).where(Credential.player_id == player_id))


def repair() -> int:
    """Let tokens that a release without scopes has made do what they could then, which was everything; how many."""
    without = (Credential.kind == "token") & Credential.scopes.is_(None)
    with transaction():
        return changed_rows(update(Credential).where(without).values(scopes=" ".join(SCOPES)))


def purge(now: int, most: int) -> int:
    """Delete credentials that have ended or expired, and cookies that the browser no longer keeps, `most` at most.

    A token stays as long as something that it has made: what has made it can still be followed to that.
    """
    oldest_cookie = now - SECOND * COOKIE_MAX_AGE
    expired = (Credential.kind == "cookie") & (Credential.created_at < oldest_cookie)
    ended = or_(Credential.ended_at < now - DAY, Credential.expires_at < now - DAY)
    made = (_credential.alias("made").c.made_by, Receiver.made_by)
    is_needed = or_(*(select(by).where(by == Credential.id).exists() for by in made))
    return delete_some(_credential, most, or_(ended, expired), ~is_needed)
