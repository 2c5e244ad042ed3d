"""How often people agree, and clients exchange, is limited; agreeing is the only thing that writes a row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.web.app import create_app
from service.web.http.limits.rate_limits import rate
from tests.contract import CheckedClient
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump
from tests.support.oauth_client import OauthClient, form_token_in
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only
CLIENT = OauthClient()


@pytest.fixture
def app(config, runtime):
    app = create_app(replace(config, rate_limits=True), runtime)
    app.test_client_class = CheckedClient
    yield app
    disconnect(app)


def test_agreeing_has_a_budget(app):
    alice, (most, _) = Person(app, "alice"), rate("consents")
    page = alice.get(CLIENT.address()).decode()
    form = {"form": form_token_in(page), **CLIENT.consent()}
    sent = [alice.send("POST", "/oauth/authorize", data=form).status_code for _ in range(most + 1)]
    assert sent == [303] * most + [429]
    assert len(dump(app)["authorization_codes"]) == most


def test_exchanging_has_a_budget(app):
    http, (most, _) = app.test_client(), rate("exchanges")
    sent = [http.post("/oauth/token", data={"a": "b"}).status_code for _ in range(most)]
    sent.append(http.post("/oauth/revoke", data={"a": "b"}).status_code)
    assert sent == [400] * most + [429]
