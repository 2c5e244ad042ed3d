"""What is sent to invite others."""

from __future__ import annotations

from service.http.schemas.base import Body, language, page_size
from service.http.schemas.cursors import Cursor
from service.http.schemas.people import address


class NewInvitation(Body):
    """POST /games/{id}/invitations"""

    address = address(required=True)
    language = language()


class InvitationsQuery(Body):
    """GET /games/{id}/invitations and /me/invitations"""

    cursor = Cursor()
    limit = page_size(100, default=50)
