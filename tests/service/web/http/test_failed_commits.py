"""The commit of every operation fails once: nothing of it is kept, and everything continues as if it had never been
tried.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.web.app import create_app
from service.web.http.limits.rate_limits import count_anew
from tests.contract import Json, Operation, operations
from tests.record_examples import Recorder, Ticking, fresh_app, tell_all
from tests.record_sending import send, signed_in_as
from tests.support.dump import dump
from tests.support.failing_commits import begin_anew, no_commit
from tests.support.in_one_go import case
from tests.support.servers.databases import disconnect

pytestmark = pytest.mark.of_service

NEVER_COMMITTED = {"answerGamePuzzle", "explainObstacle", "previewAction", "previewSignIn"}
"""Operations that are sent with POST, and write nothing."""
OFTEN = 2
"""The number of failures of the same operation for the same reason in the examples: one of them sends it some seventy
times.
"""


class SecondTime(Recorder):
    """Sends everything that may change something twice: the first time no commit succeeds."""

    def __init__(self, app: Flask, other: Flask, clock: Ticking) -> None:
        super().__init__(app, clock)
        self._other = other
        self.failed, self.done = set[str](), set[str]()
        """The operations whose commit has failed, and those that succeeded afterwards."""
        self._sent = Counter[tuple[str, str]]()

    def call(
        self, name: str, who: Json | None = None, body: Any = None, variant: str = "", **more: Any
    ) -> Any:
        """The call of a Recorder."""
        operation = next(each for each in operations() if each.name == name)
        self._sent[name, variant] += bool(variant)
        fails = operation.method != "get" and self._sent[name, variant] <= OFTEN
        with case(f"{name} {variant}"):
            if fails:
                self._fail(operation, who, body, more)
            told = super().call(name, who, body, variant, **more)
            if fails and "game_id" in more:
                self._compare(who, f"/api/games/{more['game_id']}")
        return told

    def answered(self, name: str, answer: Any) -> Any:
        """The response of a Recorder."""
        if answer.status_code < 400:
            self.done.add(name.partition("-")[0])
        return super().answered(name, answer)

    def _fail(self, operation: Operation, who: Json | None, body: Any, more: Json) -> None:
        before = dump(self.app)
        with no_commit(self.app):
            client = FlaskClient(self.app, self.app.response_class, use_cookies=False)
            answer = send(client, operation, who, body, **more)
        if answer.status_code >= 500:
            self.failed.add(operation.name)
        assert dump(self.app) == before, "nothing is kept of it"
        count_anew(self.app)

    def _compare(self, who: Json | None, path: str) -> None:
        """Check that the table looks as a newly started process shows it."""
        begin_anew(self._other)
        headers = {**(signed_in_as(who) if who else {}), "X-Request-Id": "one-of-two"}
        shown = [
            app.test_client(use_cookies=False).get(path, headers=headers)
            for app in (self.app, self._other)
        ]
        assert shown[0].data == shown[1].data
        assert shown[0].headers.get("ETag") == shown[1].headers.get("ETag")


@pytest.mark.timeout(600)
def test_what_failed_at_its_commit_was_never_there(database, tmp_path):
    clock = Ticking()
    app = fresh_app(tmp_path, clock, database)
    services = app.extensions["tegami"]
    other = create_app(services.config, services)
    recorder = SecondTime(app, other, clock)
    tell_all(recorder)
    writing = {each.name for each in operations() if each.method != "get"}
    assert len(recorder.failed) > 40
    assert recorder.done & writing - recorder.failed == NEVER_COMMITTED
    for each in (app, other):
        disconnect(each)
