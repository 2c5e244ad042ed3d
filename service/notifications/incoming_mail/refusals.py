"""Why a message is not said at the table, and the exit code by which the mail server learns it (sysexits.h)."""

from __future__ import annotations

POSTED = IGNORED = 0
BAD_DATA = 65
"""EX_DATAERR: the message cannot be used; its sender is told why."""
NO_USER = 67
"""EX_NOUSER: the address is not, or no longer, one of ours."""
LATER = 75
"""EX_TEMPFAIL: the mail server tries again later."""
NOT_ALLOWED = 77
"""EX_NOPERM: the sender may not say anything there."""


class Refused(Exception):
    """A message is returned to its sender; `why` is the key of the sentence that says why."""

    def __init__(self, code: int, why: str, language: str | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.language = code, why, language
