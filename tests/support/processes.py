"""The processes of this machine, as listed by the kernel."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children(parent: int) -> list[int]:
    """The ids of the processes that a process has started."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
        for task in Path(f"/proc/{parent}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # only this thread of it has
                found += map(int, (task / "children").read_text().split())
    return found


def runs(pid: int) -> bool:
    """Whether a process is still running."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not state.startswith("Z")


def descendants(parent: int) -> set[int]:
    """The ids of the processes that a process has started, of those that they have started, and so on."""
    own = children(parent)
    return {*own}.union(*map(descendants, own))
