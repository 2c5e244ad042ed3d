"""Compressed files that are kept on disk by what they are made of: Brotli takes most of a second at each start.

What cannot be read, or is not whole, is made anew; where nothing can be written, it is made at each start.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path

_DIGEST_BYTES = 32


class KeptForms:
    """Forms in one encoding, in `folder`."""

    def __init__(self, folder: Path, encoding: str) -> None:
        self._folder, self._encoding = folder, encoding
        self._used = set[str]()

    def of(self, body: bytes, make: Callable[[], bytes]) -> bytes:
        """The form of `body`, which `make` makes if it is not kept. It begins with its digest on disk."""
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
        """Delete what was not asked for: forms of files as they were, and what was left half-written."""
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                if file.name not in self._used:
                    file.unlink()
