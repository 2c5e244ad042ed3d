"""The environment, read as settings: text, numbers, switches. What does not fit stops the start and says why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

DATABASES = {"postgres", "postgresql", "postgresql+psycopg", "sqlite"}
"""How the address of a database begins."""
MOST_PORT = 65_535
DEMANDED = {
    "DATA_DIR": "the folder of key and database, as a whole path",
    "TRUSTED_PROXIES": "how many proxies stand in front, 0 if none does",
    "REGISTRATION": "open or invited",
}
"""What a server for others has to say for itself: a default that was good for a first try would be a bad surprise."""


class WrongSettings(ValueError):
    """The settings are no good; the text says which and why, without any that is secret."""


class Environment:
    """Settings by name; an empty one is as good as none."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str, default: str = "") -> str:
        """What is said, or the default."""
        return self._environ.get(name) or default

    def whole(self, name: str, default: int, *, least: int = 0, most: int = 99) -> int:
        """A whole number within these bounds. Raises WrongSettings."""
        said = self.text(name, str(default))
        if not re.fullmatch("[0-9]{1,9}", said) or not least <= int(said) <= most:
            raise WrongSettings(f"{name} is a whole number from {least} to {most}.")
        return int(said)

    def seconds(self, name: str, default: float) -> float:
        """A time in seconds, above 0. Raises WrongSettings."""
        try:
            said = float(self.text(name, str(default)))
        except ValueError:
            said = 0
        if not 0 < said < 86_400:
            raise WrongSettings(f"{name} is a time in seconds, such as {default}.")
        return said

    def switch(self, name: str, *, default: bool) -> bool:
        """`on` or `off`. Raises WrongSettings."""
        said = self.text(name, "on" if default else "off")
        if said not in {"on", "off"}:
            raise WrongSettings(f"{name} is on or off.")
        return said == "on"

    def address(self, name: str, default: str) -> str:
        """An address of a web server, without a slash at the end. Raises WrongSettings."""
        said = self.text(name, default).rstrip("/")
        parts = _split(said)
        if parts is None or parts[0] not in {"http", "https"} or said.count("/") != 2:
            raise WrongSettings(f"{name} is https://tegami.example or the like, without a path.")
        return said

    def mail_server(self, name: str) -> str | None:
        """The address of a mail server; it may hold a password. Raises WrongSettings."""
        said = self.text(name)
        parts = _split(said)
        if said and (parts is None or parts[0] not in {"smtp", "smtps"}):
            raise WrongSettings(f"{name} is smtp://user:password@host:port, or smtps://….")
        return said or None

    def database(self, name: str) -> str:
        """The address of a database; it may hold a password. Raises WrongSettings."""
        said = self.text(name)
        try:
            known = not said or make_url(said).drivername in DATABASES
        except (ArgumentError, ValueError):
            known = False
        if not known:
            raise WrongSettings(f"{name} is postgresql://user:password@host/name.")
        return said

    def sender(self, name: str, default: str) -> str:
        """An address from which mails come, perhaps with a name. Raises WrongSettings."""
        said = self.text(name)
        if said and not (said.isprintable() and _ADDRESS.fullmatch(parseaddr(said)[1])):
            raise WrongSettings(f"{name} is Tegami <tegami@tegami.example> or the like.")
        return said or default

    def demand(self) -> None:
        """Raises WrongSettings unless all is said that a server for others needs."""
        missing = [f"{name} ({what})" for name, what in DEMANDED.items() if not self.text(name)]
        if missing:
            raise WrongSettings(
                "PUBLIC_URL is https, so this server is for others, and more has to be said: "
                f"{'; '.join(missing)}. See docs/hosting.md."
            )
        if not Path(self.text("DATA_DIR")).is_absolute():
            raise WrongSettings("DATA_DIR is a whole path, for this server is for others.")


_ADDRESS = re.compile("[!-?A-~]+@[0-9A-Za-z.:-]+")


def _split(url: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port; None for what is no address of a server."""
    try:
        parts = urlsplit(url)
        return (parts.scheme, parts.hostname, parts.port) if parts.hostname else None
    except ValueError:
        return None
