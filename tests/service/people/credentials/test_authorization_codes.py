"""Two requests with one code at once: one gets a token, the other ends it, on either database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from service.people.credentials import authorization_codes
from tests.support.oauth_client import OauthClient, agreed, exchanged

AT_ONCE = 4
CLIENT = OauthClient()


@pytest.mark.both_databases
def test_of_several_requests_at_once_exactly_one_wins(app, cast, monkeypatch):
    """All have found the code unused before any uses it up."""
    code, found = agreed(cast.alice, CLIENT), Barrier(AT_ONCE, timeout=60)
    claim = authorization_codes.exchange

    def together(runtime, row):
        found.wait()
        return claim(runtime, row)

    monkeypatch.setattr(authorization_codes, "exchange", together)
    with ThreadPoolExecutor(AT_ONCE) as clients:
        answers = list(clients.map(lambda _: exchanged(app, CLIENT, code), range(AT_ONCE)))
    assert sorted(each.status_code for each in answers) == [200] + [400] * (AT_ONCE - 1)
    errors = {each.json["error"] for each in answers if each.status_code == 400}
    assert errors == {"invalid_grant"}
    assert cast.alice.get("/api/me/tokens")["tokens"] == []
