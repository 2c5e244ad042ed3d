"""The addresses to which something may be sent: only on the public internet, whatever a name or an address pretends to
be.
"""

from __future__ import annotations

import pytest

from service.notifications.receivers.addresses import Forbidden, is_public, parse, vetted
from tests.support.in_one_go import in_one_go

HOOK = parse("https://bot.example/hook", anywhere=False)


@in_one_go(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",  # metadata of clouds …
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "0.0.0.0",
        "100.64.0.1",
        "198.18.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "3fff::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fc00::1",
        "ff02::1",
        "4000::1",
        "bot.example",
        "",
    ],
)
def test_what_is_not_public_is_never_dialled(address):
    assert not is_public(address)
    with pytest.raises(Forbidden):
        vetted(HOOK, lambda host, port: ["8.8.8.8", address], anywhere=False)


@in_one_go("address", ["8.8.8.8", "1.1.1.1", "::ffff:8.8.8.8", "2606:4700::1111"])
def test_what_is_public_is_dialled(address):
    assert vetted(HOOK, lambda host, port: [address], anywhere=False) == address


def test_a_name_without_an_address():
    with pytest.raises(OSError, match="without"):
        vetted(HOOK, lambda host, port: [], anywhere=False)


def test_a_server_that_is_being_developed_sends_anywhere():
    there = parse("http://127.0.0.1:5000/hook?a=1", anywhere=True)
    assert (there.scheme, there.host, there.port, there.path) == (
        *("http", "127.0.0.1", 5000),
        "/hook?a=1",
    )
    assert vetted(there, lambda host, port: [host], anywhere=True) == "127.0.0.1"


@in_one_go(
    "url, authority, path",
    [
        ("https://Bot.Example", "bot.example", "/"),
        ("https://bot.example:443/a/b?c=d", "bot.example", "/a/b?c=d"),
        ("https://bot.example:8443/?a", "bot.example:8443", "/?a"),
        ("https://[2606:4700::1111]:8443/x", "[2606:4700::1111]:8443", "/x"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", "/"),
    ],
)
def test_the_parts_of_an_address(url, authority, path):
    found = parse(url, anywhere="[" in url)
    assert (found.authority, found.path) == (authority, path)


@in_one_go(
    "host",
    [
        *("127.0.0.1", "10.0.0.1", "127.1", "0.0.0.0", "169.254.169.254", "[::1]"),
        *("[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.0x1"),
    ],
)
def test_a_number_that_is_not_public_is_refused_before_anything_is_sent(host):
    with pytest.raises(Forbidden):
        parse(f"https://{host}/hook", anywhere=False)
    assert parse(f"https://{host}/hook", anywhere=True)


@in_one_go("host", ["8.8.8.8", "[2606:4700::1111]", "127.0.0.1.example.org"])
def test_a_public_number_is_an_address_like_a_name(host):
    assert parse(f"https://{host}/hook", anywhere=False)
