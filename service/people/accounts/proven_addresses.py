"""Addresses that guests have proven: they sat down with the key of an invitation that was mailed there.

The key works once, so one person at most has proven an address by one mail. Whoever was forwarded the mail, or its
link, could be that person: the address is shown to them in part only, and belongs to nobody else, or is not offered.
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
"""Letters of a name in a handle, so that there is room for a number."""


def note(player_id: str, address: str) -> None:
    """A guest has sat down with the key of an invitation to this address. In the caller's transaction."""
    if accounts.find(player_id) is None:
        players.update_row(player_id, {"proven": address})


def forget(player_id: str) -> None:
    """The guest does not want mails there. One commit."""
    with transaction():
        db.session.execute(update(Player).where(Player.id == player_id).values(proven=None))


def in_part(address: str) -> str:
    """An address as its owner recognizes it: `b…@example.org`."""
    return f"{address[0]}…@{address.rpartition('@')[2]}"


def adopt(runtime: Runtime, config: Config, caller: Caller) -> None:
    """Register a guest with the address that they have proven; of their credentials only the present one stays.

    Raises NotFound if they have proven none, or if it is another's by now or wants no mails that others cause;
    AlreadyRegistered.
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
    """A handle like the name, if it has letters for one and nobody has it; otherwise with random letters."""
    wanted = _NOT_IN_HANDLES.sub("", name.lower().replace(" ", "-"))[:_SHORT]
    usable = _HANDLE.fullmatch(wanted) and wanted not in accounts.RESERVED
    if usable and accounts.find_by_login(wanted) is None:
        return wanted
    chance = runtime.new_id("h").lower()[2:9]
    return f"{wanted if usable else 'player'}-{chance}"
