"""The envelopes of what people send to invite others and to play again."""

from __future__ import annotations

from marshmallow import fields, validate

from service.schemas import Body, QueryInteger, StrictBoolean, language, nonce
from service.schemas_people import address


class NewInvitation(Body):
    """POST /games/{id}/invitations"""

    address = address(required=True)
    language = language()


class InvitationsQuery(Body):
    """GET /games/{id}/invitations and /me/invitations"""

    cursor = fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,17}\Z"))
    limit = QueryInteger(validate=validate.Range(1, 100), load_default=50)


class NewRematch(Body):
    """POST /games/{id}/rematch"""

    nonce = nonce()


class NewResignation(Body):
    """POST /games/{id}/resignation"""

    for_good = StrictBoolean(load_default=False)


class NewStart(Body):
    """POST /games/{id}/start"""

    house = StrictBoolean(load_default=False)
