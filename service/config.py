"""Settings: one class, read from the environment once, when a process starts."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
"""The clone: `web/`, `openapi.yaml` and the migrations are found from here."""

RELEASE = "0.1.0"
"""Part of every ETag: a new release may word the same state differently."""


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
    poll_after: float = 2
    """Seconds between two polls of a running game that are worth while; told to clients."""

    @property
    def secure(self) -> bool:
        """Whether people come by https: cookies are then `Secure` and named `__Host-…`."""
        return urlsplit(self.public_url).scheme == "https"

    @property
    def cookie(self) -> str:
        """The name of the sign-in cookie."""
        return "__Host-tegami" if self.secure else "tegami"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Config:
        """The settings of this process; makes the data folder and the key file if they are not there yet."""
        data_dir = Path(environ.get("DATA_DIR") or ROOT / "data").resolve()
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        host, port = environ.get("HOST") or "127.0.0.1", environ.get("PORT") or "8000"
        return cls(
            data_dir=data_dir,
            database_url=database_url(environ.get("DATABASE_URL"), data_dir),
            secret_key=key_file(data_dir / "secret.key"),
            public_url=(environ.get("PUBLIC_URL") or f"http://{host}:{port}").rstrip("/"),
            rate_limits=environ.get("RATE_LIMITS", "on") != "off",
            trusted_proxies=int(environ.get("TRUSTED_PROXIES") or 0),
            poll_after=float(environ.get("POLL_AFTER") or 2),
        )


def database_url(given: str | None, data_dir: Path) -> str:
    """SQLAlchemy's address: an embedded database if none is given; `postgres://` is psycopg's."""
    if not given:
        return f"sqlite:///{data_dir / 'tegami.sqlite3'}"
    scheme, _, rest = given.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in {"postgres", "postgresql"} else given


def key_file(path: Path) -> bytes:
    """The 32 bytes in `path`, drawn at the first start; readable by the owner alone.

    Written under another name and linked into place, so that of two processes that start at once both read one key.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first
        finally:
            draft.unlink()
    return path.read_bytes()
