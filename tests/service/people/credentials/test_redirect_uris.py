"""Redirect URIs: only those that lead to one place, which people are shown."""

from __future__ import annotations

import pytest

from service.people.credentials.redirect_uris import LONGEST, client_of

ALLOWED = {
    "https://client.example": ("site", "https://client.example"),
    "https://client.example/": ("site", "https://client.example"),
    "https://client.example:8443/a/b?c=d&e=%2Ff": ("site", "https://client.example:8443"),
    "https://client.example?c=d": ("site", "https://client.example"),
    "https://xn--bcher-kva.example/": ("site", "https://xn--bcher-kva.example"),
    "http://127.0.0.1:1/cb": ("device", "http://127.0.0.1:1"),
    "https://client.example:80/": ("site", "https://client.example:80"),
    "https://client.example:4430/": ("site", "https://client.example:4430"),
    "http://127.0.0.1:443/cb": ("device", "http://127.0.0.1:443"),
    "http://127.0.0.1:8080/cb": ("device", "http://127.0.0.1:8080"),
    "http://127.0.0.1/cb": ("device", "http://127.0.0.1"),
    "http://[::1]:65535/cb": ("device", "http://[::1]:65535"),
    "http://localhost:8080/": ("device", "http://localhost:8080"),
    "com.example.app:/cb": ("app", "com.example.app"),
    "com.example.app://cb?x=y": ("app", "com.example.app"),
}


@pytest.mark.parametrize("uri", ALLOWED)
def test_sites_devices_and_apps_are_told_apart(uri):
    assert client_of(uri) == ALLOWED[uri]


@pytest.mark.parametrize(
    ("uri", "source"),
    [
        ("https://client.example:8443/cb", "https://client.example:8443"),
        ("http://127.0.0.1:8123/cb", "http://127.0.0.1:8123"),
        ("http://[::1]:8123/cb", "http://*:8123"),
        ("com.example.app:/cb", "com.example.app:"),
    ],
)
def test_a_page_may_name_the_source_of_its_form(uri, source):
    """A policy has no words for an address of IPv6."""
    assert client_of(uri).source == source


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/cb",
        "//client.example/cb",
        "https:client.example/cb",
        "https:/client.example/cb",
        "https:///client.example/cb",
        "https://client.example//cb",
        "https:\\\\client.example/cb",
        "https://client.example\\@evil.example/",
        "https://client.example/\\evil.example",
        "https://client.example@evil.example/",
        "https://client.example:pass@evil.example/",
        "https://client.example/#fragment",
        "https://client.example/#",
        "https://client.example/cb ",
        "https://client.example/\n",
        "https://client.example\r\nX: y/",
        "https://client.example/\x00",
        "https://сlient.example/",
        "https://client.example/é",
        "https://client。example/",
        "https://client.example./",
        "https://.example/",
        "https://-client.example/",
        "https://client_.example/",
        "HTTPS://client.example/",
        "https://Client.example/",
        "https://client.example:443",
        "https://client.example:443/cb",
        "https://client.example:443?a=b",
        "https://client.example:0443/",
        "http://127.0.0.1:80/cb",
        "http://[::1]:80/cb",
        "http://localhost:80",
        "https://client.example:0/",
        "https://client.example:65536/",
        "https://client.example:/",
        "https://client.example:80x/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://client.example/%",
        "https://client.example/%zz",
        "https://client.example?",
        "https://client.example/?c",
        "https://client.example/?c=%ff",
        "https://client.example/?code=mine",
        "https://client.example/?a=b&state=mine",
        "https://client.example/?iss=mine",
        "https://client.example/?error=mine",
        "http://client.example/",
        "http://127.0.0.2/",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "http://127.0.0.1@evil.example/",
        "http://[::2]/",
        "http://[::ffff:127.0.0.1]/",
        "javascript:alert(1)",
        "javascript://client.example/%0aalert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:https://client.example/x",
        "file:///etc/passwd",
        "ftp://client.example/",
        "app:/cb",
        "com.example.app:",
        "com.example.app:cb",
        "com.example.app:///cb",
        "com.example.app://user@cb",
        "com.example.app:/cb#x",
        "COM.example.app:/cb",
        "1com.example:/cb",
        "https://client.example/" + "a" * LONGEST,
    ],
)
def test_what_could_lead_elsewhere_is_refused(uri):
    assert client_of(uri) is None
