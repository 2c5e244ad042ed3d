"""Which keys belong to a database: a digest of each is kept in it, so that no host works on it with others.

With another `secret.key` the links in mails are good on one host alone, with another `signing.key` heads of one game
have two signers. Whoever replaces a key on purpose says so (`tegami accept-keys`).
"""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from hashlib import sha256

import structlog
from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.database import UNLESS_THERE, db, transaction, write_rows
from service.core.database.failures import KnownCause
from service.core.models.server import KeyCheck
from service.core.settings.config import Config

EXIT_CODE = os.EX_CONFIG
"""Of a process that does not start with such keys, or ends: to start it once more would be no use."""
OTHER_KEY = "key of another server"
"""The cause, for the log."""

_log = structlog.get_logger("tegami")
_checks = KeyCheck.metadata.tables["key_checks"]
_TEXT = b"tegami: which key belongs to this database"


class OtherKeys(KnownCause):
    """Some of our keys are not those of the database; `names` are their files'."""

    cause = OTHER_KEY

    def __init__(self, names: list[str]) -> None:
        super().__init__(told(names))
        self.names = names


def refuse_other_keys(config: Config) -> None:
    """Raise OtherKeys unless ours are those of the database; one that it does not know yet is no other."""
    names = other_keys(config)
    if names:
        raise OtherKeys(names)


def notices_other_keys(config: Config) -> bool:
    """Whether a process has to end because of that; logged. A database that does not answer is an outage."""
    with suppress(SQLAlchemyError):
        names = other_keys(config)
        if names:
            _log.error("ending", task="keys", cause=OTHER_KEY, told=told(names))
            return True
    return False


def told(names: list[str]) -> str:
    """What is wrong with these keys and what can be done, for the operator."""
    return (
        f"The keys differ from those with which this database has been used: {', '.join(names)}. Bring them here from "
        "the other host or from your copy. If you have replaced them on purpose, run bin/tegami accept-keys."
    )


def note_keys(config: Config) -> None:
    """Note the digests of keys of which none is known yet."""
    if missing(config):
        with transaction():
            _write(config)


def accept_keys(config: Config) -> None:
    """From now on the present keys belong to this database, whichever did."""
    with transaction():
        db.session.execute(delete(_checks))
        _write(config)


def _write(config: Config) -> None:
    rows = [{"name": name, "digest": digest} for name, digest in digests(config).items()]
    write_rows(_checks, rows, UNLESS_THERE)


def missing(config: Config) -> bool:
    """Whether no digest is known of one of the keys."""
    return not digests(config).keys() <= _known().keys()


def other_keys(config: Config) -> list[str]:
    """The names of the keys that are not those of this database."""
    known = _known()
    return [
        name
        for name, digest in digests(config).items()
        if name in known and not hmac.compare_digest(known[name], digest)
    ]


def digests(config: Config) -> dict[str, bytes]:
    """A digest of each key, from which nobody can tell the key."""
    return {name: hmac.digest(key, _TEXT, sha256) for name, key in config.keys().items()}


def _known() -> dict[str, bytes]:
    rows = db.session.execute(select(_checks.c.name, _checks.c.digest))
    return {name: bytes(digest) for name, digest in rows}
