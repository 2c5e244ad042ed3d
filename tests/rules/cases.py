"""Cases of a test that is a loop: thousands of tests cost more to collect and to report than to run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(name: object) -> Iterator[None]:
    """A failure in this block names the case."""
    try:
        yield
    except BaseException as failure:
        failure.add_note(f"in {name}")
        raise
