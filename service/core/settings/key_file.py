"""The key files in the data folder, made at the first start and readable by their owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from service.core.settings.environment import WrongSettings

KEY_BYTES = 32
SECRET_KEY, SIGNING_KEY, PUSH_KEY = "secret.key", "signing.key", "push.key"
"""The names of the files."""


def key_in(data_dir: Path, name: str) -> bytes:
    """The key of this name in the data folder; both are made if they are missing. Raises WrongSettings."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return key_file(data_dir / name)
    except OSError as error:
        told = f"DATA_DIR: {data_dir} cannot be used ({type(error).__name__})."
        raise WrongSettings(told) from None


def key_file(path: Path) -> bytes:
    """The 32 bytes in `path`, drawn at the first start.

    Written under another name and linked into place, so that two processes that start at once read the same key.
    Raises WrongSettings for a damaged file.
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
    if len(key) != KEY_BYTES:
        raise WrongSettings(
            f"{path.name} is damaged: restore it, or read in docs/hosting.md what is lost with it, and remove it."
        )
    return key
