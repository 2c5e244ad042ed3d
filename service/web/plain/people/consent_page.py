"""The page that asks a player whether a site or app may act for them. It works without scripts.

The browser is sent to the site or app only if the player presses a button: a wrong request is explained here, because
anybody can make one, with any address to which to return.
"""

from __future__ import annotations

from typing import NamedTuple

from authlib.oauth2 import OAuth2Error
from flask import Blueprint, Response, request

from rules.kernel import Json
from service.core.runtime.problems import InvalidAuthorizationRequest
from service.core.runtime.units import DAY
from service.core.words.words import phrases
from service.people.credentials.authorization_codes import TOKEN_WORKS_FOR
from service.people.credentials.redirect_uris import Client
from service.web.api.oauth import parameters
from service.web.api.oauth.authorization_server import SERVER, Grant, Request, asker
from service.web.http.caller.caller import caller, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import preferred_language
from service.web.http.headers.headers import CSP
from service.web.http.limits.rate_limits import limited
from service.web.http.problem_answers import document
from service.web.page.not_found import wants_html
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.token_schemas import Consent
from service.web.plain.people.entrance import entrance_page
from service.web.plain.plain_pages import plain_blueprint, plain_page

bp: Blueprint = plain_blueprint("oauth_consent", "/oauth")

_ASKED = (
    *("response_type", "client_id", "redirect_uri", "scope", "state"),
    *("code_challenge", "code_challenge_method"),
)
"""The parameters of a request for consent."""


class Asked(NamedTuple):
    """The checked request of a site or app."""

    grant: Grant
    client: Client
    query: str
    """The request, in the form of the query of this page."""

    @property
    def scopes(self) -> list[str]:
        """The scopes that the request asks for."""
        scopes: str = self.grant.request.scope
        return scopes.split()


class Refused(InvalidAuthorizationRequest):
    """A request that is refused, with the client to which to return if it is known who asks."""

    slug = InvalidAuthorizationRequest.slug

    def __init__(self, error: OAuth2Error, client: Client | None, state: str | None) -> None:
        super().__init__(error=error.error)
        self.described = error.description
        self.client, self.back = client, None
        if client is not None:
            error.state = state
            answer = SERVER.handle_error_response(None, error)
            self.back = with_issuer(answer).location


def with_issuer(answer: Response) -> Response:
    """The response to a client, with the address of this server in its redirect."""
    SERVER.execute_hook("after_create_authorization_response", answer)
    return answer


def read(query: str) -> Asked:
    """The checked request in a query. Raises Refused."""
    asked: parameters.Parameters = {}
    client = None
    try:
        asked = {name: value for name, value in parameters.read(query).items() if name in _ASKED}
        client = asker(asked.get("redirect_uri", ""))
        grant = SERVER.get_consent_grant(Request("GET", asked))
    except OAuth2Error as error:
        is_known = client if error.redirect_uri else None
        raise Refused(error, is_known, asked.get("state")) from None
    assert client is not None
    return Asked(grant, client, parameters.written(asked))


@bp.get("/authorize")
def get_authorization() -> Response:
    """Ask for consent or, if nobody is signed in, ask the reader to sign in first. Raises Refused."""
    asked = read(request.query_string.decode("latin-1"))
    words = phrases(preferred_language())
    if caller() is None:
        why = words.say(f"plain.consent.{asked.client.kind}", {"client": asked.client.name})
        return entrance_page(f"/oauth/authorize?{asked.query}", why=why)
    days = TOKEN_WORKS_FOR // DAY
    return leading_to(asked.client, plain_page("consent.html", asked=asked, days=days))


@bp.post("/authorize")
@limited("consents")
@signed_in_by_cookie
@parse_form(Consent)
def authorize(body: Json) -> Response:
    """Send the browser back to the site or app, with a code for a token, or without one. Raises Refused."""
    asked = read(body["request"])
    owner = signed_in_caller() if body["do"] == "allow" else None
    response: Response = SERVER.create_authorization_response(
        asked.grant.request, grant_user=owner, grant=asked.grant
    )
    return response


@bp.errorhandler(Refused)
def refuse(refused: Refused) -> Response:
    """A page for browsers, with a link that leads back if it is known who asks; otherwise the problem document."""
    response = document(refused)
    if wants_html():
        page = plain_page("consent_refused.html", refused=refused)
        response.set_data(page.get_data())
        response.mimetype = "text/html"
    return response


def leading_to(client: Client, page: Response) -> Response:
    """The page, whose forms may lead to this client's address besides our own pages."""
    own = CSP.replace("form-action 'self'", f"form-action 'self' {client.source}")
    page.headers["Content-Security-Policy"] = own
    return page
