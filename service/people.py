"""People: guests, and the ways they prove who they are. Secrets are shown once and kept as SHA-256.

What a registered player has besides is service/accounts.py's.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from sqlalchemy import bindparam, insert, select, update

from service import admissions
from service.database import db, transaction
from service.models import Credential, Game, Player, Tenure
from service.outside import Outside
from service.problems import NotFound, NotSignedIn, WrongKey

TOKEN = "tgm_"  # noqa: S105 - the prefix by which people and scanners recognise a token
COOKIE_AGE = 400 * 24 * 3600
"""Seconds that a browser keeps the sign-in: the most that browsers allow."""
SEEN_EVERY = 60_000
"""Ms after which a use of a credential is noted again: whoever looks at the page was here a minute ago."""


def digest(secret: str) -> bytes:
    """What is kept of a secret. It has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


class Arrival(NamedTuple):
    """How a new guest comes: with a bearer token of this label or in this browser, and perhaps with an invitation."""

    token: str | None = None
    browser: str | None = None
    invitation: str | None = None


def make_guest(
    outside: Outside, name: str, language: str, arrival: Arrival, *, invited: bool = False
) -> tuple[Any, str, Any]:
    """A new guest: the player, the secret of the link back, and a token (with a label) or the secret of a sign-in.

    Raises InvitationNeeded where only the invited may come.
    """
    player = {"id": outside.new_id("p"), "name": name, "language": language}
    with transaction():
        if invited:
            admissions.use(outside, arrival.invitation)
        db.session.execute(insert(Player).values(**player, created_at=outside.now()))
        _, link = add_credential(outside, player["id"], "link")
        kind = "cookie" if arrival.token is None else "token"
        label = arrival.browser if arrival.token is None else arrival.token
        made = add_credential(outside, player["id"], kind, label)
        return find(player["id"]), link, made[1] if arrival.token is None else made


def find(player_id: str) -> Any:
    """The player's row."""
    return db.session.execute(select(Player.__table__).where(Player.id == player_id)).one()


def still_there(player_id: str) -> None:
    """Keep a person from being erased until the commit; whoever locks a game does that first.

    Raises NotSignedIn for one who has just been.
    """
    present = select(Player.id).where(Player.id == player_id, Player.erased_at.is_(None))
    if db.session.scalar(present.with_for_update(read=True, key_share=True)) is None:
        raise NotSignedIn


def add_credential(
    outside: Outside, player_id: str, kind: str, label: str | None = None
) -> tuple[Any, str]:
    """A new credential's row and its secret. The caller owns the commit. Raises NotSignedIn."""
    still_there(player_id)
    secret = (TOKEN if kind == "token" else "") + outside.new_secret()
    row = {
        "id": outside.new_id("k"),
        "digest": digest(secret),
        "kind": kind,
        "player_id": player_id,
        "label": label,
        "created_at": outside.now(),
        "seen_at": outside.now(),
    }
    db.session.execute(insert(Credential).values(row))
    return db.session.execute(_CREDENTIAL.where(Credential.id == row["id"])).one(), secret


_CREDENTIAL = select(Credential.id, Credential.label, Credential.created_at, Credential.seen_at)
_player, _credential = Player.__table__, Credential.__table__
_WHO = (
    select(_player, _credential.c.id.label("credential"), _credential.c.seen_at)
    .join(_credential, _credential.c.player_id == _player.c.id)
    .where(_credential.c.digest == bindparam("digest"), _credential.c.kind == bindparam("kind"))
    .where(_credential.c.ended_at.is_(None))
)


def who(secret: str, kind: str) -> Any:
    """The player whose credential this is, with its id as `credential`. Raises NotSignedIn."""
    found = db.session.execute(_WHO, {"digest": digest(secret), "kind": kind}).one_or_none()
    if found is None:
        raise NotSignedIn
    return found


def seen(outside: Outside, credential_id: str) -> None:
    """Note that a credential is used."""
    with transaction():
        used = update(Credential).where(Credential.id == credential_id)
        db.session.execute(used.values(seen_at=outside.now()))


def sign_in(outside: Outside, link: str, browser: str | None) -> tuple[Any, str]:
    """Come back by the secret link: the player and the secret of a new sign-in. Raises WrongKey."""
    with transaction():
        try:
            player = who(link, "link")
        except NotSignedIn:
            raise WrongKey from None
        return player, add_credential(outside, player.id, "cookie", browser)[1]


def end_credential(outside: Outside, player_id: str, credential_id: str, kind: str) -> None:
    """Let one credential end. Raises NotFound."""
    with transaction():
        ended = db.session.execute(
            _end(outside, player_id, kind).where(Credential.id == credential_id)
        )
        if ended.rowcount != 1:  # type: ignore[attr-defined]
            raise NotFound


def end_sign_in(outside: Outside, credential_id: str) -> None:
    """Sign out: a credential of another kind stays."""
    with transaction():
        signed_in = update(Credential).where(
            Credential.id == credential_id, Credential.kind == "cookie"
        )
        db.session.execute(signed_in.values(ended_at=outside.now()))


def new_link(outside: Outside, player_id: str) -> str:
    """The secret of a new link back; the old ones end."""
    with transaction():
        db.session.execute(_end(outside, player_id, "link"))
        return add_credential(outside, player_id, "link")[1]


def new_token(outside: Outside, player_id: str, label: str) -> tuple[Any, str]:
    """A new token's row and secret."""
    with transaction():
        return add_credential(outside, player_id, "token", label)


def end_everywhere(
    outside: Outside, player_id: str, *, but: str | None = None, link: bool = False
) -> None:
    """End all sign-ins but that one; with `link` the secret link too. The caller owns the commit."""
    ending = _end(outside, player_id, "cookie")
    db.session.execute(ending.where(Credential.id != but) if but else ending)
    if link:
        db.session.execute(_end(outside, player_id, "link"))


def sign_out_everywhere(outside: Outside, player_id: str, *, link: bool) -> None:
    """End all sign-ins; with `link` the secret link too."""
    with transaction():
        end_everywhere(outside, player_id, link=link)


def credentials(player_id: str, kind: str) -> list[Any]:
    """The player's present credentials of a kind, oldest first."""
    present = _CREDENTIAL.where(Credential.player_id == player_id, Credential.kind == kind)
    query = present.where(Credential.ended_at.is_(None)).order_by(Credential.created_at)
    return list(db.session.execute(query))


def change(player_id: str, values: dict[str, Any]) -> Any:
    """Change name or language; every table that shows the name has a new revision."""
    with transaction():
        write(player_id, values)
        touch_tables(player_id)
        return find(player_id)


def write(player_id: str, values: dict[str, Any]) -> None:
    """Change the player's row. The caller owns the commit. Raises NotSignedIn for one who has just been erased."""
    still_there(player_id)
    db.session.execute(update(Player).where(Player.id == player_id).values(values))


def touch_tables(player_id: str) -> None:
    """All tables where this player ever sat are shown otherwise. The caller owns the commit."""
    at = select(Tenure.game_key).where(Tenure.player_id == player_id)
    shown = update(Game).where(Game.key.in_(at))
    db.session.execute(shown.values(revision=Game.revision + 1))


def _end(outside: Outside, player_id: str, kind: str) -> Any:
    present = update(Credential).where(
        Credential.player_id == player_id, Credential.kind == kind, Credential.ended_at.is_(None)
    )
    return present.values(ended_at=outside.now())
