"""The audit log of requests: sign-ins, changes of credentials, and requests refused for lack of rights or by a limit.

Each is one line: the operation (of openapi.yaml), the outcome, the player, and the network. Players are identified by
their ids; typed handles and addresses, and networks, by keyed digests, which show only whether two are the same.
Nothing that a caller wrote is logged.
"""

from __future__ import annotations

from flask import Response, g, request

from service.core.runtime import log_files
from service.web.http.caller.caller import SAFE_METHODS
from service.web.http.limits.cause import keyed_id, network_id
from service.web.http.routes import rule

AREAS = {"accounts", "sign_ins", "tokens", "webhooks", "push", "plain_entrance", "plain_me"}
AREAS |= {"oauth_consent", "oauth_tokens", "plain_tokens"}
"""The blueprints in which everything that changes something is logged."""
OTHERS = {"accounts.export_me", "me.make_link", "me.make_player"}
"""The further endpoints that are logged."""
REFUSALS = {401, 403, 429}
"""The statuses that are logged for every endpoint."""


def about(player_id: str) -> None:
    """Note which player the request is about, for a caller who is not signed in before it."""
    g.audited = player_id


def note(response: Response) -> Response:
    """Log this response if it belongs in the audit log, and return it."""
    changes = request.method not in SAFE_METHODS
    on_credentials = request.endpoint in OTHERS or (changes and request.blueprint in AREAS)
    if on_credentials or response.status_code in REFUSALS:
        caller, typed = g.get("caller"), g.get("body", {}).get("who")
        login = typed.lower() if isinstance(typed, str) else None
        log_files.audit(
            f"{request.method} {rule()}" if request.url_rule else "",
            g.get("problem", "done"),
            who=g.get("audited") or (caller.id if caller else None),
            login=login and keyed_id("l", "login", login),
            network=network_id(),
        )
    return response
