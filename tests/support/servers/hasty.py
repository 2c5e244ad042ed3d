"""A worker of gunicorn that gives its clients little time and little room, so that tests need not wait for it."""

from __future__ import annotations

from service.web.serving.worker import Bounds, PatientWorker

ROOM = 20
"""Connections of one address, and of all."""


class HastyWorker(PatientWorker):
    """As ours, with small bounds."""

    bounds = Bounds(
        head_seconds=1,
        body_seconds=1,
        answer_seconds=1,
        slowest=10_000_000,
        of_network=ROOM,
        unsent=1_000_000,
    )
