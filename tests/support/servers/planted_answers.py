"""A launcher of a worker whose answers for people can be told from theirs, in a way that its argument names.

`at-once`: it does not wait. `round-times`: it waits for a full second. `in-rounds`: it answers in its rounds, together
with everything else that is due.
"""

from __future__ import annotations

import random
import sys
import threading
from functools import partial

from flask import Flask

from service.core.runtime.units import SECOND
from service.log.table_rows.table import Holder
from service.notifications.mail_sending.sender import senders_of
from service.operations.thinking.processes import Processes
from service.operations.worker.loop import Worker, beside, stop_on_signals, work
from service.operations.worker.sending import send_mails
from service.tables.clocks import own_answers
from service.web.app import create_app

AT_ONCE, ROUND_TIMES, IN_ROUNDS = FAULTS = ("at-once", "round-times", "in-rounds")
usual = own_answers.answers_at


def at_once(_secret: bytes, _game_id: str, holder: Holder) -> int:
    """The time of the question."""
    return holder.since


def at_full_second(secret: bytes, game_id: str, holder: Holder) -> int:
    """The usual time, rounded up."""
    return -(-usual(secret, game_id, holder) // SECOND) * SECOND


def in_rounds(app: Flask, stop: threading.Event) -> None:
    """Do everything that is due once a second, answers for people included."""
    services = app.extensions["tegami"]
    sender = senders_of(services)[0]
    mails_leave = partial(send_mails, app, stop, sender, stop.wait)
    with beside(stop, "sender", mails_leave), app.app_context():
        worker = Worker(services, random.Random(1), Processes(0, services.now))
        while not stop.wait(1):
            worker.run_once()


if __name__ == "__main__":
    fault, stop = sys.argv[1], stop_on_signals()
    assert fault in FAULTS
    if fault == IN_ROUNDS:
        in_rounds(create_app(), stop)
    own_answers.answers_at = at_once if fault == AT_ONCE else at_full_second
    work(create_app(), stop)
