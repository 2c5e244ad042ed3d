"""Settings: one class, read once from the environment, when a process starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from environs import validate

from service.core.settings import environment
from service.core.settings.database_address import USUAL, Patience, database_url
from service.core.settings.environment import REACH, REGISTRATION, Environment, WrongSettings
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY, key_in

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the clone, from which `web/`, `openapi.yaml` and the migrations are found."""

OneOf, Range = validate.OneOf, validate.Range

USUAL_PEOPLE = 20
"""The number of people who can come from one address at once, unless the operator sets another one."""

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
"""The names of hosts that only this machine can reach."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """The operator's decisions (docs/hosting.md); tests make their own."""

    data_dir: Path
    """The folder of the key files and of the embedded database."""
    database_url: str
    """The database's address, in SQLAlchemy's form."""
    patience: Patience = USUAL
    """The time limits for waiting for PostgreSQL."""
    prepared_statements: bool = True
    """Whether PostgreSQL keeps statements and settings for a connection; False behind a proxy that shares
    connections.
    """
    replica_url: str | None = field(default=None, repr=False)
    """The address of a replica that serves reads a moment old, in SQLAlchemy's form; None if there is none."""
    replica_lag: float = 5
    """The number of seconds by which the replica may be behind."""
    secret_key: bytes = field(repr=False)
    """The key that signs invitations and links; anybody who has it can make them."""
    signing_key: bytes = field(repr=False)
    """The private key (Ed25519) that signs the heads of logs. Its holder can forge what this server has shown."""
    push_key: bytes = field(default=b"", repr=False)
    """The private key (P-256) by which browsers and push services know this server; if it is empty, nothing is
    pushed.
    """
    given_keys: frozenset[str] = frozenset()
    """The names of the keys that are given as settings, for which no file in `data_dir` is used."""
    secret_files: tuple[Path, ...] = ()
    """The files that settings such as `SECRET_KEY_FILE` name."""
    public_url: str = "http://127.0.0.1:8000"
    """The address at which people reach the page, without a slash at the end."""
    host: str = "127.0.0.1"
    """The address that the server listens on."""
    rate_limits: bool = True
    """Whether requests are counted by player and address; a proxy may do that instead."""
    attempt_limits: bool = True
    """Whether attempts at passwords, mail and guests are counted.

    No setting changes this; tests of other things do.
    """
    people_per_address: int = USUAL_PEOPLE
    """The number of people who can come from one address at once, or have email addresses in one domain: `shared`."""
    processes: int = 1
    """The number of web processes on this machine; limits that processes count alone are shared among them."""
    trusted_proxies: int = 0
    """The number of proxies in front that add to `X-Forwarded-For` and `-Proto`."""
    registration: str = "open"
    """The setting for who can become a player.

    `open` means anybody; `invited` means people with a code from the operator (`tegami people invite`).
    """
    hash_memory: int = 65_536
    """The memory (KiB) for the hash of a password; this and the next two are argon2id's parameters."""
    hash_rounds: int = 3
    """The number of passes over that memory."""
    hash_lanes: int = 4
    """The number of threads that compute a hash."""
    poll_after: float = 2
    """The time (seconds) after which polling a running game again is worthwhile; clients are told it."""
    smtp_url: str | None = field(default=None, repr=False)
    """The address of the mail server, `smtp://user:password@host:587` or `smtps://…`; if it is None, no mail is
    sent.
    """
    smtp_connections: int = 4
    """The number of connections through which a worker sends emails; at most half of them send to one domain at a
    time.
    """
    kept_states: int = 512
    """The number of positions that each process caches."""
    thinkers: int = 1
    """The number of processes of a worker that think for house players."""
    thinking_time: float = 1.0
    """The fraction of their level's time for which house players may think, up to 1."""
    guests_talk: bool = True
    """Whether guests, who gave only a name, may write at tables."""
    mails_per_day: int = 5000
    """The largest number of emails sent in a day; 0 for no budgets of emails at all (mail_sending/budgets.py)."""
    webhooks: str = "on"
    """Whether webhooks are called.

    `on` means that they are; `off`: nothing is sent to addresses that players enter; `anywhere`: also by http and into
    any network.
    """
    push: str = "on"
    """Whether browsers are notified by Web Push.

    `on` means that they are; `off`: no browser is notified; `anywhere`: also through push services by http and in any
    network.
    """
    mail_from: str = "Tegami <tegami@localhost>"
    """The sender of our emails."""
    incoming_mail: str | None = None
    """The address for replies to turn emails: `reply@tegami.example`, or `*@` and a domain; None if there is none."""
    authserv_id: str | None = None
    """The name under which the mail server vouches for the senders of incoming mail (RFC 8601); None if it does not."""
    incoming_lmtp: tuple[str, int] | None = None
    """The address at which the mail server delivers incoming mail by LMTP; None if it runs a command for each
    message.
    """
    cold_storage: str | None = None
    """The place for games that ended long ago: `file:///srv/tegami-cold` or `s3://bucket/folder`; None for the
    database.
    """
    cold_after_days: int = 90
    """The number of days after its end at which a game is moved to cold storage."""
    metrics: tuple[str, int] | None = None
    """The address at which web processes listen for Prometheus, apart from the public one; if None, nothing is
    counted.
    """
    operator: str | None = None
    """The name of the operator, for the page about privacy; None if it is not stated."""
    contact: str | None = None
    """The way to reach the operator: an email address, or the address of a page; None if it is not stated."""

    @property
    def pushes(self) -> bool:
        """Whether browsers can be notified by Web Push."""
        return self.push != "off" and bool(self.push_key)

    @property
    def secure(self) -> bool:
        """Whether people use https: cookies are then `Secure` and named `__Host-…`."""
        return urlsplit(self.public_url).scheme == "https"

    def shared(self, most: int) -> int:
        """The limit for all people at one address together; it is `most` if the usual number of people may come from
        there.
        """
        return max(1, most * self.people_per_address // USUAL_PEOPLE)

    @property
    def cookie(self) -> str:
        """The name of the sign-in cookie."""
        return "__Host-tegami" if self.secure else "tegami"

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie that marks a browser in which somebody has signed in."""
        return f"{self.cookie}-browser"

    @property
    def ended_cookie(self) -> str:
        """The name of the cookie that says which ended sign-in this browser has been told about."""
        return f"{self.cookie}-ended"

    @property
    def mailbox(self) -> bool:
        """Whether emails are stored and shown instead of sent; this is only for trying the service out."""
        address = urlsplit(self.public_url)
        hosts = {self.host, address.hostname}
        is_here = address.scheme == "http" and hosts <= LOOPBACK and not self.trusted_proxies
        return not self.smtp_url and is_here

    @property
    def mailbox_dir(self) -> Path:
        """The folder of the emails that are kept instead of being sent."""
        return self.data_dir / "mailbox"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Config:
        """The settings of this process. The data folder and the key files are made if they are missing.

        Raises WrongSettings if settings are wrong or missing. An https address makes more settings compulsory
        (`environment.REQUIRED_BY_HTTPS`).
        """
        env = Environment(environ)
        config = _read(env)
        env.check()
        if config.secure:
            env.check_for_https()
        folder, given = config.data_dir, config.keys()
        return replace(
            config,
            secret_key=config.secret_key or key_in(folder, SECRET_KEY),
            signing_key=config.signing_key or key_in(folder, SIGNING_KEY),
            push_key=config.push_key or key_in(folder, PUSH_KEY),
            given_keys=frozenset(given),
            secret_files=tuple(env.files),
        )

    def keys(self) -> dict[str, bytes]:
        """The keys that exist, by the names of their files."""
        keys = {
            SECRET_KEY: self.secret_key,
            SIGNING_KEY: self.signing_key,
            PUSH_KEY: self.push_key,
        }
        return {name: key for name, key in keys.items() if key}


def _read(env: Environment) -> Config:
    """The settings, not checked yet, without the keys kept in files."""
    host = env.str("HOST", Config.host) or Config.host
    shown = f"[{host}]" if ":" in host else host
    port = env.number("PORT", 8000)
    public_url = env.str("PUBLIC_URL", f"http://{shown}:{port}", validate=environment.site) or ""
    data_dir = Path(env.str("DATA_DIR", "") or ROOT / "data").resolve()
    database = env.str("DATABASE_URL", "", validate=environment.database)
    listener = environment.listener_beside(port)
    return Config(
        data_dir=data_dir,
        secret_key=_key(env, "SECRET_KEY"),
        signing_key=_key(env, "SIGNING_KEY"),
        push_key=_key(env, "PUSH_KEY"),
        database_url=database_url(database, data_dir),
        replica_url=_replica(env, data_dir),
        replica_lag=env.float("DATABASE_REPLICA_LAG", Config.replica_lag, validate=Range(1, 3600)),
        patience=_patience(env),
        prepared_statements=env.bool("DATABASE_PREPARED_STATEMENTS", True),
        public_url=public_url.rstrip("/"),
        host=host,
        rate_limits=env.bool("RATE_LIMITS", True),
        people_per_address=env.number("PEOPLE_PER_ADDRESS", USUAL_PEOPLE),
        processes=env.number("WEB_CONCURRENCY", environment.cores()),
        trusted_proxies=env.number("TRUSTED_PROXIES", 0),
        registration=env.str("REGISTRATION", "open", validate=OneOf(REGISTRATION)),
        poll_after=env.float("POLL_AFTER", 2.0, validate=Range(0, 86_400, min_inclusive=False)),
        kept_states=env.number("KEPT_STATES", 512),
        thinkers=env.number("THINKERS", 1),
        thinking_time=env.float("THINKING_TIME", 1.0, validate=Range(0, 1, min_inclusive=False)),
        guests_talk=env.bool("GUESTS_TALK", True),
        smtp_url=env.str("SMTP_URL", "", validate=environment.mail_server) or None,
        smtp_connections=env.number("SMTP_CONNECTIONS", 4),
        mails_per_day=env.int("MAILS_PER_DAY", 5000, validate=Range(0, 10_000_000)),
        webhooks=env.str("WEBHOOKS", "on", validate=OneOf(REACH)),
        push=env.str("PUSH", "on", validate=OneOf(REACH)),
        mail_from=env.str("MAIL_FROM", "", validate=environment.sender)
        or f"Tegami <tegami@{urlsplit(public_url).hostname}>",
        incoming_mail=env.str("INCOMING_MAIL", "", validate=environment.receiver) or None,
        authserv_id=env.str("AUTHSERV_ID", "") or None,
        incoming_lmtp=environment.host_and_port(env.str("INCOMING_LMTP", "", validate=listener)),
        cold_storage=env.str("COLD_STORAGE", "", validate=environment.cold_storage) or None,
        cold_after_days=env.number("COLD_AFTER_DAYS", Config.cold_after_days),
        metrics=environment.host_and_port(env.str("METRICS", "", validate=listener)),
        operator=env.str("OPERATOR", "") or None,
        contact=env.str("CONTACT", "") or None,
    )


def _key(env: Environment, name: str) -> bytes:
    """A key given as a setting; empty if it is kept in its file."""
    return bytes.fromhex(env.str(name, "", validate=environment.key) or "")


def _replica(env: Environment, data_dir: Path) -> str | None:
    """The address of a replica; None if there is none. Raises WrongSettings if the database is not PostgreSQL."""
    given = env.str("DATABASE_REPLICA_URL", "", validate=environment.postgresql)
    if given and not environment.is_postgresql(env.str("DATABASE_URL", "")):
        raise WrongSettings("DATABASE_REPLICA_URL is for PostgreSQL, and DATABASE_URL is not.")
    return database_url(given, data_dir) if given else None


def _patience(env: Environment) -> Patience:
    usual, seconds = USUAL, {"validate": Range(0, 86_400)}
    return Patience(
        connect=env.float("DATABASE_CONNECT_TIMEOUT", usual.connect, **seconds),
        statement=env.float("DATABASE_STATEMENT_TIMEOUT", usual.statement, **seconds),
        lock=env.float("DATABASE_LOCK_TIMEOUT", usual.lock, **seconds),
        idle=env.float("DATABASE_IDLE_TIMEOUT", usual.idle, **seconds),
        tcp=env.float("DATABASE_TCP_TIMEOUT", usual.tcp, **seconds),
    )
