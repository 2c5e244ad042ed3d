"""Accounts: what a guest gets by registering - a handle, an address that has to be verified, perhaps a password.

Nothing here tells anybody whether an address is registered: whatever is asked for, the same is done and answered, and
the mail alone differs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from service import mailed_keys, outbox, people
from service.config import Config
from service.database import db, transaction
from service.mail import suppressed
from service.mailed_keys import Claim
from service.models_people import Account
from service.outside import Outside
from service.passwords import Passwords
from service.problems import (
    AlreadyRegistered,
    HandleTaken,
    NotRegistered,
    WrongKey,
    WrongPassword,
)

RESERVED = {"admin", "administrator", "house", "moderator", "operator", "root", "support", "tegami"}
"""Handles that nobody may have: they would be taken for somebody else."""

_account = Account.metadata.tables["accounts"]
_SELECT = select(_account)


class Wish(NamedTuple):
    """What somebody registers with; `kept` is what is kept of the password, if there is one."""

    handle: str
    address: str
    kept: str | None


def find(player_id: str) -> Any | None:
    """The account of a player; None for a guest."""
    return db.session.execute(_SELECT.where(_account.c.player_id == player_id)).one_or_none()


def registered(player_id: str) -> Any:
    """The account of a player. Raises NotRegistered."""
    account = find(player_id)
    if account is None:
        raise NotRegistered
    return account


def comes_back(account: Any | None) -> bool:
    """Whether a player with this account can sign in without the secret link."""
    return account is not None and bool(account.password or account.address)


def by_who(who: str) -> Any | None:
    """The account of this handle, or of this verified address."""
    column = _account.c.folded if "@" in who else _account.c.handle
    return db.session.execute(_SELECT.where(column == who.lower())).one_or_none()


def address_of(player_id: str) -> str | None:
    """The verified address of a player: the only one that mails may go to."""
    query = select(_account.c.address).where(_account.c.player_id == player_id)
    found: str | None = db.session.scalar(query)
    return found


def register(outside: Outside, player_id: str, wish: Wish) -> None:
    """Make a guest a registered player. Raises AlreadyRegistered, HandleTaken."""
    handle = wish.handle.lower()
    if handle in RESERVED:
        raise HandleTaken
    new = {"player_id": player_id, "handle": handle, "password": wish.kept, "generation": 0}
    with transaction():
        people.still_there(player_id)
        if find(player_id):
            raise AlreadyRegistered
        try:
            db.session.execute(insert(_account).values(**new, registered_at=outside.now()))
        except IntegrityError:
            raise HandleTaken from None
        ask_to_verify(outside, registered(player_id), wish.address)


def change_address(outside: Outside, player_id: str, address: str) -> None:
    """Ask for another address; it counts when it is verified. Raises NotRegistered."""
    with transaction():
        ask_to_verify(outside, registered(player_id), address)


def ask_to_verify(outside: Outside, account: Any, address: str) -> None:
    """Send the key that verifies `address`; if it is somebody's, tell that person. The caller owns the commit."""
    nonce, owner = outside.new_id("v"), by_who(address) or account
    _write(account.player_id, pending=address, nonce=nonce)
    kind = "verify" if owner.player_id == account.player_id else "known-address"
    outbox.put(
        outside,
        kind,
        f"{kind} {nonce}",
        run_at=outside.now(),
        player_id=owner.player_id,
        address=address,
        data={"nonce": nonce},
    )


def verify(outside: Outside, config: Config, key: str) -> None:
    """The address counts from now on; who had another is told there. Raises WrongKey."""
    claim = mailed_keys.read(config, outside, mailed_keys.VERIFY, key)
    with transaction():
        account = find(claim.player_id)
        if account is None or account.pending is None or claim != pending_claim(account):
            raise WrongKey
        new = {"address": account.pending, "folded": account.pending.lower()}
        try:
            _use(account, claim, **new, pending=None, nonce=None)
        except IntegrityError:  # it is somebody else's by now
            raise WrongKey from None
        suppressed.verified(suppressed.digest_of(config.secret_key, account.pending))
        if account.address and account.folded != new["folded"]:
            _tell_old_address(outside, account)


def _tell_old_address(outside: Outside, account: Any) -> None:
    outbox.put(
        outside,
        "address-changed",
        f"address-changed {account.nonce}",
        run_at=outside.now(),
        player_id=account.player_id,
        address=account.address,
    )


def ask_for_link(outside: Outside, purpose: str, who: str) -> None:
    """Send a link to sign in with, or to reset the password: to the verified address of `who`, if there is one.

    Who that is the worker looks up: here the same happens for everybody.
    """
    with transaction():
        key = f"{purpose} {outside.new_id('m')}"
        outbox.put(outside, purpose, key, run_at=outside.now(), data={"who": who})


def pending_claim(account: Any) -> Claim:
    """What a key says that verifies the account's new address."""
    return mailed_keys.about(account.player_id, account.pending, account.nonce)


def claim_of(account: Any) -> Claim:
    """What a key says that was mailed to the account's address."""
    return mailed_keys.about(account.player_id, account.address, account.generation)


def holder(claim: Claim) -> Any:
    """The account whose mailed key this is. Raises WrongKey."""
    account = find(claim.player_id)
    if account is None or account.address is None or claim != claim_of(account):
        raise WrongKey
    return account


def use(config: Config, claim: Claim) -> Any:
    """The account whose mailed key this is; it is used. The caller owns the commit. Raises WrongKey."""
    account = holder(claim)
    _use(account, claim)
    suppressed.verified(suppressed.digest_of(config.secret_key, account.address))
    return account


def set_password(outside: Outside, player_id: str, kept: str, *, but: str | None = None) -> None:
    """A new password; sign-ins but that one, and the secret link, end with the old one. The caller owns the commit."""
    _write(player_id, password=kept, generation=Account.generation + 1)
    people.end_everywhere(outside, player_id, but=but, link=True)


def change_password(outside: Outside, player_id: str, kept: str, sign_in: str) -> None:
    """A new password; `sign_in` is the one that goes on. Raises NotRegistered."""
    with transaction():
        registered(player_id)
        set_password(outside, player_id, kept, but=sign_in)


def confirm(passwords: Passwords, player_id: str, password: str | None) -> None:
    """That it is really this player: who has a password gives it. Raises WrongPassword."""
    account = find(player_id)
    db.session.rollback()  # nothing is held while the password is hashed
    if account and account.password and not passwords.fits(account.password, password or ""):
        raise WrongPassword


def rehashed(player_id: str, before: str, kept: str) -> None:
    """Keep the same password as the settings are now. The caller owns the commit."""
    query = update(_account).where(_account.c.player_id == player_id, _account.c.password == before)
    db.session.execute(query.values(password=kept))


def _write(player_id: str, **values: Any) -> None:
    db.session.execute(update(_account).where(_account.c.player_id == player_id).values(values))


def _use(account: Any, claim: Claim, **values: Any) -> None:
    """Change the account, unless another use of the key was first. Raises WrongKey."""
    same = _account.c.nonce if isinstance(claim.once, str) else _account.c.generation
    query = update(_account).where(_account.c.player_id == account.player_id, same == claim.once)
    done = db.session.execute(query.values(**values, generation=_account.c.generation + 1))
    if done.rowcount != 1:  # type: ignore[attr-defined]
        raise WrongKey
