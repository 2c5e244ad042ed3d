"""Settings: one class, read from the environment once, when a process starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from environs import validate

from service.core.settings import environment
from service.core.settings.database_address import USUAL, Patience, database_url
from service.core.settings.environment import REACH, REGISTRATION, Environment
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY, key_in

ROOT = Path(__file__).resolve().parents[3]
"""The clone: `web/`, `openapi.yaml` and the migrations are found from here."""

OneOf, Range = validate.OneOf, validate.Range

USUAL_PEOPLE = 20
"""How many people can come from one address at once: unless the operator says otherwise, and at most."""

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
"""Hosts that only this machine can reach."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """What an operator decides (docs/hosting.md); a test gives its own."""

    data_dir: Path
    """Folder of the key files and of the embedded database."""
    database_url: str
    """SQLAlchemy's address of the database."""
    patience: Patience = USUAL
    """How long anybody waits for PostgreSQL."""
    prepared_statements: bool = True
    """Whether PostgreSQL keeps statements and settings for a connection; a proxy that hands connections on does not."""
    secret_key: bytes = field(repr=False)
    """Key of invitations; whoever has it can make them."""
    signing_key: bytes = field(repr=False)
    """The private key (Ed25519) that signs the heads of logs; whoever has it can forge what this server has shown."""
    push_key: bytes = field(default=b"", repr=False)
    """The private key (P-256) by which browsers and their push services know this server; empty: nothing is pushed."""
    given_keys: frozenset[str] = frozenset()
    """The names of the keys that are settings, so that no file in `data_dir` is used for them."""
    secret_files: tuple[Path, ...] = ()
    """The files that settings such as `SECRET_KEY_FILE` name."""
    public_url: str = "http://127.0.0.1:8000"
    """Where people reach the page, without a slash at the end."""
    host: str = "127.0.0.1"
    """The address that the server listens on."""
    rate_limits: bool = True
    """Whether requests are counted by player and address, as a proxy could do."""
    attempt_limits: bool = True
    """Whether what guards passwords, mail and guests is counted: no setting changes that, tests of other things do."""
    people_per_address: int = USUAL_PEOPLE
    """How many people can come from one address at once, and have mail addresses of one domain: `shared`."""
    processes: int = 1
    """How many web processes there are on this machine: each allows its share of what is counted in processes."""
    trusted_proxies: int = 0
    """How many proxies stand in front and add to `X-Forwarded-For` and `-Proto`."""
    registration: str = "open"
    """`open`: anybody becomes a player; `invited`: whoever has a code from the operator (`tegami people invite`)."""
    hash_memory: int = 65_536
    """KiB of memory for the hash of a password; this and the next two are argon2id's parameters."""
    hash_rounds: int = 3
    """Passes over that memory."""
    hash_lanes: int = 4
    """Threads that work on it."""
    poll_after: float = 2
    """Seconds between two polls of a running game that are worth while; clients are told."""
    smtp_url: str | None = field(default=None, repr=False)
    """The mail server, `smtp://user:password@host:587` or `smtps://…`; None: no mail leaves."""
    smtp_connections: int = 4
    """By how many connections a worker sends mails, of which half at most send to one domain at a time."""
    kept_states: int = 512
    """How many positions of games a process keeps in memory."""
    thinkers: int = 1
    """How many processes of a worker think for house players."""
    thinking_time: float = 1.0
    """How much of the time of their level house players may think, up to 1."""
    guests_talk: bool = True
    """Whether guests, who gave nothing but a name, may write at tables."""
    mails_per_day: int = 5000
    """How many mails leave in a day in all; 0: no budget of mails applies (mail_sending/budgets.py)."""
    webhooks: str = "on"
    """`on`; `off`: nothing is sent to addresses that players enter; `anywhere`: by http and into any network too."""
    push: str = "on"
    """`on`; `off`: no browser is told anything; `anywhere`: push services by http and in any network too."""
    mail_from: str = "Tegami <tegami@localhost>"
    """Who sends our mails."""
    incoming_mail: str | None = None
    """Where answers to turn mails arrive: `reply@tegami.example`, or `*@` and a domain; None: nobody reads them."""
    authserv_id: str | None = None
    """The name under which the mail server says of incoming mails whether they are from whom they say (RFC 8601)."""
    incoming_lmtp: tuple[str, int] | None = None
    """Where the mail server hands those over by LMTP; None: it runs a command for each."""
    cold_storage: str | None = None
    """Where games lie that ended long ago: `file:///srv/tegami-cold` or `s3://bucket/folder`; None: in the database."""
    cold_after_days: int = 90
    """How many days after its end a game is moved there."""
    metrics: tuple[str, int] | None = None
    """Where the web processes listen for Prometheus, apart from what people reach; None: nothing is counted."""
    operator: str | None = None
    """Who runs this server: a name for the page about privacy."""
    contact: str | None = None
    """How to reach the operator: a mail address or the address of a page."""

    @property
    def pushes(self) -> bool:
        """Whether browsers can be told by Web Push."""
        return self.push != "off" and bool(self.push_key)

    @property
    def secure(self) -> bool:
        """Whether people come by https: cookies are then `Secure` and named `__Host-…`."""
        return urlsplit(self.public_url).scheme == "https"

    def shared(self, most: int) -> int:
        """A limit of everybody at one address together, which is `most` for the usual number of people."""
        return max(1, most * self.people_per_address // USUAL_PEOPLE)

    @property
    def cookie(self) -> str:
        """The name of the sign-in cookie."""
        return "__Host-tegami" if self.secure else "tegami"

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie by which a browser is known in which somebody has signed in."""
        return f"{self.cookie}-browser"

    @property
    def ended_cookie(self) -> str:
        """The name of the cookie that says which sign-in's end this browser was told of."""
        return f"{self.cookie}-ended"

    @property
    def mailbox(self) -> bool:
        """Whether mails are kept and shown instead of being sent: for trying it out on one's own machine only."""
        address = urlsplit(self.public_url)
        hosts = {self.host, address.hostname}
        is_here = address.scheme == "http" and hosts <= LOOPBACK and not self.trusted_proxies
        return not self.smtp_url and is_here

    @property
    def mailbox_dir(self) -> Path:
        """The folder of those mails."""
        return self.data_dir / "mailbox"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Config:
        """The settings of this process; makes the data folder and the key files if they are missing.

        Raises WrongSettings. An https address requires more settings (`environment.REQUIRED_BY_HTTPS`).
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
        """The keys that there are, by the names of their files."""
        keys = {
            SECRET_KEY: self.secret_key,
            SIGNING_KEY: self.signing_key,
            PUSH_KEY: self.push_key,
        }
        return {name: key for name, key in keys.items() if key}


def _read(env: Environment) -> Config:
    """The settings, not checked yet and without the keys that are in files."""
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
    """A key that is a setting; empty: it is in its file."""
    return bytes.fromhex(env.str(name, "", validate=environment.key) or "")


def _patience(env: Environment) -> Patience:
    usual, seconds = USUAL, {"validate": Range(0, 86_400)}
    return Patience(
        connect=env.float("DATABASE_CONNECT_TIMEOUT", usual.connect, **seconds),
        statement=env.float("DATABASE_STATEMENT_TIMEOUT", usual.statement, **seconds),
        lock=env.float("DATABASE_LOCK_TIMEOUT", usual.lock, **seconds),
        idle=env.float("DATABASE_IDLE_TIMEOUT", usual.idle, **seconds),
        tcp=env.float("DATABASE_TCP_TIMEOUT", usual.tcp, **seconds),
    )
