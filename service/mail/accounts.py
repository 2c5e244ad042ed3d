"""Letters about accounts: to verify an address, to sign in, to choose a new password, and warnings.

Who may get one is looked up here, when it is sent: whoever asks for a mail is answered the same, whatever it finds.
"""

from __future__ import annotations

from typing import Any

from service import accounts, mailed_keys, people
from service.api.common import Tools
from service.clock import HOUR
from service.mail.letter import Letter
from service.mail.note import note
from service.mailed_keys import Purpose
from service.words import phrases


def verify(kit: Tools, row: Any) -> Letter | None:
    """The key that makes a new address count."""
    account = accounts.find(row.player_id)
    if account is None or account.nonce != row.data["nonce"]:
        return None
    claim = accounts.pending_claim(account)
    url = mailed_keys.link(kit.config, kit.outside, mailed_keys.VERIFY, claim)
    return _letter("verify", account, account.pending, url)


def known_address(kit: Tools, row: Any) -> Letter | None:
    """Somebody has given an address that is verified already; its owner is told, nobody else."""
    account = accounts.find(row.player_id)
    if account is None or account.folded != row.address.lower():
        return None
    return _letter("known-address", account, account.address, f"{kit.config.public_url}/#/me")


def address_changed(_kit: Tools, row: Any) -> Letter | None:
    """To the address that an account had."""
    account = accounts.find(row.player_id)
    return account and _letter("address-changed", account, row.address)


def sign_in(kit: Tools, row: Any) -> Letter | None:
    """The key to sign in with."""
    return _keyed(kit, row, mailed_keys.SIGN_IN)


def reset(kit: Tools, row: Any) -> Letter | None:
    """The key to choose a new password with."""
    return _keyed(kit, row, mailed_keys.RESET)


def fresh(kit: Tools, row: Any) -> bool:
    """Whether somebody may still be waiting for it."""
    return kit.outside.now() - int(row.created_at) < HOUR


def _keyed(kit: Tools, row: Any, purpose: Purpose) -> Letter | None:
    account = accounts.by_who(row.data["who"])
    if account is None or account.address is None:
        return None
    url = mailed_keys.link(kit.config, kit.outside, purpose, accounts.claim_of(account))
    return _letter(purpose.name, account, account.address, url)


def _letter(kind: str, account: Any, to: str, url: str | None = None) -> Letter:
    language = people.find(account.player_id).language
    words = phrases(language)
    fields = {"handle": account.handle}
    return note(
        language,
        to=to,
        subject=words.say(f"mail.{kind}.subject", fields),
        paragraphs=[words.say(f"mail.{kind}.text", fields)],
        button=(words.say(f"mail.{kind}.button"), url) if url else None,
        after=[words.say(f"mail.{kind}.after", fields)],
    )
