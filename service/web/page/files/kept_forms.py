"""Compressed files, cached on disk by their content, because Brotli would take most of a second at each start.

A file that cannot be read, or is incomplete, is compressed again. If nothing can be written, all files are compressed
at each start.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path

_DIGEST_BYTES = 32


class KeptForms:
    """The compressed files in one encoding, cached in `folder`."""

    def __init__(self, folder: Path, encoding: str) -> None:
        self._folder, self._encoding = folder, encoding
        self._used = set[str]()

    def of(self, body: bytes, make: Callable[[], bytes]) -> bytes:
        """The compressed form of `body`: the cached one or, if there is none, the one that `make` makes.

        On disk, it is preceded by its digest.
        """
        name = hashlib.sha256(self._encoding.encode() + b"\0" + body).hexdigest()
        self._used.add(name)
        file = self._folder / name
        with contextlib.suppress(OSError):
            found = file.read_bytes()
            digest, form = found[:_DIGEST_BYTES], found[_DIGEST_BYTES:]
            if hashlib.sha256(form).digest() == digest:
                return form
        form = make()
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = file.with_name(f"{name}.{secrets.token_hex(4)}")
            draft.write_bytes(hashlib.sha256(form).digest() + form)
            draft.replace(file)
        return form

    def forget_others(self) -> None:
        """Delete files that were not requested: compressed forms of earlier content, and unfinished ones."""
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                if file.name not in self._used:
                    file.unlink()
