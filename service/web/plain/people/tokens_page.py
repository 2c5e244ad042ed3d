"""Tokens without scripts: those of programs, and those of sites and apps where the reader has signed in, each with a
form that revokes it.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.people.credentials import credentials, made_by_tokens
from service.web.http.caller.caller import caller_id, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.token_schemas import OwnTokens
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_tokens")


@bp.get("/tokens")
def get_plain_tokens() -> Response:
    """Show the reader's tokens, the oldest first. Raises NotSignedIn."""
    tokens = [
        {
            "id": row.id,
            "label": row.label,
            "client": row.client,
            "scopes": (row.scopes or "").split(),
            "created_at": rfc3339(row.created_at),
            "used_at": row.seen_at and rfc3339(row.seen_at),
            "expires_at": row.expires_at and rfc3339(row.expires_at),
        }
        for row in credentials.active(current_services(), caller_id(), "token")
    ]
    return plain_page("tokens.html", tokens=tokens)


@bp.post("/tokens")
@signed_in_by_cookie
@parse_form(OwnTokens)
def revoke_plain_token(body: Json) -> Response:
    """Revoke a token, together with everything that was made with it. Raises NotSignedIn, NotFound."""
    made_by_tokens.revoke(current_services(), signed_in_caller(), body["revoke"])
    return see("/plain/tokens")
