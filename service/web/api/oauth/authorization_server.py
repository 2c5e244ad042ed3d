"""The authorization server: the checks of Authlib, connected to our codes, tokens and scopes.

Clients are public and not registered: any `client_id` is accepted, and proves nothing. The redirect URI identifies the
client.
"""

from __future__ import annotations

import re

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import AuthorizationServer, ClientMixin, OAuth2Request
from authlib.oauth2.rfc6749.errors import (
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Response, g, jsonify

from rules.kernel import Json
from service.core.models.people import AuthorizationCode
from service.core.runtime.problems import NotSignedIn
from service.core.runtime.units import SECOND
from service.people.credentials import authorization_codes, credentials, made_by_tokens
from service.people.credentials.authorization_codes import TOKEN_WORKS_FOR, Wish
from service.people.credentials.credentials import DEFAULT_SCOPES, SCOPES, Caller, Site
from service.people.credentials.redirect_uris import Client, client_of
from service.web.api.oauth.parameters import Parameters
from service.web.http import audit_log
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import our_origins

_CHALLENGE = re.compile("[A-Za-z0-9_-]{43}", re.ASCII)


class PublicClient(ClientMixin):  # type: ignore[misc]
    """A client that is not registered and has no secret."""

    def __init__(self, client_id: str) -> None:
        self.client_id = client_id

    def get_client_id(self) -> str:
        """The id that the client gives itself."""
        return self.client_id

    def get_default_redirect_uri(self) -> None:
        """None: no address is known beforehand."""

    def get_allowed_scope(self, scope: str | None) -> str:
        """The requested scopes, or the scopes that a token has by default."""
        return credentials.in_order(scope.split() if scope else DEFAULT_SCOPES)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether browsers may be sent to this address."""
        return asker(redirect_uri) is not None

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Whether clients may identify themselves by `method`: only without a secret."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Whether clients may ask for a response of this type."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether clients may get tokens in this way."""
        return grant_type == "authorization_code"


def asker(redirect_uri: str) -> Client | None:
    """The client with this redirect URI; None if the URI is not allowed, or leads to our own pages."""
    client = client_of(redirect_uri)
    return None if client is None or client.name in our_origins() else client


class Request(OAuth2Request):  # type: ignore[misc]
    """A request whose parameters have been read."""

    def __init__(self, method: str, parameters: Parameters) -> None:
        # the operator decides whether the server is reached by https
        super().__init__(method, "https://localhost/")
        self.payload = BasicOAuth2Payload(parameters)

    @property
    def form(self) -> Parameters:
        """The parameters of the body."""
        found: Parameters = self.payload.data
        return found


class Grant(AuthorizationCodeGrant):  # type: ignore[misc]
    """The grant of a code, and its exchange for a token."""

    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def generate_authorization_code(self) -> str:
        """A new code for everything to which the player has agreed."""
        asked, owner = self.request.payload.data, self.request.user
        client = asker(asked["redirect_uri"])
        assert client is not None and isinstance(owner, Caller)
        wish = Wish(
            *(client.name, asked["client_id"], asked["redirect_uri"]),
            *(self.request.scope, asked["code_challenge"]),
        )
        return authorization_codes.create(current_services(), owner, wish)

    def save_authorization_code(self, code: str, request: OAuth2Request) -> None:
        """Do nothing: the code was saved when it was made."""

    def query_authorization_code(self, code: str, client: PublicClient) -> StoredCode | None:
        """The code, if this client requested it; otherwise None."""
        found = authorization_codes.find(code)
        return StoredCode(found) if found and found.client_id == client.client_id else None

    def authenticate_user(self, code: StoredCode) -> str:
        """The id of the player who has agreed."""
        return code.row.player_id

    def generate_token(self, **_terms: object) -> Json:
        """The token for the code, which is used up. Raises InvalidGrantError."""
        code: AuthorizationCode = self.request.authorization_code.row
        audit_log.about(code.player_id)
        made = authorization_codes.exchange(current_services(), code)
        if made is None:
            raise InvalidGrantError("Invalid 'code' in request.")
        return {
            "access_token": made.secret,
            "token_type": "Bearer",
            "expires_in": TOKEN_WORKS_FOR // SECOND,
            "scope": made.row.scopes,
        }

    def save_token(self, token: Json) -> None:
        """Do nothing: the token was saved when the code was used up."""

    def delete_authorization_code(self, code: StoredCode) -> None:
        """Do nothing: it stays for a while, so that using it again is noticed."""


class StoredCode:
    """A code as Authlib reads it."""

    code_challenge_method = "S256"

    def __init__(self, row: AuthorizationCode) -> None:
        self.row, self.code_challenge = row, row.challenge

    def get_redirect_uri(self) -> str:
        """The redirect URI with which the code was requested."""
        return self.row.redirect_uri

    def get_scope(self) -> str:
        """The scopes to which the player has agreed."""
        return self.row.scopes


class Challenge(CodeChallenge):  # type: ignore[misc]
    """The proof that the client that exchanges a code is the one that requested it: always required, and always by a
    digest.
    """

    def validate_code_challenge(self, grant: Grant, redirect_uri: str) -> None:
        """Raise InvalidRequestError without an S256 challenge."""
        asked = grant.request.payload.data
        if asked.get("code_challenge_method") != "S256":
            raise InvalidRequestError("The 'code_challenge_method' has to be S256.")
        if not _CHALLENGE.fullmatch(asked.get("code_challenge", "")):
            raise InvalidRequestError("The 'code_challenge' has to be a SHA-256 in base64url.")


class Issuer(IssuerParameter):  # type: ignore[misc]
    """The parameter that names this server in every redirect to a client (RFC 9207)."""

    def get_issuer(self) -> str:
        """The address of this server."""
        return current_services().config.public_url


class GivenToken:
    """A token in the form in which Authlib revokes it."""

    def __init__(self, owner: Caller, site: Site | None) -> None:
        self.owner, self.site = owner, site

    def check_client(self, client: PublicClient) -> bool:
        """Whether the token was given to this client, or made with such a token."""
        return self.site is not None and self.site.client_id == client.client_id


class Revocation(RevocationEndpoint):  # type: ignore[misc]
    """The revocation of a token by the client that has it (RFC 7009)."""

    CLIENT_AUTH_METHODS = ["none"]

    def query_token(self, secret: str, _hint: str | None) -> GivenToken | None:
        """The token with this secret; None if it has ended."""
        try:
            owner = credentials.authenticate(current_services(), secret, "token")
        except NotSignedIn:
            return None
        audit_log.about(owner.id)
        return GivenToken(owner, credentials.site_of(owner.credential))

    def revoke_token(self, token: GivenToken, _request: OAuth2Request) -> None:
        """End the token, and everything made with it."""
        made_by_tokens.end(current_services().now(), token.owner.id, token.owner.credential)


class Server(AuthorizationServer):  # type: ignore[misc]
    """The authorization server of this service."""

    def query_client(self, client_id: str) -> PublicClient:
        """The client with this id, whatever the id is."""
        return PublicClient(client_id)

    def validate_requested_scope(self, scope: str | None) -> None:
        """Raise InvalidScopeError for unknown scopes, and for white space instead of scopes."""
        if scope and not scope.split():
            raise InvalidScopeError
        super().validate_requested_scope(scope)

    def create_oauth2_request(self, request: Request) -> Request:
        """The request itself, unchanged."""
        return request

    def handle_response(
        self, status: int, body: Json | str, headers: list[tuple[str, str]]
    ) -> Response:
        """A response with this status, body and headers. A redirect makes the browser continue with a GET, so that no
        form is sent to the client.
        """
        response = jsonify(body) if isinstance(body, dict) else Response(body)
        response.status_code = 303 if status == 302 else status
        for name, value in headers:
            response.headers[name] = value
        return response

    def handle_error_response(self, _request: Request | None, error: OAuth2Error) -> Response:
        """The response to an OAuth error."""
        g.problem = error.error  # for the audit log
        return self.handle_response(*error())

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Do nothing, because nobody listens to the signals."""


def made() -> Server:
    """The server, with every grant and endpoint that it supports."""
    server = Server(SCOPES)
    server.register_grant(Grant, [Challenge(required=True)])
    server.register_endpoint(Revocation)
    server.register_extension(Issuer())
    return server


SERVER = made()
