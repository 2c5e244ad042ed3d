"""What is sent to invite others."""

from __future__ import annotations

from service.web.api.people_schemas import address
from service.web.http.bodies.cursors import Cursor
from service.web.http.bodies.fields import Body, language, page_size


class NewInvitation(Body):
    """POST /games/{id}/invitations"""

    address = address(required=True)
    language = language()


class InvitationsQuery(Body):
    """GET /games/{id}/invitations and /me/invitations"""

    cursor = Cursor()
    limit = page_size(100, default=50)
