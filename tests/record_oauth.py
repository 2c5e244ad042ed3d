"""The examples of openapi.yaml about signing in to a site of others."""

from __future__ import annotations

from typing import Any

from tests.contract import FORM
from tests.record_people import newcomer
from tests.support.oauth_client import OauthClient, code_in, form_token_in

Json = dict[str, Any]


def about_signing_in_elsewhere(recorder: Any) -> None:
    """A player signs in to a site, which gets a token and ends it; the site also sends wrong and repeated requests."""
    rin, site = newcomer(recorder, "りん"), OauthClient("https://client.example/tegami")
    page = recorder.call("getAuthorization", rin, query=site.request())
    form = {"form": form_token_in(page), **site.consent()}
    client = recorder.app.test_client(use_cookies=False)
    headers = {"Cookie": rin["cookie"], "Content-Type": FORM}
    sent_on = client.post("/oauth/authorize", data=form, headers=headers)
    exchange = site.exchange(code_in(sent_on.headers["Location"]))
    given = recorder.call("exchangeCode", body=exchange)
    end = {"token": given["access_token"], "client_id": site.client_id}
    recorder.call("endGivenToken", body=end)
    recorder.call("exchangeCode", body=exchange)
    recorder.call("getAuthorization", query={**site.request(), "response_type": "token"})
    recorder.call("getAuthorizationServer")
