"""Which modules are measured, and which tests are nearest to each.

Those are the folder that mirrors its room, or those named here.
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

_UNSUBSCRIBING = ("tests/service/web/links/test_unsubscribe_link.py",)
OWN = {
    "service/tables/before_start/invitations.py": (
        "tests/service/tables/before_start/test_invitations.py",
        "tests/service/tables/before_start/test_rematch.py",
        "tests/service/tables/before_start/test_removals.py",
        "tests/service/notifications/mail_texts/test_before_start_mails.py",
    ),
    "service/tables/play/leaving.py": (
        "tests/service/tables/play/test_handovers.py",
        "tests/service/tables/play/test_leaving_for_good.py",
    ),
    "service/tables/play/moves.py": (
        "tests/service/tables/play/test_moves.py",
        "tests/service/tables/play/test_sealed_choices.py",
        "tests/service/tables/play/test_proposals.py",
    ),
    "service/tables/before_start/nonces.py": ("tests/service/tables/before_start/test_nonces.py",),
    "service/tables/play/nudges.py": ("tests/service/tables/before_start/test_rematch.py",),
    "service/tables/play/proposals.py": (
        "tests/service/tables/play/test_proposals.py",
        "tests/service/tables/play/test_handovers.py",
        "tests/service/tables/play/test_leaving_for_good.py",
        "tests/service/notifications/mail_texts/test_proposal_mails.py",
    ),
    "service/tables/before_start/rematch.py": (
        "tests/service/tables/before_start/test_rematch.py",
        "tests/service/tables/before_start/test_nonces.py",
        "tests/service/tables/before_start/test_removals.py",
    ),
    "service/tables/play/service_events.py": (
        "tests/service/tables/play/test_handovers.py",
        "tests/service/tables/play/test_newer_versions.py",
        "tests/service/tables/play/test_timeouts.py",
        "tests/service/notifications/mail_texts/test_vacation_mails.py",
        "tests/service/tables/play/test_proposals.py",
        "tests/service/outbox/causes/test_reminders.py",
    ),
    "service/tables/before_start/departures.py": (
        "tests/service/tables/before_start/test_removals.py",
        "tests/service/tables/before_start/test_table_setup.py",
        "tests/service/notifications/mail_texts/test_before_start_mails.py",
    ),
    "service/tables/before_start/table_setup.py": (
        "tests/service/tables/before_start/test_table_setup.py",
        "tests/service/tables/before_start/test_automatic_starts.py",
        "tests/service/tables/before_start/test_invitations.py",
        "tests/service/tables/before_start/test_nonces.py",
        "tests/service/tables/before_start/test_open_tables.py",
        "tests/service/tables/play/test_private_tables.py",
        "tests/service/tables/before_start/test_rematch.py",
        "tests/service/tables/before_start/test_removals.py",
        "tests/service/web/http/test_bad_games_and_actions.py",
        "tests/service/notifications/mail_texts/test_before_start_mails.py",
        "tests/service/notifications/mail_texts/test_vacation_mails.py",
        "tests/service/notifications/mail_texts/test_turn_mails.py",
        "tests/service/tables/views/test_ruleset_view.py",
        "tests/service/people/test_names.py",
    ),
    "service/tables/play/timeouts.py": ("tests/service/tables/play/test_timeouts.py",),
    "service/outbox/addresses/addresses.py": ("tests/service/outbox/addresses/test_addresses.py",),
    "service/outbox/causes/after_move.py": (
        "tests/service/outbox/addresses/test_when_mailed.py",
        "tests/service/notifications/mail_texts/test_turn_mails.py",
    ),
    "service/outbox/causes/announcements.py": (
        "tests/service/notifications/mail_texts/test_proposal_mails.py",
        "tests/service/notifications/mail_texts/test_before_start_mails.py",
        "tests/service/notifications/mail_texts/test_vacation_mails.py",
    ),
    "service/outbox/queue.py": (
        "tests/service/outbox/test_queue.py",
        "tests/service/outbox/addresses/test_when_mailed.py",
    ),
    "service/outbox/recipients.py": ("tests/service/outbox/addresses/test_when_mailed.py",),
    "service/outbox/causes/reminders.py": ("tests/service/outbox/causes/test_reminders.py",),
    "service/outbox/addresses/suppressed_addresses.py": (
        *_UNSUBSCRIBING,
        "tests/service/outbox/addresses/test_when_mailed.py",
    ),
    "service/outbox/unsubscriptions.py": _UNSUBSCRIBING,
}
"""The nearest tests of modules in rooms that have too many tests to run them all for each change."""

FURTHER = {
    "service/tables/clocks/seat_clocks.py": (
        "tests/service/tables/play/test_timeouts.py",
        "tests/service/outbox/causes/test_reminders.py",
    ),
}
"""Further tests that are near to a single module."""


def nearest(module: str) -> tuple[str, ...]:
    """The paths of the tests that have to find a mutant of a module."""
    room = module.rpartition("/")[0]
    return OWN.get(module, ROOMS[room]) + FURTHER.get(module, ())
