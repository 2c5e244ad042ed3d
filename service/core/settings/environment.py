"""Settings from the environment. Every wrong one is reported with what it has to be, but never with its value.

environs reads them with marshmallow's fields, and collects errors until it is sealed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from environs import Env, EnvValidationError, ValidationError, validate
from sqlalchemy.exc import ArgumentError

from service.core.settings.database_address import database_url

REGISTRATION = ("open", "invited")
"""The values of REGISTRATION, which decides who may become a player."""
REACH = ("on", "off", "anywhere")
"""The values of WEBHOOKS and PUSH, which decide where webhooks and push services of browsers may be."""

NUMBERS = {
    "PORT": (0, 65_535),
    "TRUSTED_PROXIES": (0, 99),
    "PEOPLE_PER_ADDRESS": (1, 100_000),
    "SMTP_CONNECTIONS": (1, 20),
    "WEB_CONCURRENCY": (1, 99),
    "KEPT_STATES": (1, 1_000_000),
    "THINKERS": (1, 64),
    "COLD_AFTER_DAYS": (1, 36_500),
}
"""The smallest and the largest value of each numeric setting."""
_SWITCH = "on or off"
_KEY = "64 hexadecimal digits"
_SECONDS = "a time in seconds, or 0 for any time"
EXPECTED = {
    **{name: f"a whole number from {least} to {most}" for name, (least, most) in NUMBERS.items()},
    "SECRET_KEY": _KEY,
    "SIGNING_KEY": _KEY,
    "PUSH_KEY": _KEY,
    "PUBLIC_URL": "https://tegami.example or the like, without a path",
    "DATABASE_URL": "postgresql://user:password@host/name, or another address of libpq",
    "DATABASE_REPLICA_URL": "postgresql://user:password@host/name, or another address of libpq",
    "DATABASE_REPLICA_LAG": "a time in seconds from 1 to 3600",
    "DATABASE_CONNECT_TIMEOUT": _SECONDS,
    "DATABASE_STATEMENT_TIMEOUT": _SECONDS,
    "DATABASE_LOCK_TIMEOUT": _SECONDS,
    "DATABASE_IDLE_TIMEOUT": _SECONDS,
    "DATABASE_TCP_TIMEOUT": _SECONDS,
    "DATABASE_PREPARED_STATEMENTS": _SWITCH,
    "REGISTRATION": " or ".join(REGISTRATION),
    "GUESTS_TALK": _SWITCH,
    "RATE_LIMITS": _SWITCH,
    "SMTP_URL": "smtp://user:password@host:port, or smtps://…",
    "MAIL_FROM": "Tegami <tegami@tegami.example> or the like",
    "INCOMING_MAIL": "reply@tegami.example, with at most 16 letters before the @, or *@reply.tegami.example",
    "INCOMING_LMTP": "an address of this machine and a port other than PORT, such as 127.0.0.1:8024",
    "METRICS": "an address of this machine and a port other than PORT, such as 127.0.0.1:9100",
    "COLD_STORAGE": "file:///srv/tegami-cold, with an absolute path, or s3://bucket/folder",
    "MAILS_PER_DAY": "a number of mails, or 0 for any number",
    "WEBHOOKS": "on, off, or (on your own machine) anywhere",
    "PUSH": "on, off, or (on your own machine) anywhere",
    "POLL_AFTER": "a time in seconds, such as 2",
    "THINKING_TIME": "a part of the usual time, above 0 and up to 1",
}
"""The description of what a setting's value has to be, for each setting that can be wrong independently of others."""

KEYS = ("SECRET_KEY", "SIGNING_KEY", "PUSH_KEY")
SECRETS = (*KEYS, "DATABASE_URL", "DATABASE_REPLICA_URL", "SMTP_URL")
"""The settings that hold a secret. `SECRET_KEY_FILE` and so on may name a file that contains it instead."""
KEY_BYTES = 32

REQUIRED_BY_HTTPS = {
    "DATA_DIR": "the folder of key and database, as an absolute path",
    "TRUSTED_PROXIES": "how many proxies stand in front, 0 if there is none",
    "REGISTRATION": "open or invited",
}
"""The settings that a public server has to have, since a default for trying it out would be a bad surprise."""

_ADDRESS = re.compile(r"(?!.*=\?)[!#-'*+./-9=?A-Z^-~-]+@[0-9A-Za-z.:-]+")
"""The pattern of an address that can be written into a header unchanged
(service/notifications/mail_texts/headers.py).
"""


class WrongSettings(ValueError):
    """Raised if the settings cannot be used. The text tells which and why, and contains nothing secret."""


class Environment(Env):
    """Settings by name; an empty one counts as not set. A wrong one is read as None until `check` raises."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(eager=False)
        self._given = environ
        self.files: list[Path] = []
        """The files from which secrets were read."""

    def _get_value(self, env_key: str, default: object) -> object:
        given = self._given.get(env_key)
        file = self._given.get(f"{env_key}_FILE") if env_key in SECRETS else None
        if given and file:
            raise WrongSettings(f"Set {env_key} or {env_key}_FILE, not both.")
        if file:
            self.files.append(Path(file))
            given = _secret_in(Path(file), env_key)
        return given or default

    def number(self, name: str, usual: int) -> int:
        """The value of a setting in NUMBERS, or `usual` if it is not set."""
        read: int = self.int(name, usual, validate=validate.Range(*NUMBERS[name]))
        return read

    def check(self) -> None:
        """Raise WrongSettings if any setting was wrong."""
        try:
            self.seal()
        except EnvValidationError as wrong:
            told = (f"{name} has to be {EXPECTED[name]}." for name in wrong.error_messages)
            raise WrongSettings(" ".join(told)) from None

    def check_for_https(self) -> None:
        """Raise WrongSettings if a public server lacks a setting that it has to have."""
        missing = [
            f"{name} ({what})"
            for name, what in REQUIRED_BY_HTTPS.items()
            if not self._given.get(name)
        ]
        if missing:
            raise WrongSettings(
                "PUBLIC_URL is https, so this server is for others and needs more settings: "
                f"{'; '.join(missing)}. See docs/hosting.md."
            )
        for name in ("WEBHOOKS", "PUSH"):
            if self._given.get(name) == "anywhere":
                raise WrongSettings(
                    f"{name} cannot be anywhere: this server is for others, who could send into your network."
                )
        if not Path(self._given["DATA_DIR"]).is_absolute():
            raise WrongSettings("DATA_DIR has to be an absolute path: this server is for others.")


def _secret_in(file: Path, name: str) -> str:
    """The secret in a file: its text without a newline at the end, or 32 bytes, like our own key files, in hexadecimal.

    Raises WrongSettings if the file cannot be read.
    """
    try:
        content = file.read_bytes()
        is_binary = name in KEYS and len(content) == KEY_BYTES
        secret = content.hex() if is_binary else content.decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        told = f"{name}_FILE: {file} cannot be read ({type(error).__name__})."
        raise WrongSettings(told) from None
    if not secret:
        raise WrongSettings(f"{name}_FILE: {file} is empty.")
    return secret


def _validator(holds: Callable[[str], bool]) -> Callable[[str], None]:
    """A validator for marshmallow that accepts the values for which `holds` is true."""

    def check(value: str) -> None:
        if not holds(value):
            raise ValidationError("")

    return check


@_validator
def site(value: str) -> bool:
    """Whether the value is the address of a web server, without a path."""
    scheme = _scheme_of_server(value)
    return scheme in {"http", "https"} and value.rstrip("/").count("/") == 2


@_validator
def mail_server(value: str) -> bool:
    """Whether the value is the address of a mail server; it may contain a password."""
    return _scheme_of_server(value) in {"smtp", "smtps"}


@_validator
def database(value: str) -> bool:
    """Whether the value is the address of a database; it may contain a password."""
    try:
        return bool(database_url(value, Path()))
    except (ArgumentError, ValueError):
        return False


def is_postgresql(value: str | None) -> bool:
    """Whether the value is the address of a PostgreSQL database."""
    try:
        return bool(value) and database_url(value, Path()).startswith("postgresql")
    except (ArgumentError, ValueError):
        return False


postgresql = _validator(is_postgresql)
"""A validator of the address of a PostgreSQL database; it may contain a password."""


@_validator
def cold_storage(value: str) -> bool:
    """Whether the value is a folder of this machine, or a bucket."""
    parts = urlsplit(value)
    is_folder = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
    is_bucket = parts.scheme == "s3" and bool(parts.netloc) and "@" not in parts.netloc
    return (is_folder or is_bucket) and not parts.query and not parts.fragment


key = validate.Regexp(r"[0-9A-Fa-f]{64}\Z")
"""A validator of 32 bytes in hexadecimal."""
receiver = validate.Regexp(r"([0-9A-Za-z._-]{1,16}|\*)@[0-9A-Za-z.-]+\Z")
"""A validator of the address for replies.

Its local part is short, so that the signed part after it fits into 64 characters.
"""


@_validator
def sender(value: str) -> bool:
    """Whether the value is an address from which emails can come, perhaps with a name."""
    return value.isprintable() and _ADDRESS.fullmatch(parseaddr(value)[1]) is not None


def listener_beside(port: int | None) -> Callable[[str], None]:
    """A validator of an address and a port to listen on, other than this port."""

    @_validator
    def listener(value: str) -> bool:
        found = host_and_port(value)
        return found is not None and found[1] != port

    return listener


def host_and_port(value: str | None) -> tuple[str, int] | None:
    """The host and the port in `127.0.0.1:9100` or `[::1]:9100`; None if the value has another form."""
    try:
        parts = urlsplit(f"//{value or ''}")
        port = parts.port
    except ValueError:
        return None
    has_more = parts.path or parts.query or parts.fragment or parts.username is not None
    return (parts.hostname, port) if parts.hostname and port and not has_more else None


def _scheme_of_server(url: str) -> str | None:
    """The scheme of an address; None if it has no host, or a malformed port."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts.scheme if parts.hostname else None


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
