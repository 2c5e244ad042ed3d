"""The doctor: looks at a server from the inside and tells the operator what is well and what is not.

What it tells holds no secret: no passwords, keys, mail addresses or names.
"""

from __future__ import annotations

import smtplib
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import case, func, select
from sqlalchemy.engine import make_url

from service.api.common import Tools
from service.clock import DAY, HOUR, MINUTE
from service.config import LOOPBACK, ROOT, Config
from service.database import db
from service.mail.letter import sender
from service.models_clock import Heartbeat
from service.models_mail import Outbox
from service.smtp import SmtpServer

SILENCE = 2 * MINUTE
"""Ms without a heartbeat after which the worker is not at work."""
LAG = 5 * MINUTE
"""Ms that a mail may be late while all is well."""
PATIENCE = 10.0
"""Seconds that the mail server may take to answer each command."""

OK, NOTE, BAD = "ok", "note", "bad"


class Finding(NamedTuple):
    """What was found: `level` is ok, note (worth knowing) or bad."""

    level: str
    about: str
    told: str


def examine(app: Flask) -> Iterator[Finding]:
    """All findings, one after the other; whatever needs the database is left out if it is out of reach."""
    kit: Tools = app.extensions["tegami"]
    yield from settings(kit.config)
    with app.app_context():
        reached = database(kit.config)
        yield reached
        if reached.level == OK:
            yield from inside(kit)
    yield post(kit.config)


def inside(kit: Tools) -> Iterator[Finding]:
    """What the database tells; the rest only if its tables are those of this release."""
    found, now = migrations(), kit.outside.now()
    yield found
    if found.level == OK:
        yield worker(now)
        yield outbox(now, delivered=bool(kit.config.smtp_url or kit.config.mailbox))
        yield from lost(now)
    db.session.rollback()


def settings(config: Config) -> Iterator[Finding]:
    """What can be said of the settings by themselves; that they fit was seen when they were read."""
    at = f"people come to {config.public_url}"
    if config.secure or urlsplit(config.public_url).hostname in LOOPBACK:
        yield Finding(OK, "settings", f"{at}, registration is {config.registration}")
    else:
        yield Finding(BAD, "settings", f"{at}: without https everybody on the way can read along")
    if config.secure and not config.trusted_proxies:
        told = "TRUSTED_PROXIES is 0: all who come through a proxy share one limit"
        yield Finding(NOTE, "proxies", told)
    if config.secure and not (config.operator and config.contact):
        yield Finding(NOTE, "privacy", "OPERATOR and CONTACT are not set: /privacy names nobody")
    yield secrets(config)
    yield from readable(config)


def secrets(config: Config) -> Finding:
    """Whether the key file is for its owner alone."""
    key = config.data_dir / "secret.key"
    if not key.exists():
        return Finding(BAD, "data", "there is no key file in DATA_DIR")
    if stat.S_IMODE(key.stat().st_mode) & 0o077:
        return Finding(BAD, "data", "others may read the key file: chmod 600 secret.key")
    return Finding(OK, "data", f"{config.data_dir}, the key is its owner's alone")


def readable(config: Config) -> Iterator[Finding]:
    """Whether others can read the file of the embedded database, which holds the seeds of running games."""
    url = make_url(config.database_url)
    file = Path(url.database or "")
    if url.get_backend_name() != "sqlite" or not file.is_file():
        return
    if stat.S_IMODE(file.stat().st_mode) & 0o077 and file.parent.stat().st_mode & 0o011:
        yield Finding(BAD, "data", f"others may read the database: chmod 600 {file.name}")


def database(config: Config) -> Finding:
    """Whether the database answers, and which one it is."""
    kind = make_url(config.database_url).get_backend_name()

    def look() -> Finding:
        version = ".".join(map(str, db.session.connection().dialect.server_version_info or ()))
        return Finding(OK, "database", f"{kind} {version}")

    return _unless_it_fails("database", f"{kind} cannot be reached", look)


def migrations() -> Finding:
    """Whether the tables are those of this release."""

    def look() -> Finding:
        wanted = set(ScriptDirectory(str(ROOT / "service/migrations")).get_heads())
        present = set(MigrationContext.configure(db.session.connection()).get_current_heads())
        if wanted == present:
            return Finding(OK, "migrations", f"at {', '.join(sorted(present))}")
        had = ", ".join(sorted(present)) or "nothing"
        return Finding(BAD, "migrations", f"at {had}: run bin/tegami migrate")

    return _unless_it_fails("migrations", "cannot be read", look)


def worker(now: int) -> Finding:
    """Whether some worker was at work just now."""
    beat = db.session.scalar(select(Heartbeat.at).where(Heartbeat.name == "worker"))
    if beat is None:
        return Finding(BAD, "worker", "has never been at work: run bin/tegami work")
    told = f"last heartbeat {ago(now - beat)}"
    return Finding(OK if now - beat <= SILENCE else BAD, "worker", told)


def outbox(now: int, *, delivered: bool) -> Finding:
    """Whether mails leave in time; those that rest after a failure are not late yet."""
    due = (Outbox.done_at.is_(None), Outbox.run_at <= now, Outbox.lease_until <= now)
    since = case((Outbox.lease_until > Outbox.run_at, Outbox.lease_until), else_=Outbox.run_at)
    waiting, oldest = db.session.execute(select(func.count(), func.min(since)).where(*due)).one()
    if not waiting:
        return Finding(OK, "outbox", "nothing is due")
    late = BAD if delivered else NOTE
    told = f"{waiting} due, the first of them {ago(now - oldest)}"
    return Finding(OK if now - oldest <= LAG else late, "outbox", told)


def lost(now: int) -> Iterator[Finding]:
    """How many mails were refused or given up of late."""
    which = (Outbox.done_at > now - DAY, Outbox.outcome.in_(("failed", "expired")))
    number = db.session.scalar(select(func.count()).select_from(Outbox).where(*which))
    if number:
        yield Finding(NOTE, "outbox", f"{number} not delivered in a day: bin/tegami outbox list")


def post(config: Config) -> Finding:
    """Whether the mail server greets us, takes our password and lets us go."""
    if not config.smtp_url:
        told = "mails go to /mailbox" if config.mailbox else "SMTP_URL is not set: mails wait"
        return Finding(OK if config.mailbox else NOTE, "mail", told)
    server = SmtpServer.parse(config.smtp_url)
    at = f"{server.host}:{server.port}"

    def look() -> Finding:
        smtp = server.connect(sender(config).rpartition("@")[2], PATIENCE)
        smtp.quit()
        return Finding(OK, "mail", f"{at} greets us{' and knows us' if server.user else ''}")

    try:
        return look()
    except smtplib.SMTPResponseException as error:
        return Finding(BAD, "mail", f"{at} says no ({error.smtp_code})")
    except (OSError, smtplib.SMTPException) as error:
        return Finding(BAD, "mail", f"{at} cannot be reached ({type(error).__name__})")


def ago(ms: int) -> str:
    """How long ago something was, in a word or two."""
    for size, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if ms >= 2 * size:
            return f"{ms // size} {name} ago"
    return f"{max(ms, 0) // 1000} s ago"


def _unless_it_fails(about: str, failed: str, look: Callable[[], Finding]) -> Finding:
    """A look, or that it failed: by the name of the error alone, for its text may hold a password."""
    try:
        return look()
    except Exception as error:  # noqa: BLE001 - whatever it is, the operator is told
        db.session.rollback()
        return Finding(BAD, about, f"{failed} ({type(error).__name__})")
