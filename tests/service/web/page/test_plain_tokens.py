"""Tokens on a page without scripts."""

from __future__ import annotations

from tests.support.cast import Person, sqlite_only
from tests.support.form_reader import FormReader
from tests.support.oauth_client import (
    OauthClient,
    code_in,
    exchanged,
    form_token_in,
)

pytestmark = sqlite_only
CLIENT = OauthClient()


def test_tokens_are_listed_and_revoked_without_scripts(app):
    """The token of a site is listed with its address, and with what was made with it."""
    reader = FormReader(app)
    reader.open(CLIENT.address(scope="account read"))
    reader.send("Play with this name", name="Dora")
    reader.open("/plain/me")
    assert "There are none." in reader.follow("Tokens for programs").text
    form = reader.open(CLIENT.address(scope="account read"))
    fields = {"form": form_token_in(form.html), **CLIENT.consent(scope="account read")}
    sent = reader.http.post("/oauth/authorize", data=fields, headers=reader.headers)
    given = exchanged(app, CLIENT, code_in(sent.headers["Location"])).json["access_token"]
    program = Person(app)
    program.headers["Authorization"] = f"Bearer {given}"
    made = program.post("/api/me/tokens", {"label": "more", "scopes": ["read"]})["token"]
    page = reader.open("/plain/tokens")
    assert page.text.count("For https://client.example, where you signed in with Tegami") == 2
    assert "See my tables, Settings and all data" in page.text and "Works until" in page.text
    assert "There are none." in reader.send("Revoke https://client.example").text
    for secret in (given, made["secret"]):
        program.headers["Authorization"] = f"Bearer {secret}"
        program.refused("GET", "/api/me", "not-signed-in")


def test_nobody_revokes_what_is_anothers(app, cast):
    (token,) = cast.bob.get("/api/me/tokens")["tokens"]
    form = {"form": form_token_in(cast.alice.get("/plain/me").decode()), "revoke": token["id"]}
    assert cast.alice.send("POST", "/plain/tokens", data=form).status_code == 404
    form["form"] = ""
    cast.alice.refused("POST", "/plain/tokens", "wrong-form", data=form)
    cast.nobody.refused("GET", "/plain/tokens", "not-signed-in")
    cast.bob.get("/api/me")
