"""Accounts: what a guest gets by registering: a handle, an address that has to be verified, perhaps a password.

Nothing here reveals whether an address is registered: the work and the answer are the same for every address, only the
mail differs.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from service.core.config import Config
from service.core.database import columns, db, one_row, release_connection, transaction
from service.core.problems import (
    AlreadyRegistered,
    HandleTaken,
    NotRegistered,
    WrongKey,
    WrongPassword,
)
from service.core.time_and_random import Runtime
from service.models.people import Account
from service.outbox import queue, suppressed_addresses
from service.people import credentials, mailed_keys, password_rules, players
from service.people.mailed_keys import Claim
from service.people.passwords import Passwords

RESERVED = {"admin", "administrator", "house", "moderator", "operator", "root", "support", "tegami"}
"""Handles that nobody may have: people would take their holders for somebody else."""


class AccountRow(NamedTuple):
    """An account (service/models/people.py says what its columns mean)."""

    player_id: str
    handle: str
    password: str | None
    address: str | None
    folded: str | None
    pending: str | None
    nonce: str | None
    generation: int
    registered_at: int


class NewAccount(NamedTuple):
    """What somebody registers with."""

    handle: str
    address: str
    password_hash: str | None


_account = Account.__table__
_ACCOUNT = select(*columns(AccountRow, _account))


def find(player_id: str) -> AccountRow | None:
    """The account of a player; None for a guest."""
    return one_row(AccountRow, _ACCOUNT.where(_account.c.player_id == player_id))


def get(player_id: str) -> AccountRow:
    """The account of a player. Raises NotRegistered for a guest."""
    account = find(player_id)
    if account is None:
        raise NotRegistered
    return account


def find_by_login(login: str) -> AccountRow | None:
    """The account with this handle or this verified address."""
    column = _account.c.folded if "@" in login else _account.c.handle
    return one_row(AccountRow, _ACCOUNT.where(column == login.lower()))


def address_of(player_id: str) -> str | None:
    """The verified address of a player: the only one to which mails may go."""
    account = find(player_id)
    return account and account.address


def can_sign_in(account: AccountRow | None) -> bool:
    """Whether a player with this account can sign in without the secret link."""
    return account is not None and bool(account.password or account.address)


def register(runtime: Runtime, player_id: str, new: NewAccount) -> None:
    """Make a guest a registered player. Raises AlreadyRegistered, HandleTaken, NotSignedIn."""
    handle = new.handle.lower()
    if handle in RESERVED:
        raise HandleTaken
    row = {"player_id": player_id, "handle": handle, "password": new.password_hash, "generation": 0}
    with transaction():
        players.prevent_erasure(player_id)
        if find(player_id):
            raise AlreadyRegistered
        try:
            db.session.execute(insert(Account).values(**row, registered_at=runtime.now()))
        except IntegrityError:
            raise HandleTaken from None
        _request_verification(runtime, get(player_id), new.address)


def change_address(runtime: Runtime, player_id: str, address: str) -> None:
    """Ask for another address, which counts once it is verified. Raises NotRegistered."""
    with transaction():
        _request_verification(runtime, get(player_id), address)


def _request_verification(runtime: Runtime, account: AccountRow, address: str) -> None:
    """Mail a key to `address`; if it belongs to another account, mail a warning to its owner instead."""
    nonce, owner = runtime.new_id("v"), find_by_login(address) or account
    _update(account.player_id, pending=address, nonce=nonce)
    kind = "verify" if owner.player_id == account.player_id else "known-address"
    queue.put(
        runtime,
        kind,
        f"{kind} {nonce}",
        run_at=runtime.now(),
        player_id=owner.player_id,
        address=address,
        data={"nonce": nonce},
    )


def verify_address(runtime: Runtime, config: Config, key: str) -> None:
    """Let the pending address count from now on; the previous one gets a notice. Raises WrongKey."""
    claim = mailed_keys.read(config, runtime, mailed_keys.VERIFY, key)
    with transaction():
        account = find(claim.player_id)
        if account is None or account.pending is None or claim != pending_claim(account):
            raise WrongKey
        folded = account.pending.lower()
        new = {"address": account.pending, "folded": folded, "pending": None, "nonce": None}
        try:
            _use_up(account, claim, **new)
        except IntegrityError:  # meanwhile somebody else has verified it
            raise WrongKey from None
        _unsuppress(config, account.pending)
        if account.address and account.folded != folded:
            _notify_old_address(runtime, account)


def _notify_old_address(runtime: Runtime, account: AccountRow) -> None:
    queue.put(
        runtime,
        "address-changed",
        f"address-changed {account.nonce}",
        run_at=runtime.now(),
        player_id=account.player_id,
        address=account.address,
    )


def request_link(runtime: Runtime, purpose: str, login: str) -> None:
    """Mail a link to sign in or to reset the password, if `login` has a verified address.

    The worker looks the account up; here the same happens for every login.
    """
    with transaction():
        key = f"{purpose} {runtime.new_id('m')}"
        queue.put(runtime, purpose, key, run_at=runtime.now(), data={"who": login})


def pending_claim(account: AccountRow) -> Claim:
    """The claim of a key that verifies the account's pending address. Raises WrongKey if there is none."""
    if account.pending is None or account.nonce is None:
        raise WrongKey
    return mailed_keys.claim(account.player_id, account.pending, account.nonce)


def address_claim(account: AccountRow) -> Claim:
    """The claim of a key that is mailed to the account's verified address. Raises WrongKey if there is none."""
    if account.address is None:
        raise WrongKey
    return mailed_keys.claim(account.player_id, account.address, account.generation)


def get_by_claim(claim: Claim) -> AccountRow:
    """The account to whose verified address this claim was mailed. Raises WrongKey."""
    account = find(claim.player_id)
    if account is None or claim != address_claim(account):
        raise WrongKey
    return account


def redeem(config: Config, claim: Claim) -> AccountRow:
    """The account to whose address this claim was mailed; uses it up. The caller owns the commit. Raises WrongKey."""
    account = get_by_claim(claim)
    _use_up(account, claim)
    _unsuppress(config, account.address)
    return account


def _unsuppress(config: Config, address: str | None) -> None:
    """Mails reach this address: forget that they once did not."""
    if address:
        digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
        suppressed_addresses.lift(digest, suppressed_addresses.REFUSED)


def set_password(
    runtime: Runtime, player_id: str, password_hash: str, *, keep: str | None = None
) -> None:
    """Set the password; the secret link and all sign-ins but `keep` end. The caller owns the commit."""
    _update(player_id, password=password_hash, generation=Account.generation + 1)
    credentials.end_sign_ins(runtime, player_id, keep=keep, link=True)


def check_new_password(player_id: str, password: str) -> None:
    """Refuse a password that is easily guessed. Raises NotRegistered, CommonPassword, PersonalPassword."""
    account = get(player_id)
    known = (players.get(player_id).name, account.handle, account.address, account.pending)
    password_rules.check(password, known)


def change_password(runtime: Runtime, player_id: str, password_hash: str, sign_in: str) -> None:
    """Set the password; of the sign-ins only `sign_in` stays. Raises NotRegistered."""
    with transaction():
        get(player_id)
        set_password(runtime, player_id, password_hash, keep=sign_in)


def confirm_password(passwords: Passwords, player_id: str, password: str | None) -> None:
    """Check the password of a player who has one. Raises WrongPassword, Unavailable."""
    account = find(player_id)
    release_connection()  # hashing is slow
    if account and account.password and not passwords.verify(account.password, password or ""):
        raise WrongPassword


def replace_hash(player_id: str, old_hash: str, new_hash: str) -> None:
    """Replace the hash of an unchanged password, made with old settings. The caller owns the commit."""
    same = (_account.c.player_id == player_id) & (_account.c.password == old_hash)
    db.session.execute(update(Account).where(same).values(password=new_hash))


def _update(player_id: str, **values: object) -> None:
    db.session.execute(update(Account).where(_account.c.player_id == player_id).values(values))


def _use_up(account: AccountRow, claim: Claim, **values: object) -> None:
    """Change the account, unless the key has been used in the meantime. Raises WrongKey."""
    version = _account.c.nonce if isinstance(claim.nonce, str) else _account.c.generation
    query = update(Account).where(_account.c.player_id == account.player_id, version == claim.nonce)
    done = db.session.execute(query.values(**values, generation=_account.c.generation + 1))
    if done.rowcount != 1:  # type: ignore[attr-defined]  # of a CursorResult
        raise WrongKey
