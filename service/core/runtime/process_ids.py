"""Ids of processes on this machine."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Whether this machine runs a process with this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # the id now belongs to somebody else's process
    return True
