"""Accounts: by registering, a guest gets a handle, an address that has to be verified, and perhaps a password.

Nothing here reveals whether an address is registered: the work and the response are the same for every address; only
the email differs.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from rules.kernel import Json
from service.core.database.database import (
    changed_rows,
    db,
    one_row,
    release_connection,
    transaction,
)
from service.core.models.people import Account
from service.core.runtime.problems import (
    AlreadyRegistered,
    HandleTaken,
    NotRegistered,
    OtherAccount,
    WrongKey,
    WrongPassword,
)
from service.core.runtime.signatures import signature
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.settings.config import Config
from service.outbox import queue
from service.outbox.addresses import undelivered
from service.people import players
from service.people.credentials import credentials, mailed_keys, password_rules
from service.people.credentials.credentials import Caller
from service.people.credentials.mailed_keys import Claim
from service.people.credentials.passwords import Passwords
from service.people.players import PlayerRow

RESERVED = {"admin", "administrator", "house", "moderator", "operator", "root", "support", "tegami"}
"""The handles that nobody may have, because their holders could pass for somebody else."""


_NOTHING_PENDING = {"pending": None, "nonce": None}
_account = Account.__table__


def find(player_id: str) -> Account | None:
    """The account of a player; None for a guest."""
    return one_row(Account.of, select(_account).where(_account.c.player_id == player_id))


def get(player_id: str) -> Account:
    """The account of a player. Raises NotRegistered for a guest."""
    account = find(player_id)
    if account is None:
        raise NotRegistered
    return account


def find_by_login(login: str) -> Account | None:
    """The account with this handle or this verified address; None if there is none."""
    column = _account.c.folded if "@" in login else _account.c.handle
    return one_row(Account.of, select(_account).where(column == login.lower()))


def address_of(player_id: str) -> str | None:
    """The verified address of a player, the only one to which emails may be sent; None if there is none."""
    account = find(player_id)
    return account.address if account else None


def can_sign_in(account: Account | None) -> bool:
    """Whether a player with this account can sign in without the secret link."""
    return account is not None and bool(account.password or account.address)


def register(
    runtime: Runtime, player_id: str, sign_in: str, handle: str, address: str, password: str | None
) -> None:
    """Make a guest a registered player, perhaps with the hash of a password. Only the credential `sign_in` stays valid.

    Raises AlreadyRegistered if the player is no guest, HandleTaken if the handle is reserved or somebody else's, and
    NotSignedIn if the player has just been erased.
    """
    if handle.lower() in RESERVED:
        raise HandleTaken
    row = {"player_id": player_id, "handle": handle.lower(), "password": password}
    with transaction():
        players.prevent_erasure(player_id)
        if find(player_id):
            raise AlreadyRegistered
        try:
            new = insert(Account).values(**row, generation=0, registered_at=runtime.now())
            db.session.execute(new)
        except IntegrityError:
            raise HandleTaken from None
        players.update_row(player_id, {"proven": None})
        credentials.end_others(runtime, player_id, sign_in)
        _request_verification(runtime, get(player_id), address)


def change_address(runtime: Runtime, player_id: str, address: str) -> None:
    """Set another address, which becomes valid once it is verified. Raises NotRegistered for a guest."""
    with transaction():
        _request_verification(runtime, get(player_id), address)


def _request_verification(runtime: Runtime, account: Account, address: str) -> None:
    """Mail a key to `address`; if it belongs to another account, mail a warning to its owner instead."""
    nonce, owner = runtime.new_id("v"), find_by_login(address) or account
    _update(account.player_id, pending=address, nonce=nonce)
    kind = "verify" if owner.player_id == account.player_id else "known-address"
    queue.put(
        runtime,
        kind,
        f"{kind} {nonce}",
        player_id=owner.player_id,
        address=address,
        data={"nonce": nonce},
    )


def verify_address(runtime: Runtime, config: Config, player: Caller, key: str) -> None:
    """Make the pending address of `player` the valid one.

    If another one was valid before, a notice is sent there, and only the present credential stays valid. The key alone
    is not enough: somebody typed the address, perhaps a stranger, whose account its owner must not take over. Raises
    WrongKey if the key is not valid, and OtherAccount if it is for another account.
    """
    claim = mailed_keys.read(config, runtime, mailed_keys.VERIFY, key)
    with transaction():
        account = get_by_claim(claim)
        if account.player_id != player.id:
            raise OtherAccount
        _let_count(runtime, config, account, claim, player.credential)


def verify_elsewhere(runtime: Runtime, config: Config, key: str) -> None:
    """Make the pending address valid in a browser that is not signed in, for somebody who has proven to be the player.

    If another address was valid before, no sign-in stays valid. Raises WrongKey if the key is not valid.
    """
    claim = mailed_keys.read(config, runtime, mailed_keys.VERIFY, key)
    with transaction():
        _let_count(runtime, config, get_by_claim(claim), claim, None)


def _let_count(
    runtime: Runtime, config: Config, account: Account, claim: Claim, keep: str | None
) -> None:
    """Make the pending address the valid one. Raises WrongKey if somebody else has verified it meanwhile.

    If another address was valid before, only the credential `keep` stays valid.
    """
    pending = account.pending or ""
    folded = pending.lower()
    new = {"address": pending, "folded": folded, **_NOTHING_PENDING}
    try:
        _use_up(account, claim, **new)
    except IntegrityError:  # meanwhile somebody else has verified it
        raise WrongKey from None
    undelivered.lift(runtime, config, pending)
    if account.address and account.folded != folded:
        credentials.end_others(runtime, account.player_id, keep)
        _warn(runtime, "address-changed", account)


def verification_number(config: Config, account: Account) -> str | None:
    """Six digits that are shown where the player is signed in, and typed where they read the verification email.

    They prove that both are the same person. Somebody who only reads the mailbox has not seen the digits, and somebody
    who typed another person's address cannot read the email. None if no address is to be verified.
    """
    if account.pending is None or account.nonce is None:
        return None
    signed = signature(config.secret_key, "verification number", account.player_id, account.nonce)
    return f"{int.from_bytes(hashlib.sha256(signed.encode()).digest()[:8], 'big') % 10**6:06d}"


def reject_address(runtime: Runtime, config: Config, key: str) -> None:
    """Delete a pending address because its owner says that somebody else typed it.

    Raises WrongKey if the key is not valid.
    """
    claim = mailed_keys.read(config, runtime, mailed_keys.VERIFY, key)
    with transaction():
        _use_up(get_by_claim(claim), claim, **_NOTHING_PENDING)


def _warn(runtime: Runtime, kind: str, account: Account) -> None:
    """Tell the owner of a change of this `kind`, at the address that was valid until now."""
    queue.put(
        runtime,
        kind,
        f"{kind} {account.player_id} {account.generation}",
        player_id=account.player_id,
        address=account.address,
    )


def request_link(runtime: Runtime, purpose: str, login: str) -> None:
    """Mail a link for signing in or for resetting the password, if `login` has a verified address.

    The worker looks the account up, so that the same happens here for every login.
    """
    with transaction():
        key = f"{purpose} {runtime.new_id('m')}"
        queue.put(runtime, purpose, key, run_at=runtime.now(), data={"who": login})


def pending_claim(account: Account) -> Claim:
    """The claim of the key that verifies the account's pending address. Raises WrongKey if there is no such address."""
    return mailed_keys.claim(account.player_id, account.pending, account.nonce)


def address_claim(account: Account) -> Claim:
    """The claim of the key that is mailed to the account's verified address.

    Raises WrongKey if there is no such address.
    """
    return mailed_keys.claim(account.player_id, account.address, account.generation)


def get_by_claim(claim: Claim) -> Account:
    """The account to whose verified or pending address this claim was mailed.

    Raises WrongKey if it is no longer valid.
    """
    account = find(claim.player_id)
    mailed = pending_claim if isinstance(claim.nonce, str) else address_claim
    if account is None or claim != mailed(account):
        raise WrongKey
    return account


def redeem(runtime: Runtime, config: Config, claim: Claim) -> Account:
    """The account to whose address this claim was mailed; the claim is used up. The caller owns the commit.

    Raises WrongKey if the claim is no longer valid.
    """
    account = get_by_claim(claim)
    _use_up(account, claim)
    undelivered.lift(runtime, config, account.address or "")  # this proves that emails arrive there
    return account


def set_password(
    runtime: Runtime, player_id: str, password_hash: str, *, keep: str | None = None
) -> None:
    """Set the password and tell the owner; only the credential `keep` stays valid. The caller owns the commit.

    A pending change of address is dropped, since somebody else may have asked for it.
    """
    account = get(player_id)
    _update(player_id, password=password_hash, generation=Account.generation + 1)
    credentials.end_others(runtime, player_id, keep)
    if account.address:
        _update(player_id, **_NOTHING_PENDING)
        _warn(runtime, "password-changed", account)


def check_new_password(player_id: str, password: str) -> None:
    """Refuse a password that is easily guessed.

    Raises NotRegistered for a guest, CommonPassword, and PersonalPassword if it is made of the player's own data.
    """
    account = get(player_id)
    known = (players.get(player_id).name, account.handle, account.address, account.pending)
    password_rules.check(password, known)


def change_password(runtime: Runtime, player_id: str, password_hash: str, sign_in: str) -> None:
    """Set the password; only the credential `sign_in` stays valid. Raises NotRegistered for a guest."""
    with transaction():
        set_password(runtime, player_id, password_hash, keep=sign_in)


def confirm_password(passwords: Passwords, player_id: str, password: str | None) -> None:
    """Check the password of a player who has one.

    Raises WrongPassword if it is wrong, and Unavailable if too many passwords are being checked.
    """
    account = find(player_id)
    release_connection()  # hashing is slow
    if account and account.password and not passwords.verify(account.password, password or ""):
        raise WrongPassword


def replace_hash(player_id: str, old_hash: str, new_hash: str) -> None:
    """Replace the hash of an unchanged password, which was made with old settings. The caller owns the commit."""
    same = (_account.c.player_id == player_id) & (_account.c.password == old_hash)
    db.session.execute(update(Account).where(same).values(password=new_hash))


def _update(player_id: str, **values: object) -> None:
    db.session.execute(update(Account).where(_account.c.player_id == player_id).values(values))


def _use_up(account: Account, claim: Claim, **values: object) -> None:
    """Use a key up by changing the account to these `values`. Raises WrongKey if it was used in the meantime."""
    version = _account.c.nonce if isinstance(claim.nonce, str) else _account.c.generation
    query = update(Account).where(_account.c.player_id == account.player_id, version == claim.nonce)
    if changed_rows(query.values(**values, generation=_account.c.generation + 1)) != 1:
        raise WrongKey


def exported(player: PlayerRow) -> Json:
    """The player's data for the export, including the data added by registering."""
    account = find(player.id)
    return {
        "id": player.id,
        "name": player.name,
        "created_at": rfc3339(player.created_at),
        "handle": account and account.handle,
        "address": account and account.address,
        "unverified_address": account and account.pending,
        "has_password": bool(account and account.password),
        "registered_at": account and rfc3339(account.registered_at),
    }


def logins(player_id: str) -> list[str]:
    """The names with which the player can sign in, in lower case: the handle and the address."""
    account = find(player_id)
    return [each.lower() for each in (account.handle, account.folded) if each] if account else []


def erase(player_id: str) -> None:
    """Delete the player's account. The caller owns the commit."""
    db.session.execute(delete(Account).where(Account.player_id == player_id))
