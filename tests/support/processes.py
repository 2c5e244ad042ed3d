"""The processes of this machine, as the kernel lists them."""

from __future__ import annotations

from pathlib import Path


def children(parent: int) -> list[int]:
    """The ids of the processes that a process has started."""
    try:
        tasks = Path(f"/proc/{parent}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []  # it has just ended


def runs(pid: int) -> bool:
    """Whether a process has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2]
    except FileNotFoundError:
        return False
    return not state.startswith("Z")


def descendants(parent: int) -> set[int]:
    """The ids of the processes that a process has started, of those that they have started, and so on."""
    own = children(parent)
    return {*own}.union(*map(descendants, own))
