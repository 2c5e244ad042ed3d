"""A launcher of the worker with the kinds of mail of the tests, which dies at one point of a mail, by SIGKILL.

The test chooses the point with the file that `CRASH` names (tests/support/servers/crashing.py): `claim` and `mark` are
just before these commits, `claimed` and `marked` just after, `matters`, `render` and `look` are between them. `LEASE`
is the length of a lease in ms.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.notifications.mail_sending.sender import Sender, transport_of
from service.notifications.mail_texts.kinds import MailKind
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app
from tests.support.mail_kinds import KINDS
from tests.support.servers.crashing import Crash

STEPS = {" lease_until=": ("claim", "claimed"), " done_at=": ("mark", "marked")}
"""The points before and after the commit that sets each column of the outbox."""


class MailCrash(Crash):
    """An observer of the senders' transactions."""

    _step: tuple[str, str] | None = None

    def begun(self, _connection: Any) -> None:
        self._step = None

    def execute(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sets = statement.partition(" WHERE ")[0] if statement.startswith("UPDATE outbox ") else ""
        found = [step for column, step in STEPS.items() if column in sets]
        self._step = found[0] if found else self._step

    def committing(self, _connection: Any) -> None:
        if self._step:
            self.reach(self._step[0])

    def committed(self, _session: Any) -> None:
        if self._step:
            self.reach(self._step[1])

    def on_the_way(self, kind: MailKind) -> MailKind:
        """The kind with its points; the second check whether it matters is the last look."""
        looks: dict[str, int] = {}

        def matters(services: Any, row: Any) -> bool:
            claim = f"{row.id} {row.attempts}"
            looks[claim] = looks.get(claim, 0) + 1
            self.reach("matters" if looks[claim] == 1 else "look")
            return kind.is_relevant(services, row)

        return kind._replace(is_relevant=matters, render=self.before("render", kind.render))

    def before(self, point: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with the point at its beginning."""

        def reached(*args: Any) -> Any:
            self.reach(point)
            return function(*args)

        return reached


if __name__ == "__main__":
    app = create_app()
    crash = MailCrash(Path(os.environ["CRASH"]))
    crash.watch(app)
    services = app.extensions["tegami"]
    kinds = {name: crash.on_the_way(kind) for name, kind in KINDS.items()}
    post = transport_of(services.config)
    assert post is not None
    work(app, stop_on_signals(), sender=Sender(services, post, kinds, int(os.environ["LEASE"])))
