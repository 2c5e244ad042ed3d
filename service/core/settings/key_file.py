"""The key files in the data folder, made at the first start and readable only by their owner."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from service.core.settings.environment import KEY_BYTES, WrongSettings

SECRET_KEY, SIGNING_KEY, PUSH_KEY = "secret.key", "signing.key", "push.key"
"""The names of the key files."""


def key_in(data_dir: Path, name: str) -> bytes:
    """The 32 bytes of the key file with this name in the data folder; folder and file are made if missing.

    Raises WrongSettings if they cannot be made or read.
    """
    path = data_dir / name
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _draw(path)
        key = path.read_bytes()
    except OSError as error:
        told = f"DATA_DIR: {data_dir} cannot be used ({type(error).__name__})."
        raise WrongSettings(told) from None
    if len(key) != KEY_BYTES:
        raise WrongSettings(
            f"{name} is damaged: restore it, or read in docs/hosting.md what is lost with it, and remove it."
        )
    return key


def _draw(path: Path) -> None:
    """Draw a random key and write it to `path`.

    It is written under another name and then linked into place, so that two processes at once read the same key.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600, exist_ok=False)
    draft.write_bytes(secrets.token_bytes(KEY_BYTES))
    try:
        with suppress(FileExistsError):  # another process was first
            os.link(draft, path)
    finally:
        draft.unlink()
