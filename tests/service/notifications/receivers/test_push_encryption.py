"""Web Push over HTTP: only the browser can read a message, and its push service sees which server has sent it."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from cryptography.exceptions import InvalidTag
from http_ece import ECEException

from service.core.settings.config import Config
from service.notifications.receivers.guarded_post import GuardedPost, Request
from service.notifications.receivers.web_push import PADDED
from tests.service.notifications.receivers.test_push import TURN
from tests.support.browsers import PATH, Browser, PushService, claims
from tests.support.cast import CARAVAN, sqlite_only

pytestmark = sqlite_only
HEAD, TAG = 16 + 4 + 1 + 65, 16 + 1
"""The bytes before the encrypted part (RFC 8188), and after it."""


class Local(BaseHTTPRequestHandler):
    """The push service's handling of a request."""

    server: Service

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(Request(self.path, dict(self.headers), body))
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_):
        """Logs nothing."""


class Service(HTTPServer):
    """A push service on this machine."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Local)
        self.got: list[Request] = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def local():
    with Service() as service:
        thread = threading.Thread(target=service.serve_forever)
        thread.start()
        yield service
        service.shutdown()
        thread.join()


@pytest.fixture
def config(config: Config) -> Config:
    return replace(config, push="anywhere", contact="hana@example.org")


@pytest.fixture
def got(app, cast, clock, local):
    """The message that arrives when alice is asked, and her browser."""
    browser = Browser("hers", f"{local.url}/")
    browser.subscribe(cast.alice)
    cast.start(CARAVAN)
    PushService(app, post=GuardedPost(anywhere=True)).send()
    (request,) = local.got
    return request, browser


def test_the_browser_alone_reads_it(cast, got):
    request, browser = got
    told = json.loads(browser.read(request.body))
    assert told.pop("url") == f"/games/{told.pop('tag')}"
    assert told == {"words": TURN, "language": "en"}
    assert request.headers["Content-Encoding"] == "aes128gcm"
    with pytest.raises((ECEException, InvalidTag)):
        Browser().read(request.body)


def test_its_length_says_nothing(got):
    assert len(got[0].body) == HEAD + PADDED + TAG


def test_the_push_service_sees_who_sends_it(cast, clock, got, local):
    key = cast.alice.get(PATH)["key"]
    said = claims(got[0].headers["Authorization"], key, clock())
    assert (said["aud"], said["sub"]) == (local.url, "mailto:hana@example.org")
