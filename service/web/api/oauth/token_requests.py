"""Requests that clients themselves send: exchanging a code for a token, ending a token, and reading the server's
abilities.

Pages of other sites send them, so cookies are ignored, and every site may read the responses.
"""

from __future__ import annotations

from collections.abc import Callable

from authlib.oauth2 import OAuth2Error
from flask import Blueprint, Response, request

from rules.kernel import Json
from service.core.runtime.problems import UnsupportedMediaType
from service.core.words.words import LANGUAGES
from service.people.credentials.credentials import SCOPES
from service.web.api.oauth import parameters
from service.web.api.oauth.authorization_server import SERVER, Request
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits.rate_limits import limited

bp = Blueprint("oauth_tokens", __name__)


@bp.post("/oauth/token")
@from_anywhere
@limited("exchanges")
def exchange_code() -> Response:
    """Exchange a code for a token. Raises UnsupportedMediaType."""
    return _answered(SERVER.create_token_response)


@bp.post("/oauth/revoke")
@from_anywhere
@limited("exchanges")
def end_given_token() -> Response:
    """End a token. Raises UnsupportedMediaType."""
    answer = _answered(lambda given: SERVER.create_endpoint_response("revocation", given))
    return Response(status=200) if answer.status_code == 200 else answer


def _answered(answer: Callable[[Request], Response]) -> Response:
    """The response that `answer` makes to the parameters in the body, or the error response for a body that cannot be
    read. Raises UnsupportedMediaType.
    """
    if request.mimetype != "application/x-www-form-urlencoded":
        raise UnsupportedMediaType
    try:
        given = Request("POST", parameters.read(request.get_data().decode("latin-1")))
    except OAuth2Error as error:
        return SERVER.handle_error_response(None, error)
    return answer(given)


@bp.get("/.well-known/oauth-authorization-server")
def get_authorization_server() -> Json:
    """Describe the server's abilities, as metadata of RFC 8414."""
    address = current_services().config.public_url
    return {
        "issuer": address,
        "authorization_endpoint": f"{address}/oauth/authorize",
        "token_endpoint": f"{address}/oauth/token",
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint": f"{address}/oauth/revoke",
        "revocation_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "ui_locales_supported": list(LANGUAGES),
        "service_documentation": f"{address}/docs/clients",
    }
