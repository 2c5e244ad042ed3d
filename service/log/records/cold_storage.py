"""Cold storage: a folder, or a bucket of an S3-compatible store, for the logs of games that ended long ago.

This program never changes or deletes anything there. The name of an object contains its digest, and the database knows
that digest, so an object is always read as it was written. If the store is out of reach, that is logged once, and the
store is tried again only after a pause. Only the games stored there have to wait.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from rules.kernel import Json
from service.core.counts import prometheus
from service.core.database.database import db
from service.core.database.failures import UnreadableLog, cause_of
from service.core.runtime.log_files import failure
from service.core.runtime.problems import Unavailable

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

PAUSE = 5.0
"""The time (seconds) for which a store that has failed is left alone."""
MARK = "tegami-cold-storage"
"""The name of a file at the top. If it is missing, the folder's disk is not mounted, or the bucket is the wrong one."""
_MARKED = b"Games that ended long ago. Keep this with your backups: the database has no other copy of them.\n"
_OPTIONS: dict[str, Json] = {
    "s3": {
        "use_listings_cache": False,
        "config_kwargs": {"connect_timeout": 5, "read_timeout": 10, "retries": {"max_attempts": 1}},
    }
}
"""The options of each protocol: short time limits, and no cached listings."""
_STORAGE = "tegami.cold_storage"
"""The key under which an engine holds the cold storage of its application."""
_NOT_SET = "COLD_STORAGE is not set"

_log = structlog.get_logger("tegami.cold_storage")


class ColdStorageOutOfReach(Unavailable):
    """Raised for a game in cold storage that cannot be reached at the moment; `cause` tells the operator why."""

    def __init__(self, cause: str) -> None:
        super().__init__({"Retry-After": "30"}, "cold")
        self.cause = cause


class LostObject(UnreadableLog):
    """Raised if the object that cold storage should have for this game is missing or is a different one."""

    cause = "damaged object in cold storage"


class ColdStorage:
    """The objects at an address such as `file:///srv/tegami-cold` or `s3://bucket/folder`. Thread-safe."""

    def __init__(self, url: str, steady: Callable[[], float] = time.monotonic) -> None:
        self._url, self._steady = url, steady
        self._lock = threading.Lock()
        self._failed_at: float | None = None

    def write(self, game_id: str, data: bytes) -> bytes:
        """Store an object of this game so that a power cut cannot lose it; return its SHA-256.

        Raises ColdStorageOutOfReach if the store fails.
        """
        digest = hashlib.sha256(data).digest()
        with self._reaching():
            self._put(_name(game_id, digest), data)
        return digest

    def read(self, game_id: str, digest: bytes) -> bytes:
        """The object of this game with this SHA-256.

        Raises ColdStorageOutOfReach if the store fails, and LostObject if it has no such object.
        """
        with self._reaching():
            data = self._found(_name(game_id, digest))
        if data is None or hashlib.sha256(data).digest() != digest:
            raise LostObject(game_id)
        return data

    def begin(self, *, new: bool) -> None:
        """Check that the store is present and ours; mark it if it is `new`. Raises ColdStorageOutOfReach otherwise."""
        with self._reaching():
            if not new:
                self._fs.cat_file(self._path(MARK))
            elif not self._fs.exists(self._path(MARK)):
                self._put(MARK, _MARKED)

    @cached_property
    def _opened(self) -> tuple[AbstractFileSystem, str]:
        import fsspec  # not loaded while the database has all games

        options = _OPTIONS.get(self._url.partition("://")[0], {})
        found: tuple[AbstractFileSystem, str] = fsspec.url_to_fs(self._url, **options)
        return found

    @property
    def _fs(self) -> AbstractFileSystem:
        return self._opened[0]

    def _path(self, name: str) -> str:
        return f"{self._opened[1].rstrip('/')}/{name}"

    def _found(self, name: str) -> bytes | None:
        """The object with this name; None if the store is ours and has no such object."""
        try:
            data: bytes = self._fs.cat_file(self._path(name))
        except FileNotFoundError:
            self._fs.cat_file(self._path(MARK))
            return None
        return data

    def _put(self, name: str, data: bytes) -> None:
        path = self._path(name)
        if self._url.startswith("file:"):
            _write_durably(Path(path), data)
        else:
            self._fs.pipe_file(path, data)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """A block in which the store is used. It logs the first failure, and the end of an outage.

        Raises ColdStorageOutOfReach if the store fails, or failed a moment ago.
        """
        with self._lock:
            failed_at = self._failed_at
        if failed_at is not None and self._steady() - failed_at < PAUSE:
            raise ColdStorageOutOfReach("it has failed just now")
        try:
            yield
        except Exception as error:  # each kind of store fails in its own ways
            self._failed(error)
            raise ColdStorageOutOfReach(cause_of(error)) from error
        with self._lock:
            recovered, self._failed_at = self._failed_at is not None, None
        if recovered:
            _log.info("recovered", task="cold storage")

    def _failed(self, error: Exception) -> None:
        prometheus.cold_storage_failed()
        with self._lock:
            is_known, self._failed_at = self._failed_at is not None, self._steady()
        if not is_known:
            _log.error("failing", task="cold storage", cause=cause_of(error), **failure(error))


def _name(game_id: str, digest: bytes) -> str:
    """The path of a game's file, spread over folders so that none of them grows too large."""
    return f"{digest.hex()[:2]}/{game_id}.{digest.hex()[:32]}.jsonl"


def _write_durably(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, and wait until the file and its parent folders are on the disk."""
    missing = [each for each in path.parents if not each.exists()]
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)
    for folder in (path.parent, *(each.parent for each in missing)):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def use(found: ColdStorage | None) -> None:
    """Set the cold storage of the application in context; None if it has none."""
    vars(db.engine)[_STORAGE] = found


def storage() -> ColdStorage:
    """The cold storage of the application in context. Raises ColdStorageOutOfReach if it has none."""
    found: ColdStorage | None = vars(db.engine).get(_STORAGE)
    if found is None:
        raise ColdStorageOutOfReach(_NOT_SET)
    return found
