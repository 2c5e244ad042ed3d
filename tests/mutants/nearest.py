"""Which modules are measured, and which tests are nearest to each.

Those are the folder that mirrors its room, and what is named here.
"""

from __future__ import annotations

ROOMS = {
    "service/clocks": ("tests/service/clocks", "tests/service/views/test_clock_view.py"),
    "service/play": ("tests/service/play",),
    "service/outbox": ("tests/service/outbox", "tests/service/mail"),
    "rules/kernel": ("tests/rules/kernel",),
}
"""The tests of every module of a room."""

_LEAVING_A_LIST = ("tests/service/pages/test_unsubscribe_link.py",)
FURTHER = {
    "service/clocks/seat_clocks.py": (
        "tests/service/play/test_timeouts.py",
        "tests/service/outbox/test_reminders.py",
    ),
    "service/play/proposals.py": ("tests/service/mail/test_proposal_mails.py",),
    "service/play/service_events.py": (
        "tests/service/clocks/test_stopped_clocks.py",
        "tests/service/outbox/test_reminders.py",
    ),
    "service/play/table_expiry.py": ("tests/service/mail/test_before_start_mails.py",),
    "service/outbox/suppressed_addresses.py": _LEAVING_A_LIST,
    "service/outbox/unsubscribe_links.py": _LEAVING_A_LIST,
    "service/outbox/unsubscriptions.py": _LEAVING_A_LIST,
}
"""What else is near to one module."""


def nearest(module: str) -> tuple[str, ...]:
    """The paths of the tests that have to find a mutant of a module."""
    room = module.rpartition("/")[0]
    return ROOMS[room] + FURTHER.get(module, ())
