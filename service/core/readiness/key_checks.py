"""The check that a database is used with its own keys. It stores a digest of each.

With a different `secret.key`, links in emails would work on one host only; with a different `signing.key`, heads of one
game would have two signers. To replace a key on purpose, the operator runs `tegami accept-keys`.
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
"""The exit code of a process that does not start, or ends, because its keys are not the database's.

Starting it again would not help.
"""
OTHER_KEY = "key of another server"
"""The cause in the log for a key of another server."""

_log = structlog.get_logger("tegami")
_checks = KeyCheck.metadata.tables["key_checks"]
_TEXT = b"tegami: which key belongs to this database"


class OtherKeys(KnownCause):
    """Raised if some of our keys are not the database's keys; `names` are the names of their files."""

    cause = OTHER_KEY

    def __init__(self, names: list[str]) -> None:
        super().__init__(told(names))
        self.names = names


def refuse_other_keys(config: Config) -> None:
    """Raise OtherKeys unless our keys are those of the database.

    A key that the database does not know yet is accepted.
    """
    names = other_keys(config)
    if names:
        raise OtherKeys(names)


def notices_other_keys(config: Config) -> bool:
    """Whether a process has to end because of its keys; if so, that is logged.

    A database that does not respond is an outage, and no reason to end.
    """
    with suppress(SQLAlchemyError):
        names = other_keys(config)
        if names:
            _log.error("ending", task="keys", cause=OTHER_KEY, told=told(names))
            return True
    return False


def told(names: list[str]) -> str:
    """The fault of the keys in these files and its remedy, in words for the operator."""
    return (
        f"The keys differ from those with which this database has been used: {', '.join(names)}. Bring them here from "
        "the other host or from your copy. If you have replaced them on purpose, run bin/tegami accept-keys."
    )


def note_keys(config: Config) -> None:
    """Note the digests of those keys for which the database has none yet."""
    if missing(config):
        with transaction():
            _write(config)


def accept_keys(config: Config) -> None:
    """Make the present keys those of this database, in place of any earlier ones."""
    with transaction():
        db.session.execute(delete(_checks))
        _write(config)


def _write(config: Config) -> None:
    rows = [{"name": name, "digest": digest} for name, digest in digests(config).items()]
    write_rows(_checks, rows, UNLESS_THERE)


def missing(config: Config) -> bool:
    """Whether the database has no digest of one of the keys."""
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
    """The digest of each key, by the name of its file; it does not reveal the key."""
    return {name: hmac.digest(key, _TEXT, sha256) for name, key in config.keys().items()}


def _known() -> dict[str, bytes]:
    rows = db.session.execute(select(_checks.c.name, _checks.c.digest))
    return {name: bytes(digest) for name, digest in rows}
