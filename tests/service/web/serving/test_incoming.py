"""Where requests end is found in whatever pieces they come, and never differently from gunicorn."""

from __future__ import annotations

import pytest
from gunicorn import http
from gunicorn.config import Config
from hypothesis import given
from hypothesis import strategies as st

from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.serving.incoming import (
    MOST_CHUNK_LINE,
    MOST_FRAMING,
    MOST_HEAD,
    MOST_LINE,
    HeadTooLong,
    Incoming,
    LineTooLong,
    Malformed,
)

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
SIZED = b"POST / HTTP/1.1\r\nCONTENT-length: \t4 \r\nExpect: 100-Continue\r\n\r\nbody"
CHUNKED = (
    b"POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"
    b'3;a=b; c="d"\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\n'
)
WHOLE = {
    "get": GET,
    "without headers": b"GET / HTTP/1.1\r\n\r\n",
    "an empty line before": b"\r\n" + GET,
    "HTTP/1.0": b"GET / HTTP/1.0\r\n\r\n",
    "sized": SIZED,
    "of no length": b"POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
    "chunked": CHUNKED,
    "without chunks": b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "CRLF in a body": b"POST / HTTP/1.1\r\nContent-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n",
}
TRAILERS = CHUNKED[:-2] + b"Trailer: x\r\nHost: b\r\n\r\n"


def body(request):
    """The body as gunicorn reads it, from this request alone."""
    return next(http.get_parser(Config(), [request], ("127.0.0.1", 1))).body.read()


def fed(pieces):
    """The requests that were complete after each piece."""
    incoming, found = Incoming(), []
    for piece in pieces:
        incoming.add(piece)
        while request := incoming.take():
            found.append(request)
    return incoming, found


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
def test_a_request_is_complete_with_its_last_byte(request_):
    incoming, early = fed(bytes([byte]) for byte in request_[:-1])
    assert early == []
    incoming.add(request_[-1:] + b"next")
    assert incoming.take() == (request_, True)
    assert incoming.take() is None and not incoming.is_empty


@given(st.lists(st.sampled_from(list(WHOLE.values())), max_size=6), st.data())
def test_requests_are_told_apart_in_whatever_pieces_they_come(requests, data):
    sent = b"".join(requests)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=9)))
    pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    incoming, found = fed(pieces)
    assert [each.data for each in found] == requests and all(each.whole for each in found)
    assert incoming.is_empty


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
def test_gunicorn_finds_the_same_end(request_):
    parser = http.get_parser(Config(), [request_ + b"next"], ("127.0.0.1", 1))
    read = next(parser).body.read()
    assert parser.unreader.take_buffered() == b"next"
    assert body(fed([request_])[1][0].data) == read


def test_trailers_are_dropped():
    for pieces in ([TRAILERS], [bytes([byte]) for byte in TRAILERS]):
        incoming, found = fed(pieces)
        assert [each.data for each in found] == [CHUNKED] and incoming.is_empty


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 5\r\nContent-Length: 5\r\n",
        b"Content-Length: 5, 5\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: \xb2\r\n",
        b"Content-Length: 0x5\r\n",
        b"Content-Length:\r\n",
        b"Content-Length: 99999999999999999999999\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b"Transfer-Encoding: gzip\r\n",
        b"Content-Length: %d\r\n" % (LARGEST_BODY + 1),
    ],
)
def test_nothing_is_taken_for_a_request_behind_one_of_unclear_length(headers):
    incoming, found = fed([b"POST / HTTP/1.1\r\n" + headers + b"\r\n" + GET])
    assert [each.whole for each in found] == [False] and incoming.is_empty


def test_a_body_in_chunks_that_is_too_large_is_handed_over_with_enough_to_see_it():
    head = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    for size in (1000, LARGEST_BODY, 10**9):
        chunk = b"%x\r\n%s\r\n" % (size, b" " * min(size, 2 * LARGEST_BODY))
        incoming = Incoming()
        incoming.add(head)
        found = None
        while not found:
            incoming.add(chunk)
            found = incoming.take()
        assert not found.whole
        read = next(http.get_parser(Config(), [found.data], ("127.0.0.1", 1))).body
        assert len(read.read(LARGEST_BODY + 1)) == LARGEST_BODY + 1


@pytest.mark.parametrize(
    "rest",
    [
        b"x\r\n",
        b"\r\n",
        b"-1\r\n",
        b"0x1\r\na\r\n",
        b"1_0\r\n",
        b"1 \r\na\r\n",
        b"1;\r\r\na\r\n",
        b"1\r\nabc",
        b"1;" + b"a" * MOST_CHUNK_LINE + b"a",
        b"0\r\nA: " + b"a" * MOST_CHUNK_LINE,
        b"1\r\na\r\n" * (MOST_FRAMING // 5 + 1),
    ],
    ids=lambda rest: str(rest[:12]),
)
def test_malformed_chunks_are_refused(rest):
    with pytest.raises(Malformed):
        fed([b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + rest])


@pytest.mark.parametrize("bad", [b"GET / HTTP/1.1\n", b"\n", b"GET / HTTP/1.1\r\nA: b\nC: d\r\n"])
def test_lines_that_end_without_a_carriage_return_are_refused(bad):
    for pieces in ([bad], [bytes([byte]) for byte in bad]):
        with pytest.raises(Malformed):
            fed(pieces)


def test_an_endless_head_is_refused():
    with pytest.raises(HeadTooLong):
        fed([b"GET / HTTP/1.1\r\n"] + [b"A: b\r\n"] * MOST_HEAD)


def test_what_is_too_long_about_it_is_told():
    assert Config().limit_request_line == MOST_LINE
    rest = b"\r\n" + b"A: b\r\n" * MOST_HEAD
    for length, is_line in ((MOST_LINE, False), (MOST_LINE + 1, True), (MOST_HEAD + 1, True)):
        with pytest.raises(HeadTooLong) as told:
            fed([b"b" * length + rest])
        assert isinstance(told.value, LineTooLong) == is_line, length


@pytest.mark.parametrize(("request_", "expects"), [(SIZED, True), (CHUNKED, False)])
def test_whoever_waits_before_the_body_is_noticed(request_, expects):
    incoming = Incoming()
    incoming.add(request_.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
    assert incoming.take() is None and incoming.head.expects_continue is expects


@pytest.mark.parametrize("more", [b"", b"nonsense"])
def test_a_body_in_chunks_that_is_too_large_ends_wherever_it_was_cut(more):
    body = b" " * (LARGEST_BODY + 1) + more
    parts = [body[at : at + 8192] for at in range(0, len(body), 8192)]
    sent = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    sent += b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    for missing in range(6 + len(parts[-1]) + 1):
        incoming = Incoming()
        incoming.add(sent[: len(sent) - missing])
        found = incoming.take()
        assert found and not found.whole
        read = next(http.get_parser(Config(), [found.data], ("127.0.0.1", 1))).body
        assert len(read.read()) == LARGEST_BODY + 1
