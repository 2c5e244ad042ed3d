"""A POST to an address that a player has entered, over real sockets."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from service.notifications.receivers.guarded_post import GuardedPost, PostOutcome, Request
from tests.support.servers.listener import HELLO, Listener, request
from tests.support.servers.server import PATIENCE, free_port
from tests.support.servers.smtp_server import TLS

BODY = b"{}"
PUBLIC = "93.184.215.14"
NOT_LONG = 0.4
"""The seconds of patience in tests of what takes too long."""


@contextmanager
def serving(answer: bytes = HELLO, **more: bool) -> Iterator[Listener]:
    with closing(Listener(answer, **more)) as server:
        yield server


def send(server: Listener, *, patience: float = PATIENCE, **more: object) -> PostOutcome:
    post = GuardedPost(anywhere=True, patience=patience, **more)  # type: ignore[arg-type]
    return post(Request(f"http://127.0.0.1:{server.port}/in?a=1", {"webhook-id": "w.1"}, BODY))


def test_it_is_one_plain_request():
    with serving() as server:
        assert send(server) == PostOutcome(status=204)
        (sent,) = server.got
    head, _, body = sent.partition(b"\r\n\r\n")
    first, *headers = head.decode().split("\r\n")
    assert first == "POST /in?a=1 HTTP/1.1"
    assert f"Host: 127.0.0.1:{server.port}" in headers
    assert "webhook-id: w.1" in headers
    assert body == BODY


def test_a_redirect_is_an_answer_like_any_other():
    with serving(HELLO) as target:
        answer = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{target.port}/\r\n\r\n"
        with serving(answer.encode()) as server:
            found = send(server)
        assert (found.status, found.arrived) == (302, False)
        assert target.got == []


@pytest.mark.parametrize("wish", ["120", "x", "-1", "9" * 20])
def test_when_to_come_back(wish):
    answer = f"HTTP/1.1 503 Busy\r\nRetry-After: {wish}\r\nContent-Length: 0\r\n\r\n"
    with serving(answer.encode()) as server:
        assert send(server).retry_after == (120 if wish == "120" else None)


def test_nobody_reads_a_long_answer():
    with serving(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 50_000_000) as server:
        assert send(server).status == 200


@pytest.mark.parametrize(
    "answer", [b"moon\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500]
)
def test_what_is_no_answer(answer):
    with serving(answer) as server:
        assert send(server).error in {"answer", "connection"}


@pytest.mark.parametrize("how", ["hold", "drip"])
def test_nobody_is_waited_for_for_long(how):
    """The receiver may send nothing, or a letter now and then."""
    with serving(HELLO * 9, **{how: True}) as server:
        assert send(server, patience=NOT_LONG) == PostOutcome(error="timeout", cut=True)


def test_nobody_listens():
    url = f"http://127.0.0.1:{free_port()}/"
    assert GuardedPost(anywhere=True)(Request(url, {}, BODY)).error == "connection"


def test_a_name_that_is_private_is_not_dialled():
    with serving() as server:
        post = GuardedPost(resolver=lambda host, port: ["127.0.0.1"])
        assert post(Request("https://bot.example/", {}, BODY)).error == "address"
        assert server.got == []


def test_a_name_is_looked_up_once():
    asked = []

    def resolver(host, port):
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    post = GuardedPost(resolver=resolver, patience=NOT_LONG)
    found = post(Request("https://bot.example/", {}, BODY))
    assert found.error in {"timeout", "connection", "tls"}, "it was dialled"
    assert asked == ["bot.example"]


def test_a_resolver_that_does_not_answer_is_not_waited_for():
    """It cannot be interrupted, so it is left behind."""
    go, came_back = threading.Event(), threading.Event()

    def resolver(host, port):
        go.wait(PATIENCE)
        came_back.set()
        return [PUBLIC]

    post = GuardedPost(resolver=resolver, patience=NOT_LONG)
    found = post(Request("https://bot.example/", {}, BODY))
    assert not came_back.is_set()
    assert found == PostOutcome(error="timeout")
    go.set()


def test_whoever_sends_is_asked_about_the_address_before_it_is_dialled():
    class Refused(Exception):
        pass

    def begin(address):
        assert address == "127.0.0.1"
        raise Refused

    with serving() as server:
        url = f"http://127.0.0.1:{server.port}/"
        with pytest.raises(Refused):
            GuardedPost(anywhere=True)(Request(url, {}, BODY, begin))
        assert server.got == []


def test_a_name_without_an_address():
    def resolver(host, port):
        raise socket.gaierror

    assert GuardedPost(resolver=resolver)(Request("https://bot.example/", {}, b"")).error == "name"


@pytest.mark.parametrize("url", ["http://bot.example/", "https://bot.example:22/", "file:///etc"])
def test_an_address_that_was_stored_before_is_looked_at_again(url):
    assert GuardedPost()(Request(url, {}, BODY)).error == "address"


def test_no_proxy_of_the_environment_is_asked(monkeypatch):
    with serving() as proxy, serving() as server:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert send(server).status == 204
        assert proxy.got == []


@pytest.mark.parametrize("trusted", [True, False])
def test_the_certificate_has_to_be_valid(trusted):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem")
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]

    def serve() -> None:
        line, _ = listening.accept()
        with line:
            try:
                with context.wrap_socket(line, server_side=True) as secured:
                    request(secured)  # all of it: else the connection would be cut
                    secured.sendall(HELLO)
            except (ssl.SSLError, OSError):
                return

    thread = threading.Thread(target=serve)
    thread.start()
    with closing(listening):
        authority = ssl.create_default_context()
        if trusted:
            authority.load_verify_locations(TLS / "authority.pem")
        post = GuardedPost(anywhere=True, context=authority, resolver=lambda *_: ["127.0.0.1"])
        found = post(Request(f"https://127.0.0.2:{port}/", {}, BODY))
        thread.join()
    assert found == (PostOutcome(status=204) if trusted else PostOutcome(error="tls"))
