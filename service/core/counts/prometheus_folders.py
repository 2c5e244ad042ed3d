"""The folders below DATA_DIR in which processes keep their counts: one of all web processes, one of each worker.

A folder is emptied when its programs start, so counts begin anew then, as Prometheus expects. What a process has
counted that was killed stays until then.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from service.core.settings.config import Config

WEB = "web"
_WORKER = "worker-"
"""How the folder of a worker begins; its process id follows."""


def of_web(config: Config) -> Path:
    """The folder of the web processes."""
    return _all(config) / WEB


def of_worker(config: Config) -> Path:
    """The folder of this process, which is a worker."""
    return _all(config) / f"{_WORKER}{os.getpid()}"


def files(config: Config) -> list[str]:
    """The files of all processes that have counted something.

    One that is empty has just been made: `prometheus_client` gives it its size then, and cannot read it before.
    Raises FileNotFoundError if one is deleted meanwhile.
    """
    return sorted(str(file) for file in _all(config).glob("*/*.db") if file.stat().st_size)


def fresh(folder: Path) -> None:
    """Make a folder, or empty it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)


def forget_ended_workers(config: Config) -> None:
    """Delete the folders of workers that run no more."""
    for folder in _all(config).glob(f"{_WORKER}*"):
        if not _is_running(int(folder.name.removeprefix(_WORKER))):
            shutil.rmtree(folder, ignore_errors=True)


def _all(config: Config) -> Path:
    return config.data_dir / "metrics"


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # somebody else's, which has the number now
    return True
