"""Raw bytes from a socket: whatever is in headers and paths, nothing crashes, and no header moves the application's
root.
"""

from __future__ import annotations

import socket

from tests.support.servers.remote import Remote

NAMES = (
    *("Accept", "Accept-Language", "Authorization", "Content-Type", "Cookie", "Forwarded", "Host"),
    *("If-Modified-Since", "If-None-Match", "Invitation", "Origin", "Range", "Sec-Fetch-Site"),
    *("User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "SCRIPT-NAME"),
    *("SCRIPT_NAME", "PATH_INFO", "REMOTE_ADDR", "wsgi.url_scheme"),
)
VALUES = (
    *(b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"tegami=\xff", b"Bearer \xff", b'"\xff', b"http://["),
    *(b"a\x80,b;q=\xb2", b"[%ff"),
)
REST = ((b"Host", b"a"), (b"Content-Type", b"application/json"), (b"If-None-Match", b'"a"'))
"""The other headers of a request."""
PATHS = (
    *(
        b"/\xff",
        b"/%ff",
        b"/%00",
        b"/%",
        b"/%zz",
        b"//",
        b"/\\",
        b"/..",
        b"/%c0%ae/",
        b"/app.js%00",
    ),
    *(
        b"/api/games/\xff",
        b"/api/games/%ed%a0%80",
        b"/api/words/\xff",
        b"/rules/\xff%ff",
        b"/?\xff",
    ),
    *(b"/moves/\xff", b"/votes/%ff", b"/invitations/\xff.\xff", b"/unsubscribe?link=\xff.%ff%00"),
    *(b"/api/games?cursor=\xff", b"/api/games?\xff=1", b"/problems/\xff", b"/mailbox/%ff", b"*"),
    *(b"http://[", b"http://[::1", b"http://\xff/", b"https://a:b/", b"\xff", b"a:443"),
)


def status(server, method, path, *headers, body=b""):
    """The status with which a request is answered; 0: the connection ends without one."""
    lines = [
        b"%s %s HTTP/1.1" % (method, path),
        b"Connection: close",
        b"Content-Length: %d" % len(body),
        *(b"%s: %s" % header for header in headers),
    ]
    with socket.create_connection(("127.0.0.1", server.port), 20) as client:
        client.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        answer = b""
        while part := client.recv(65536):
            answer += part
    return int(answer.split(b" ", 2)[1]) if answer else 0


def test_odd_bytes_in_headers_are_no_crash(server):
    game = b"/api/games/" + Remote(server.url, "Alice").open().encode()
    for name in NAMES:
        for value in VALUES:
            header = (name.encode(), value)
            rest = [each for each in REST if each[0] != header[0]]
            assert status(server, b"GET", game, header, *rest) in {200, 304, 400, 401, 404}, header
            made = status(server, b"POST", b"/api/players", header, *rest, body=b'{"name": "Bo"}')
            assert made in {201, 400, 401, 403, 415}, header
    assert '"crash"' not in server.logged()


def test_odd_bytes_in_paths_are_no_crash(server):
    for path in PATHS:
        for method in (b"GET", b"POST"):
            answered = status(server, method, path, (b"Host", b"localhost"))
            assert answered == 0 or 200 <= answered < 500, path
    assert '"crash"' not in server.logged()


def test_a_client_does_not_say_where_the_application_begins(server):
    """Otherwise a header could lead around the restrictions of a proxy in front."""
    for name in (b"SCRIPT_NAME", b"SCRIPT-NAME", b"Script_Name", b"PATH_INFO", b"PATH-INFO"):
        for path, told in ((b"/x/api/rulesets", 404), (b"/api/rulesets", 200)):
            for value in (b"/x", b"/api", b"/x/api/rulesets"):
                assert status(server, b"GET", path, (b"Host", b"a"), (name, value)) == told
