"""The keys of a server as files, for another process over the same database."""

from __future__ import annotations

from pathlib import Path

from service.core.settings.config import Config
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY


def write_keys(folder: Path, config: Config) -> None:
    """Write these keys to a data folder, for another process."""
    keys = {
        SECRET_KEY: config.secret_key,
        SIGNING_KEY: config.signing_key,
        PUSH_KEY: config.push_key,
    }
    for name, key in keys.items():
        assert key
        file = folder / name
        file.touch(mode=0o600)
        file.write_bytes(key)
