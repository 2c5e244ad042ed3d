"""Sign-ins: how registered players come back - by password, or by a link that was mailed to them."""

from __future__ import annotations

from typing import Any

from service import accounts, mailed_keys, people
from service.config import Config
from service.database import db, transaction
from service.outside import Outside
from service.passwords import Passwords
from service.problems import WrongPassword


def by_password(
    outside: Outside, passwords: Passwords, who: str, password: str, browser: str | None
) -> tuple[Any, str]:
    """Handle or verified address, and password: the player, and the secret of a new sign-in. Raises WrongPassword.

    One hash, whoever it is; the settings' change makes one more of a right password.
    """
    account = accounts.by_who(who)
    db.session.rollback()  # nothing is held while the password is hashed
    if not passwords.fits(account and account.password, password) or account is None:
        raise WrongPassword
    outdated = passwords.outdated(account.password)
    kept = passwords.keep(password) if outdated else account.password
    with transaction():
        present = accounts.find(account.player_id)
        if present is None or present.password != account.password:
            raise WrongPassword
        if outdated:
            accounts.rehashed(account.player_id, account.password, kept)
        return _signed_in(outside, account.player_id, browser)


def by_mail(outside: Outside, config: Config, key: str, browser: str | None) -> tuple[Any, str]:
    """By a mailed key: the player, and the secret of a new sign-in. Raises WrongKey."""
    claim = mailed_keys.read(config, outside, mailed_keys.SIGN_IN, key)
    with transaction():
        return _signed_in(outside, accounts.use(config, claim).player_id, browser)


def reset(
    outside: Outside,
    config: Config,
    passwords: Passwords,
    key: str,
    password: str,
    browser: str | None,
) -> tuple[Any, str]:
    """A new password by a mailed key; all other sign-ins end. Raises WrongKey."""
    claim = mailed_keys.read(config, outside, mailed_keys.RESET, key)
    accounts.holder(claim)  # before it is worth a hash
    db.session.rollback()
    kept = passwords.keep(password)
    with transaction():
        account = accounts.use(config, claim)
        accounts.set_password(outside, account.player_id, kept)
        return _signed_in(outside, account.player_id, browser)


def _signed_in(outside: Outside, player_id: str, browser: str | None) -> tuple[Any, str]:
    player = people.find(player_id)
    return player, people.add_credential(outside, player_id, "cookie", browser)[1]
