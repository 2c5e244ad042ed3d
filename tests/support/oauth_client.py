"""Another site or app, at which people sign in with Tegami."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from flask import Flask

from tests.support.cast import Person

VERIFIER = "a-verifier-that-no-one-else-has-0123456789-ABCDEF"
SITE = "https://client.example/cb"
ELSEWHERE = {"Origin": "https://client.example", "Sec-Fetch-Site": "cross-site"}
"""The headers that a browser adds to a request from a page of the client."""


def challenge_of(verifier: str) -> str:
    """The challenge of a verifier (RFC 7636)."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


class OauthClient:
    """The requests of a client."""

    def __init__(self, redirect_uri: str = SITE, client_id: str = "client.example") -> None:
        self.redirect_uri, self.client_id, self.verifier = redirect_uri, client_id, VERIFIER

    def request(self, **changed: str | None) -> dict[str, str]:
        """The parameters with which the client sends a browser to Tegami; None leaves one out."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "read play",
            "state": "the state of the site",
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
        }
        return {name: value for name, value in {**asked, **changed}.items() if value is not None}

    def address(self, **changed: str | None) -> str:
        """The address to which the client sends the browser."""
        return f"/oauth/authorize?{urlencode(self.request(**changed))}"

    def consent(self, **changed: str | None) -> dict[str, str]:
        """The fields of the page's form, except its token."""
        return {"do": "allow", "agreed": "yes", "request": urlencode(self.request(**changed))}

    def exchange(self, code: str, /, **changed: str) -> dict[str, str]:
        """The parameters with which the client exchanges a code."""
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        return {**given, **changed}


def form_token_in(page: str) -> str:
    """The token of the forms of a page."""
    token, *_ = re.findall(r'name="form" value="([^"]+)"', page)
    return unescape(token)


def code_in(location: str) -> str:
    """The code with which a browser is sent back."""
    return answer_in(location)["code"]


def answer_in(location: str) -> dict[str, str]:
    """The parameters with which a browser is sent back."""
    given = parse_qs(urlsplit(location).query, keep_blank_values=True, strict_parsing=True)
    assert all(len(values) == 1 for values in given.values()), location
    return {name: value for name, (value,) in given.items()}


def agreed(person: Any, client: OauthClient, **changed: str | None) -> str:
    """The code with which the browser of this person, who agrees, is sent back."""
    return code_in(answered(person, client, **changed))


def answered(person: Any, client: OauthClient, do: str = "allow", **changed: str | None) -> str:
    """The address to which the button of the page sends the browser of this person."""
    page = person.get(client.address(**changed)).decode()
    form = {"form": form_token_in(page), **client.consent(**changed), "do": do}
    answer = person.send("POST", "/oauth/authorize", data=form)
    assert answer.status_code == 303, answer.get_data(as_text=True)
    location: str = answer.headers["Location"]
    return location


def exchanged(app: Flask, client: OauthClient, code: str, /, **changed: str) -> Any:
    """The response to a client that exchanges a code from its own page."""
    form = client.exchange(code, **changed)
    http = app.test_client(use_cookies=False)
    return http.post("/oauth/token", data=form, headers=ELSEWHERE)


def program_of(app: Flask, person: Any, client: OauthClient, **changed: str | None) -> Person:
    """A client to which this person has signed in."""
    answer = exchanged(app, client, agreed(person, client, **changed))
    assert answer.status_code == 200, answer.json
    made = Person(app)
    made.headers["Authorization"] = f"Bearer {answer.json['access_token']}"
    return made
