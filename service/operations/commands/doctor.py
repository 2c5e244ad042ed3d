"""`tegami doctor`: examines a server from the inside and tells the operator what is wrong.

Its output contains no secret: no passwords, keys, mail addresses or names.
"""

from __future__ import annotations

import smtplib
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask
from sqlalchemy import URL, func, make_url, select
from sqlalchemy.exc import SQLAlchemyError

from service.core.counts import attempt_counts
from service.core.database import partitions, replica
from service.core.database.database import db
from service.core.database.failures import cause_of
from service.core.models.games import Game, Seat
from service.core.models.mail import FAILED_HERE, Outbox
from service.core.models.receivers import PUSH, WEBHOOK
from service.core.readiness import checks, clock_jumps, heartbeats
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.runtime.units import DAY, MINUTE, SECOND, ago
from service.core.settings.config import LOOPBACK, Config
from service.core.settings.database_address import hosts
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY
from service.log.records.cold_storage import ColdStorageOutOfReach
from service.log.records.signed_heads import HeadSigner
from service.log.verification import cold_moves, log_checks
from service.notifications.incoming_mail.returned import bounces
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.smtp import SmtpServer
from service.notifications.mail_texts.message import sender_address
from service.notifications.receivers import next_deliveries, receivers
from service.outbox import queue
from service.outbox.addresses import undelivered
from service.tables.play.house_players import waiting_seats
from service.tables.services import Services

LAG = 5 * MINUTE
"""How late (ms) an email may be without being a sign of a problem."""
CHECKED = 3 * DAY
"""How long (ms) after a check of all games the next check should have begun."""
OVERDUE = MINUTE
"""The time (ms) within which a house player should have answered."""
SMTP_TIMEOUT = 10.0
"""How long (seconds) the mail server may take to respond to each command."""

VERIFIED = {"verify-ca", "verify-full"}
"""The values of `sslmode` with which a database has to prove its identity."""

OK, NOTE, BAD = "ok", "note", "bad"


class Finding(NamedTuple):
    """One result: `level` is ok, note (worth knowing) or bad."""

    level: str
    about: str
    told: str


def examine(app: Flask) -> Iterator[Finding]:
    """All findings, one after the other. Without a database, the findings that need one are left out."""
    services: Services = app.extensions["tegami"]
    yield from settings(services.config)
    with app.app_context():
        found = list(checks.ready(services.config, services))
        yield from (Finding(BAD if each.cause else OK, each.name, each.told) for each in found)
        # Without these two, nothing in the database can be examined.
        if not {"database", "migrations"} & {each.name for each in found if each.cause}:
            yield from inside(services)
    yield mail_server(services.config)


def inside(services: Services) -> Iterator[Finding]:
    """The findings from a database whose tables are those of this release."""
    now = services.now()
    yield from clock(services)
    yield house_players(services.config, now)
    yield from mail_budgets(services)
    yield from logs(now)
    yield from cold_games(services.config)
    yield from read_replica()
    yield from partitioning()
    yield outbox(now, delivered=bool(services.config.smtp_url or services.config.mailbox))
    yield from refused(now)
    yield from lost(now)
    yield from unreached(services)
    yield webhooks(services, now)
    yield browsers(services, now)


def clock(runtime: Runtime) -> Iterator[Finding]:
    """Whether the machine's clock was set while a worker ran, and whether the database's clock differs."""
    now, jumped_at = runtime.now(), clock_jumps.latest()
    if jumped_at is not None and now - jumped_at < DAY:
        yield Finding(NOTE, "clock", f"was set {ago(now - jumped_at)}: see `clock set` in the log")
    if runtime.jump():
        told = f"was set by {runtime.jump() // SECOND} s, and is not believed yet"
        yield Finding(BAD, "clock", told)
    ahead = clock_jumps.database_ahead(runtime.machine_now) if runtime.steady else 0
    if abs(ahead) > MINUTE:
        told = f"the database's clock differs from ours by {abs(ahead) // SECOND} s"
        yield Finding(BAD, "clock", told)


def read_replica() -> Iterator[Finding]:
    """How far the read replica lags behind, if there is one."""
    used = replica.used()
    if used is None:
        return
    try:
        behind = used.behind()
    except SQLAlchemyError as error:
        yield Finding(NOTE, "replica", f"{cause_of(error)}: the primary server answers for it")
        return
    if behind is None:
        told = "is no standby server, so the primary server answers for it"
        yield Finding(NOTE, "replica", told)
    else:
        yield Finding(OK, "replica", f"{behind} bytes behind")


def partitioning() -> Iterator[Finding]:
    """Whether the table of events should have been divided and was not, because the command was killed."""
    if partitions.is_begun(db.session.connection()):
        told = (
            "partition-events was interrupted: run it again, before new games come to a standstill"
        )
        yield Finding(BAD, "partitions", told)


def settings(config: Config) -> Iterator[Finding]:
    """The findings about the settings, which are valid."""
    at = f"people come to {config.public_url}"
    if config.secure or urlsplit(config.public_url).hostname in LOOPBACK:
        yield Finding(OK, "settings", f"{at}, registration is {config.registration}")
    else:
        told = f"{at}: without https everybody on the way can read what is sent"
        yield Finding(BAD, "settings", told)
    if config.secure and not config.trusted_proxies:
        told = "TRUSTED_PROXIES is 0: all who come through a proxy share one limit"
        yield Finding(NOTE, "proxies", told)
    if config.secure and not (config.operator and config.contact):
        yield Finding(NOTE, "privacy", "OPERATOR and CONTACT are not set: /privacy names nobody")
    yield key_file(config)
    yield from signing_key(config)
    yield from receiving(config)
    yield from private_file(config.data_dir / PUSH_KEY, "push")
    for file in filter(others_may_read, config.secret_files):
        yield Finding(NOTE, "settings", f"others may read {file}, which holds a secret")
    yield from database_file(config)
    yield from database_link(config)


def key_file(config: Config) -> Finding:
    """Whether only the owner of the key file can read it."""
    key = config.data_dir / SECRET_KEY
    if SECRET_KEY in config.given_keys:
        return Finding(OK, "data", f"{config.data_dir}, the key is a setting")
    if not key.exists():
        return Finding(BAD, "data", "there is no key file in DATA_DIR")
    if others_may_read(key):
        return Finding(BAD, "data", "others may read the key file: chmod 600 secret.key")
    return Finding(OK, "data", f"{config.data_dir}, only its owner can read the key")


def signing_key(config: Config) -> Iterator[Finding]:
    """The public key under which heads are signed, and whether others can read the file of the private one."""
    file = config.data_dir / SIGNING_KEY
    yield from private_file(file, "signatures")
    public_key = HeadSigner(config.signing_key).public_key.hex()
    if file.exists() and file.read_bytes() != config.signing_key:
        told = f"SIGNING_KEY is used, not the file signing.key; the public key is {public_key}"
        yield Finding(NOTE, "signatures", told)
    else:
        yield Finding(OK, "signatures", f"heads are signed; the public key is {public_key}")


def receiving(config: Config) -> Iterator[Finding]:
    """Whether returned emails, and replies, arrive at this server."""
    if config.incoming_mail is None:
        if config.smtp_url:
            told = "INCOMING_MAIL is not set: nobody learns of emails that come back"
            yield Finding(NOTE, "incoming", told)
    elif config.incoming_lmtp is None:
        yield Finding(OK, "incoming", "the mail server runs bin/tegami receive-mail")
    elif config.incoming_lmtp[0] in LOOPBACK:
        yield Finding(
            OK, "incoming", f"the mail server speaks LMTP to port {config.incoming_lmtp[1]}"
        )
    else:
        told = "INCOMING_LMTP is not of this machine alone: let nobody but the mail server reach it"
        yield Finding(NOTE, "incoming", told)


def private_file(key: Path, about: str) -> Iterator[Finding]:
    """Whether others can read the file of a key."""
    if key.exists() and others_may_read(key):
        yield Finding(BAD, about, f"others may read the key: chmod 600 {key.name}")


def others_may_read(file: Path) -> bool:
    """Whether anybody except the owner of the file can read it."""
    return bool(stat.S_IMODE(file.stat().st_mode) & 0o077)


def database_file(config: Config) -> Iterator[Finding]:
    """Whether others can read the file of the embedded database, which holds the seeds of running games."""
    url = make_url(config.database_url)
    file = Path(url.database or "")
    if url.get_backend_name() != "sqlite" or not file.is_file():
        return
    if others_may_read(file) and file.parent.stat().st_mode & 0o011:
        yield Finding(BAD, "data", f"others may read the database: chmod 600 {file.name}")


def database_link(config: Config) -> Iterator[Finding]:
    """Whether a database on another machine has to prove its identity over TLS (libpq's `sslmode`)."""
    for about, address in (("database", config.database_url), ("replica", config.replica_url)):
        if address and is_open_to_others(make_url(address)):
            told = "it is on another machine: without sslmode=verify-full others can read along"
            yield Finding(NOTE, about, told)


def is_open_to_others(url: URL) -> bool:
    """Whether a database is on another machine and need not prove its identity."""
    if url.get_backend_name() == "sqlite":
        return False
    elsewhere = [each for each in hosts(url) if each not in LOOPBACK and not each.startswith("/")]
    verified = not VERIFIED.isdisjoint(url.normalized_query.get("sslmode", ()))
    return bool(elsewhere) and not verified


def house_players(config: Config, now: int) -> Finding:
    """Whether house players answer in time: how many of them wait for a thinker, and how many thinkers there are."""
    waiting, oldest = db.session.execute(
        waiting_seats().with_only_columns(func.count(), func.min(Seat.since)).order_by(None)
    ).one()
    alive = heartbeats.processes(now).counts()["thinkers_alive"]
    told = f"{alive} thinkers alive, {config.thinkers} set for each worker; "
    if not waiting:
        return Finding(OK if alive else NOTE, "house", f"{told}nobody waits")
    told += f"{waiting} to move, the first asked {ago(now - oldest)}"
    return Finding(BAD if now - oldest > OVERDUE or not alive else OK, "house", told)


def outbox(now: int, *, delivered: bool) -> Finding:
    """Whether emails are sent in time; an email that waits for another attempt is not late."""
    waiting, oldest = queue.waiting(now)
    if oldest is None:
        return Finding(OK, "outbox", "nothing is due")
    late = BAD if delivered else NOTE
    told = f"{waiting} due, the first of them {ago(now - oldest)}"
    return Finding(OK if now - oldest <= LAG else late, "outbox", told)


def logs(now: int) -> Iterator[Finding]:
    """The damaged games, and how long ago all games were last checked."""
    for found in log_checks.damaged():
        yield Finding(BAD, "logs", f"{found.game_id} is damaged: {found.what}")
    last = log_checks.progress()
    if last is None:
        yield Finding(OK, "logs", "no check has begun yet")
    elif last.ended_at is None:
        told = f"a check began {ago(now - last.began_at)}, {last.games} games so far"
        yield Finding(OK if now - last.began_at < CHECKED else BAD, "logs", told)
    else:
        told = f"{last.games} games checked {ago(now - last.ended_at)}"
        yield Finding(OK if now - last.began_at < CHECKED else BAD, "logs", told)


def cold_games(config: Config) -> Iterator[Finding]:
    """Whether cold storage can be reached, if it is configured or if it has any games."""
    number = db.session.scalar(select(func.count()).where(Game.cold.is_not(None))) or 0
    if not (config.cold_storage or number):
        return
    try:
        cold_moves.begin()
        yield Finding(OK, "cold", f"{number} games lie in cold storage")
    except ColdStorageOutOfReach as error:
        told = f"cold storage is out of reach ({error.cause}): {number} games lie there"
        yield Finding(BAD, "cold", told)


def mail_budgets(services: Services) -> Iterator[Finding]:
    """Whether the server has used up one of its own budgets for mail."""
    if not services.config.mails_per_day:
        yield Finding(NOTE, "budgets", "MAILS_PER_DAY is 0: nothing limits how many emails leave")
        return
    for limit in budgets.whole_server(services.config).values():
        attempt = attempt_counts.Attempt(limit, "")
        found = attempt_counts.find(services, services.config.secret_key, attempt)
        told = f"{found.number} of {limit.most} {limit.name} in a day"
        if found.number >= limit.most:
            told += f", the others wait until {rfc3339(found.ends_at)}"
        yield Finding(BAD if found.number >= limit.most else OK, "budgets", told)


def refused(now: int) -> Iterator[Finding]:
    """The replies of mail servers to emails that are being retried, or that were given up in the last day.

    The most frequent reply comes first. Missing mailboxes are left out, because they are not the server's fault.
    """
    waiting = func.count().filter(Outbox.done_at.is_(None))
    lost = func.count().filter(Outbox.done_at.is_not(None))
    present = Outbox.done_at.is_(None) | (Outbox.done_at > now - DAY)
    query = (
        select(Outbox.refusal, waiting, lost)
        .where(Outbox.refusal.is_not(None), present)
        .group_by(Outbox.refusal)
        .order_by(func.count().desc(), Outbox.refusal)
    )
    for refusal, tried_again, given_up in db.session.execute(query):
        told = f"emails that wait: {tried_again}, given up: {given_up}; {refusal}"
        ours = str(refusal).startswith(("5", FAILED_HERE)) and tried_again > 0
        yield Finding(BAD if ours else NOTE, "refused", told)


def lost(now: int) -> Iterator[Finding]:
    """The number of emails that were refused or given up in the last day."""
    which = (Outbox.done_at > now - DAY, Outbox.outcome.in_(("failed", "expired")))
    number = db.session.scalar(select(func.count()).select_from(Outbox).where(*which))
    if number:
        yield Finding(NOTE, "outbox", f"{number} not delivered in a day: bin/tegami outbox list")


def unreached(services: Services) -> Iterator[Finding]:
    """The reasons why addresses get no mail, and whether more emails have come back than can make addresses pause."""
    causes = undelivered.causes(services.now())
    paused = [each for each in causes if each.pauses]
    for each in causes:
        what = "addresses pause" if each.pauses else "addresses are refused mail"
        yield Finding(NOTE, "unreached", f"{each.number} {what}: {each.why} ({each.status})")
    if not paused:
        yield Finding(OK, "unreached", "no address pauses")
    limit = bounces.most_pauses(services.config)
    attempt = attempt_counts.Attempt(limit, "")
    found = attempt_counts.find(services, services.config.secret_key, attempt)
    if found.number >= limit.most:
        told = f"{found.number} {limit.name} in a day: no more do until {rfc3339(found.ends_at)}"
        yield Finding(BAD, "unreached", f"{told}; see what our mail server returns")


def webhooks(services: Services, now: int) -> Finding:
    """The numbers of webhooks and of failing ones, and whether due deliveries are sent in time."""
    if services.config.webhooks == "off":
        return Finding(OK, "webhooks", "WEBHOOKS is off: none is sent")
    found = receivers.numbers(WEBHOOK)
    late = next_deliveries.number_due(WEBHOOK, now, now - LAG)
    told = f"{found.on} on, {found.failing} of them failing, {found.off} switched off for failing"
    if services.config.webhooks == "anywhere":
        told += "; WEBHOOKS is anywhere: they reach this machine and its network"
    if late:
        return Finding(BAD, "webhooks", f"{told}; {late} receivers wait for what is due")
    noted = found.failing or found.off or services.config.webhooks == "anywhere"
    return Finding(NOTE if noted else OK, "webhooks", told)


def browsers(services: Services, now: int) -> Finding:
    """The number of browsers with Web Push and of those that cannot be reached, and whether messages to them are sent
    in time.
    """
    if not services.config.pushes:
        return Finding(OK, "push", "PUSH is off: no browser is told anything")
    found, late = receivers.numbers(PUSH), next_deliveries.number_due(PUSH, now, now - LAG)
    told = f"{found.on} browsers, {found.failing} of them not reached through their push service"
    if services.config.push == "anywhere":
        told += "; PUSH is anywhere: it reaches this machine and its network"
    if late:
        return Finding(BAD, "push", f"{told}; {late} wait for what is due")
    noted = found.failing or services.config.push == "anywhere"
    return Finding(NOTE if noted else OK, "push", told)


def mail_server(config: Config) -> Finding:
    """Whether the mail server accepts a connection and our password; nothing is sent."""
    if not config.smtp_url:
        told = "emails go to /mailbox" if config.mailbox else "SMTP_URL is not set: emails wait"
        return Finding(OK if config.mailbox else NOTE, "mail", told)
    server = SmtpServer.parse(config.smtp_url)
    at = f"{server.host}:{server.port}"

    try:
        server.connect(sender_address(config).rpartition("@")[2], SMTP_TIMEOUT).quit()
    except smtplib.SMTPResponseException as error:
        return Finding(BAD, "mail", f"{at} refuses us ({error.smtp_code})")
    except (OSError, smtplib.SMTPException) as error:
        return Finding(BAD, "mail", f"{at} cannot be reached ({type(error).__name__})")
    accepted = " and accepts our password" if server.user else ""
    return Finding(OK, "mail", f"{at} answers{accepted}")
