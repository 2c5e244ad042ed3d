"""Which keys belong to a database: a digest of each is kept in it, so that a key file of another server is found."""

from __future__ import annotations

import hmac
from hashlib import sha256

from sqlalchemy import delete, select

from service.core.database.database import UNLESS_THERE, db, transaction, write_rows
from service.core.models.server import KeyCheck
from service.core.settings.config import Config
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY

_checks = KeyCheck.metadata.tables["key_checks"]
_TEXT = b"tegami: which key belongs to this database"


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
    keys = {SECRET_KEY: config.secret_key, SIGNING_KEY: config.signing_key}
    keys[PUSH_KEY] = config.push_key
    return {name: hmac.digest(key, _TEXT, sha256) for name, key in keys.items() if key}


def _known() -> dict[str, bytes]:
    rows = db.session.execute(select(_checks.c.name, _checks.c.digest))
    return {name: bytes(digest) for name, digest in rows}
