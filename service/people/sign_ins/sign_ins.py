"""Signing in: with the secret link, a password, or a mailed key."""

from __future__ import annotations

from typing import NamedTuple

from service.core.database.database import release_connection, transaction
from service.core.runtime.problems import NotSignedIn, WrongKey, WrongPassword
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.people import players
from service.people.accounts import accounts
from service.people.credentials import credentials, mailed_keys
from service.people.credentials.credentials import Caller
from service.people.credentials.passwords import Passwords
from service.people.players import PlayerRow


class SignedIn(NamedTuple):
    """A player who has just signed in, with the secret of the new cookie."""

    player: PlayerRow
    secret: str
    credential: str
    """The id of the credential."""


def owner_of_link(runtime: Runtime, link: str) -> Caller:
    """The player whose secret link this is. Raises WrongKey if it is nobody's."""
    try:
        return credentials.authenticate(runtime, link, "link")
    except NotSignedIn:
        raise WrongKey from None


def by_link(runtime: Runtime, link: str, browser: str | None) -> SignedIn:
    """Sign in with the secret link; return the player with the new cookie. Raises WrongKey if the link is nobody's."""
    with transaction():
        return _sign_in(runtime, owner_of_link(runtime, link).id, browser)


def by_password(
    runtime: Runtime, passwords: Passwords, login: str, password: str, browser: str | None
) -> SignedIn:
    """Sign in with a handle or verified address, and a password; return the player with the new cookie.

    Raises WrongPassword if there is no such account or the password is wrong, and Unavailable if too many passwords are
    being checked. It costs one hash whether or not there is such an account. After a change of the hash settings, a
    correct password costs one more.
    """
    account = accounts.find_by_login(login)
    release_connection()  # hashing is slow
    old_hash = account.password if account else None
    if not passwords.verify(old_hash, password) or account is None or old_hash is None:
        raise WrongPassword
    outdated = passwords.needs_rehash(old_hash)
    new_hash = passwords.hash(password) if outdated else old_hash
    with transaction():
        present = accounts.find(account.player_id)
        if present is None or present.password != old_hash:
            raise WrongPassword
        if outdated:
            accounts.replace_hash(account.player_id, old_hash, new_hash)
        return _sign_in(runtime, account.player_id, browser)


def by_mailed_key(runtime: Runtime, config: Config, key: str, browser: str | None) -> SignedIn:
    """Sign in with a mailed key, which is used up; return the player with the new cookie.

    Raises WrongKey if the key is not valid.
    """
    claim = mailed_keys.read(config, runtime, mailed_keys.SIGN_IN, key)
    with transaction():
        return _sign_in(runtime, accounts.redeem(runtime, config, claim).player_id, browser)


def reset_password(
    runtime: Runtime,
    config: Config,
    passwords: Passwords,
    key: str,
    password: str,
    browser: str | None,
) -> SignedIn:
    """Set a new password with a mailed key, and sign in; all other sign-ins end. Return the player with the new cookie.

    Raises WrongKey if the key is not valid, CommonPassword or PersonalPassword if the password is easily guessed, and
    Unavailable if too many passwords are being checked; the key can still be used after any of them.
    """
    claim = mailed_keys.read(config, runtime, mailed_keys.RESET, key)
    account = accounts.get_by_claim(claim)  # no hash is computed for a key that is used up
    accounts.check_new_password(account.player_id, password)
    release_connection()
    password_hash = passwords.hash(password)
    with transaction():
        account = accounts.redeem(runtime, config, claim)
        accounts.set_password(runtime, account.player_id, password_hash)
        return _sign_in(runtime, account.player_id, browser)


def _sign_in(runtime: Runtime, player_id: str, browser: str | None) -> SignedIn:
    cookie = credentials.create(runtime, player_id, "cookie", browser)
    return SignedIn(players.get(player_id), cookie.secret, cookie.row.id)
