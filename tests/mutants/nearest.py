"""Which modules are measured, and which tests are nearest to each.

Those are the folder that mirrors its room, or what is named here.
"""

from __future__ import annotations

ROOMS = {
    "service/tables/clocks": (
        "tests/service/tables/clocks",
        "tests/service/tables/views/test_clock_view.py",
    ),
    "service/tables/play": ("tests/service/tables/play",),
    "service/outbox": ("tests/service/outbox", "tests/service/notifications/mail_texts"),
    "rules/kernel": ("tests/rules/kernel",),
}
"""The tests of every module of a room."""

_PLAY, _HTTP = "tests/service/play/test_", "tests/service/http/test_"
_OUTBOX, _MAIL = "tests/service/outbox/test_", "tests/service/mail/test_"
_UNSUBSCRIBING = ("tests/service/web/links/test_unsubscribe_link.py",)
OWN = {
    "service/tables/before_start/invitations.py": (
        _PLAY + "invitations.py",
        _PLAY + "rematch.py",
        _PLAY + "removals.py",
        _MAIL + "before_start_mails.py",
    ),
    "service/tables/play/leaving.py": (_PLAY + "handovers.py", _PLAY + "leaving_for_good.py"),
    "service/tables/play/moves.py": (
        _PLAY + "moves.py",
        _PLAY + "sealed_choices.py",
        _PLAY + "proposals.py",
    ),
    "service/tables/before_start/nonces.py": (_PLAY + "nonces.py",),
    "service/tables/play/nudges.py": (_PLAY + "rematch.py",),
    "service/tables/before_start/tables_per_person.py": (_PLAY + "open_tables.py",),
    "service/tables/play/proposal_queries.py": (_PLAY + "proposals.py",),
    "service/tables/play/proposal_terms.py": (
        _PLAY + "proposals.py",
        _PLAY + "handovers.py",
        _PLAY + "leaving_for_good.py",
    ),
    "service/tables/play/proposals.py": (
        _PLAY + "proposals.py",
        _PLAY + "handovers.py",
        "tests/service/notifications/mail_texts/test_proposal_mails.py",
    ),
    "service/tables/before_start/rematch.py": (
        _PLAY + "rematch.py",
        _PLAY + "nonces.py",
        _PLAY + "removals.py",
    ),
    "service/tables/play/service_events.py": (
        _PLAY + "handovers.py",
        _PLAY + "newer_versions.py",
        _PLAY + "timeouts.py",
        _MAIL + "vacation_mails.py",
        _PLAY + "proposals.py",
        "tests/service/outbox/causes/test_reminders.py",
    ),
    "service/tables/before_start/table_expiry.py": (
        _PLAY + "table_setup.py",
        _MAIL + "before_start_mails.py",
    ),
    "service/tables/before_start/table_setup.py": (
        _PLAY + "table_setup.py",
        _PLAY + "automatic_starts.py",
        _PLAY + "invitations.py",
        _PLAY + "nonces.py",
        _PLAY + "private_tables.py",
        _PLAY + "rematch.py",
        _PLAY + "removals.py",
        _HTTP + "bad_games_and_actions.py",
        _MAIL + "before_start_mails.py",
        _MAIL + "vacation_mails.py",
        _MAIL + "turn_mails.py",
        "tests/service/tables/views/test_ruleset_view.py",
        "tests/service/people/test_names.py",
    ),
    "service/tables/play/timeouts.py": (_PLAY + "timeouts.py",),
    "service/outbox/addresses/addresses.py": (_OUTBOX + "addresses.py",),
    "service/outbox/causes/after_move.py": (_OUTBOX + "when_mailed.py", _MAIL + "turn_mails.py"),
    "service/outbox/causes/announcements.py": (
        _MAIL + "proposal_mails.py",
        _MAIL + "before_start_mails.py",
        _MAIL + "vacation_mails.py",
    ),
    "service/outbox/queue.py": (_OUTBOX + "queue.py", _OUTBOX + "when_mailed.py"),
    "service/outbox/recipients.py": (_OUTBOX + "when_mailed.py",),
    "service/outbox/causes/reminders.py": (_OUTBOX + "reminders.py",),
    "service/outbox/addresses/suppressed_addresses.py": (
        *_UNSUBSCRIBING,
        _OUTBOX + "when_mailed.py",
    ),
    "service/outbox/unsubscribe_links.py": _UNSUBSCRIBING,
    "service/outbox/unsubscriptions.py": _UNSUBSCRIBING,
}
"""The tests of modules of rooms that have too many tests to run them all for each change."""

FURTHER = {
    "service/tables/clocks/seat_clocks.py": (
        "tests/service/tables/play/test_timeouts.py",
        "tests/service/outbox/causes/test_reminders.py",
    ),
}
"""What else is near to one module."""


def nearest(module: str) -> tuple[str, ...]:
    """The paths of the tests that have to find a mutant of a module."""
    room = module.rpartition("/")[0]
    return OWN.get(module, ROOMS[room]) + FURTHER.get(module, ())
