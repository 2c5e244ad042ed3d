"""The forms about tokens: agreeing to a site or app that asks for one, and revoking one."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validates_schema

from rules.kernel import Json
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import Wrong, length, one_of
from service.web.plain.forms.form_schemas import ticked


class Consent(Body):
    """The form of POST /oauth/authorize."""

    request = fields.String(validate=length(1, 6000), required=True)
    do = fields.String(required=True, validate=one_of(["allow", "refuse"]))
    agreed = ticked()

    @validates_schema(skip_on_field_errors=True)
    def is_agreed(self, data: Json, **_options: object) -> None:
        """Check that the box is ticked: one press of a button, perhaps meant for another window, is not enough. Raises
        ValidationError.
        """
        if data["do"] == "allow" and not data["agreed"]:
            raise ValidationError({"agreed": [Wrong("missing")]})


class OwnTokens(Body):
    """The form of POST /plain/tokens."""

    revoke = shared_fields.identifier("k", required=True)
