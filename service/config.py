"""Settings: one class, read from the environment once, when a process starts."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from service.environment import MOST_PORT, Environment, WrongSettings

ROOT = Path(__file__).resolve().parent.parent
"""The clone: `web/`, `openapi.yaml` and the migrations are found from here."""

RELEASE = "0.1.0"
"""Part of every ETag: a new release may word the same state differently."""

KEY_BYTES = 32
"""Length of the key file."""

REGISTRATION = ("open", "invited")
"""Who may become a player."""

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
"""Hosts that only this machine can reach."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """What an operator decides (docs/hosting.md); a test gives its own."""

    data_dir: Path
    """Folder of the key file and of the embedded database."""
    database_url: str
    """SQLAlchemy's address of the database."""
    secret_key: bytes = field(repr=False)
    """Key of invitations; whoever has it can make them."""
    public_url: str = "http://127.0.0.1:8000"
    """Where people reach the page, without a slash at the end."""
    rate_limits: bool = True
    """Whether callers are held to the documented limits."""
    trusted_proxies: int = 0
    """How many proxies stand in front and add to `X-Forwarded-For` and `-Proto`."""
    registration: str = "open"
    """`open`: anybody becomes a player; `invited`: whoever has a code of the operator's (`tegami people invite`)."""
    hash_memory: int = 65_536
    """KiB that the hash of a password takes; this and the next two are argon2id's."""
    hash_rounds: int = 3
    """How often it goes over them."""
    hash_lanes: int = 4
    """How many threads do it."""
    poll_after: float = 2
    """Seconds between two polls of a running game that are worth while; told to clients."""
    smtp_url: str | None = field(default=None, repr=False)
    """The mail server, `smtp://user:password@host:587` or `smtps://…` (service/post.py); None: there is none."""
    guests_talk: bool = True
    """Whether guests, who gave nothing but a name, may write at tables."""
    mail_from: str = "Tegami <tegami@localhost>"
    """Who sends our mails."""
    operator: str | None = None
    """Who runs this server: a name for the page about privacy."""
    contact: str | None = None
    """How to reach the operator: a mail address or the address of a page."""

    def __post_init__(self) -> None:
        if self.registration not in REGISTRATION:
            raise WrongSettings(f"REGISTRATION is one of {', '.join(REGISTRATION)}.")

    @property
    def secure(self) -> bool:
        """Whether people come by https: cookies are then `Secure` and named `__Host-…`."""
        return urlsplit(self.public_url).scheme == "https"

    @property
    def cookie(self) -> str:
        """The name of the sign-in cookie."""
        return "__Host-tegami" if self.secure else "tegami"

    @property
    def mailbox(self) -> bool:
        """Whether mails are kept and shown instead of being sent: for trying it out on one's own machine, no other."""
        address = urlsplit(self.public_url)
        return not self.smtp_url and address.scheme == "http" and address.hostname in LOOPBACK

    @property
    def mailbox_dir(self) -> Path:
        """The folder of those mails."""
        return self.data_dir / "mailbox"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Config:
        """The settings of this process; makes the data folder and the key file if they are not there yet.

        Raises WrongSettings; an https address demands more (`service.environment.DEMANDED`).
        """
        said = Environment(environ)
        host, port = said.text("HOST", "127.0.0.1"), said.whole("PORT", 8000, most=MOST_PORT)
        shown = f"[{host}]" if ":" in host else host
        public_url = said.address("PUBLIC_URL", f"http://{shown}:{port}")
        if urlsplit(public_url).scheme == "https":
            said.demand()
        data_dir = Path(said.text("DATA_DIR") or ROOT / "data").resolve()
        read: dict[str, Any] = {
            "public_url": public_url,
            "rate_limits": said.switch("RATE_LIMITS", default=True),
            "trusted_proxies": said.whole("TRUSTED_PROXIES", 0),
            "registration": said.text("REGISTRATION", "open"),
            "poll_after": said.seconds("POLL_AFTER", 2),
            "guests_talk": said.switch("GUESTS_TALK", default=True),
            "smtp_url": said.mail_server("SMTP_URL"),
            "mail_from": said.sender(
                "MAIL_FROM", f"Tegami <tegami@{urlsplit(public_url).hostname}>"
            ),
            "operator": said.text("OPERATOR") or None,
            "contact": said.text("CONTACT") or None,
            "database_url": database_url(said.database("DATABASE_URL"), data_dir),
        }
        said.whole("WEB_CONCURRENCY", 1, least=1)  # gunicorn's settings read it: here it is checked
        return cls(data_dir=data_dir, secret_key=key_in(data_dir), **read)


def database_url(given: str | None, data_dir: Path) -> str:
    """SQLAlchemy's address: an embedded database if none is given; `postgres://` is psycopg's."""
    if not given:
        return f"sqlite:///{data_dir / 'tegami.sqlite3'}"
    scheme, _, rest = given.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in {"postgres", "postgresql"} else given


def key_in(data_dir: Path) -> bytes:
    """The key in the data folder, which is made if it is not there. Raises WrongSettings."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return key_file(data_dir / "secret.key")
    except OSError as error:
        told = f"DATA_DIR: {data_dir} cannot be used ({type(error).__name__})."
        raise WrongSettings(told) from None


def key_file(path: Path) -> bytes:
    """The 32 bytes in `path`, drawn at the first start; readable by the owner alone.

    Written under another name and linked into place, so that of two processes that start at once both read one key.
    Raises WrongSettings for a file that was damaged.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first
        finally:
            draft.unlink()
    key = path.read_bytes()
    if len(key) < KEY_BYTES:
        raise WrongSettings(
            f"{path.name} is damaged: put it back, or remove it and with it all invitations"
        )
    return key
