"""Backing off: a failure is logged once, its work is repeated after growing waits, and its success is logged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import NamedTuple, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError

from service.core.database.database import release_connection
from service.core.database.failures import (
    DATABASE_FAILURES,
    FailedElsewhere,
    cause_of,
    is_of_some_rows,
)
from service.core.database.lock_patience import waiting
from service.core.runtime.log_files import failure
from service.core.runtime.units import MINUTE, SECOND

FIRST_WAIT = SECOND
"""The first wait (ms) after a failure; each further failure doubles it."""
LONGEST_WAIT = MINUTE
LONGEST_WAIT_FOR_ROWS = 4 * SECOND

_log = structlog.get_logger("tegami.backoff")

T = TypeVar("T")


class Failing(NamedTuple):
    """A subject that has failed `times` times in a row, from `first` to `last` (ms UTC)."""

    first: int
    last: int
    times: int = 1
    causes: tuple[str, ...] = ()
    """The causes that have been logged."""
    is_of_rows: bool = False
    """Whether the last failure was only about rows that somebody else held, which ends sooner than a defect."""

    @property
    def wait(self) -> int:
        """The time (ms) from the last failure to the next attempt."""
        longest = LONGEST_WAIT_FOR_ROWS if self.is_of_rows else LONGEST_WAIT
        return min(FIRST_WAIT << min(self.times - 1, 10), longest)


class Backoff:
    """The attempts of one task at several subjects (such as games) or, without a subject, at all its work.

    A subject that fails does not delay the others, nor does a subject whose rows somebody else holds. Errors of the
    kinds `raised` are not handled here, unless they concern only some rows.
    """

    def __init__(
        self,
        task: str,
        now: Callable[[], int],
        raised: tuple[type[Exception], ...] = DATABASE_FAILURES,
    ) -> None:
        self._task, self._now, self._raised = task, now, raised
        self._failing: dict[str, Failing] = {}

    def attempt(
        self, work: Callable[[], T], otherwise: T, subject: str = "", *, proves: bool = True
    ) -> T:
        """The result of `work`, or `otherwise` if it fails or has to wait. Raises only errors of the kinds in `raised`.

        Success ends an earlier failure of the subject; if it `proves` that the whole task works, it also ends the
        failure of the task.
        """
        if self.waits(subject):
            return otherwise
        before = self._failing.get(subject)
        try:
            with waiting() if before and before.is_of_rows else nullcontext():
                result = work()
        except Exception as error:  # whatever it is, it is logged and tried again
            if isinstance(error, self._raised) and not is_of_some_rows(error):
                raise
            with suppress(DBAPIError):  # a lost connection has nothing to give back
                release_connection()
            self._failed(subject, error)
            return otherwise
        if proves and subject in self._failing:
            self._recovered(subject)
        return result

    def waits(self, subject: str = "") -> bool:
        """Whether `subject` has failed so recently that it is left alone for now."""
        failing = self._failing.get(subject)
        return failing is not None and 0 <= self._now() - failing.last < failing.wait

    def waiting(self) -> list[str]:
        """The subjects that are left alone for now. Subjects that have not been tried again for long are forgotten."""
        now = self._now()
        for subject, failing in list(self._failing.items()):
            if now - failing.last > failing.wait + LONGEST_WAIT:
                self._recovered(subject)
        return [subject for subject in self._failing if self.waits(subject)]

    def _failed(self, subject: str, error: Exception) -> None:
        now, cause = self._now(), cause_of(error)
        failing = self._failing.get(subject) or Failing(now, now, times=0)
        if cause not in failing.causes:
            about = {"subject": subject} if subject else {}
            told = failure(error)
            if isinstance(error, FailedElsewhere):
                told |= {"error": cause, "at": error.at}
            _log.error("failing", task=self._task, **about, cause=cause, **told)
        causes = tuple({*failing.causes, cause})
        self._failing[subject] = Failing(
            failing.first, now, failing.times + 1, causes, is_of_some_rows(error)
        )

    def _recovered(self, subject: str) -> None:
        failing = self._failing.pop(subject, None)
        if failing is None:
            return  # another thread has logged this
        about = {"subject": subject} if subject else {}
        lasted = (self._now() - failing.first) // SECOND
        _log.info("recovered", task=self._task, **about, failures=failing.times, seconds=lasted)
