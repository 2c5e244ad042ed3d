"""Addresses that guests have proven by sitting down with the key of an invitation mailed there.

The key works once, so at most one person has proven an address with one email. That person may be somebody to whom the
email, or its link, was forwarded. So the address is shown to them only in part, and is not offered if it belongs to
somebody else.
"""

from __future__ import annotations

import re

from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError

from service.core.database.database import db, transaction
from service.core.models.people import Account, Player
from service.core.runtime.problems import AlreadyRegistered, NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.outbox.addresses import suppressed_addresses, undelivered
from service.people import players
from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.credentials.credentials import Caller

_NOT_IN_HANDLES = re.compile(r"[^a-z0-9_-]")
_HANDLE = re.compile(r"[a-z][a-z0-9_-]{2,23}", re.ASCII)
_SHORT = 16
"""The greatest length of the part of a name that a handle takes, so that there is room for a number."""


def note(player_id: str, address: str) -> None:
    """Note, in the caller's transaction, that a guest has sat down with the key of an invitation to this address."""
    if accounts.find(player_id) is None:
        players.update_row(player_id, {"proven": address})


def forget(player_id: str) -> None:
    """Forget the address, to which the guest wants no emails, in one commit."""
    with transaction():
        db.session.execute(update(Player).where(Player.id == player_id).values(proven=None))


def in_part(address: str) -> str:
    """An address in a form that only its owner recognizes, such as `b…@example.org`."""
    return f"{address[0]}…@{address.rpartition('@')[2]}"


def adopt(runtime: Runtime, config: Config, caller: Caller) -> None:
    """Register a guest with the address that they have proven; only their present credential stays valid.

    Raises NotFound if they have proven none, if it belongs to somebody else by now, or if its owner wants no emails
    caused by others, and AlreadyRegistered if the caller is no guest.
    """
    with transaction():
        players.prevent_erasure(caller.id)
        address = players.get(caller.id).proven
        if accounts.find(caller.id):
            raise AlreadyRegistered
        if address is None or accounts.find_by_login(address) is not None:
            raise NotFound
        if suppressed_addresses.refuses_strangers(config.secret_key, address):
            raise NotFound
        row = {"player_id": caller.id, "handle": _free_handle(runtime, caller.name)}
        proven = {"address": address, "folded": address.lower(), "registered_at": runtime.now()}
        try:
            db.session.execute(insert(Account).values(**row, **proven, generation=0))
        except IntegrityError:
            raise NotFound from None
        players.update_row(caller.id, {"proven": None})
        credentials.end_others(runtime, caller.id, caller.credential)
        undelivered.lift(runtime, config, address)


def _free_handle(runtime: Runtime, name: str) -> str:
    """A free handle made from the name if that has suitable letters; otherwise one with random letters."""
    wanted = _NOT_IN_HANDLES.sub("", name.lower().replace(" ", "-"))[:_SHORT]
    usable = _HANDLE.fullmatch(wanted) and wanted not in accounts.RESERVED
    if usable and accounts.find_by_login(wanted) is None:
        return wanted
    chance = runtime.new_id("h").lower()[2:9]
    return f"{wanted if usable else 'player'}-{chance}"
