"""The envelopes of what people send to register, to sign in, and to say how they want to be treated."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.schemas import Body, StrictInteger, language, line
from service.settings import MAIL_KINDS

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+"
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = rf"{_ATOM}(\.{_ATOM})*@({_LABEL}\.)+[A-Za-z][A-Za-z0-9-]{{0,61}}[A-Za-z0-9]\Z"

SIGN_INS = ({"key"}, {"who", "password"}, {"mailed"})
"""What a sign-in may hold."""


def handle(**kwargs: Any) -> fields.String:
    """The name by which somebody signs in; capitals are read as small letters."""
    return fields.String(validate=validate.Regexp(r"[A-Za-z][A-Za-z0-9_-]{2,23}\Z"), **kwargs)


def address(**kwargs: Any) -> fields.String:
    """A mail address in ASCII, without a name."""
    return fields.String(validate=[validate.Length(6, 254), validate.Regexp(_ADDRESS)], **kwargs)


def password(**kwargs: Any) -> fields.String:
    """A password that somebody chooses."""
    return fields.String(validate=validate.Length(8, 200), **kwargs)


def typed_password(**kwargs: Any) -> fields.String:
    """A password that somebody says is theirs."""
    return fields.String(validate=validate.Length(1, 200), **kwargs)


def who(**kwargs: Any) -> fields.String:
    """A handle or an address."""
    return fields.String(validate=validate.Regexp(r"[!-~]{1,254}\Z"), **kwargs)


def mailed_key(**kwargs: Any) -> fields.String:
    """A key out of a mail."""
    return fields.String(validate=validate.Regexp(r"[0-9A-Za-z_.-]{40,400}\Z"), **kwargs)


class Day(fields.Field[date]):
    """`2026-12-24`"""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> date:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            raise ValidationError("Not a day.")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValidationError("Not a day.") from None


class SignIn(Body):
    """POST /sign-ins: by the secret link, by password, or by a mailed key."""

    key = line(100)
    who = who()
    password = typed_password()
    mailed = mailed_key()

    @validates_schema
    def one_way(self, data: dict[str, Any], **_more: Any) -> None:
        """Exactly one way to sign in."""
        given = set(data)
        if given in SIGN_INS:
            return
        way = next((each for each in SIGN_INS if each & given), SIGN_INS[0])
        missing = {name: ["Missing data for required field."] for name in sorted(way - given)}
        raise ValidationError(missing or {name: ["Unknown field."] for name in given - way})


class Registration(Body):
    """POST /me/registration"""

    handle = handle(required=True)
    address = address(required=True)
    password = password()


class NewPassword(Body):
    """PUT /me/password"""

    password = password(required=True)
    current_password = typed_password()


class NewAddress(Body):
    """PUT /me/address"""

    address = address(required=True)
    current_password = typed_password()


class NewLink(Body):
    """POST /links"""

    kind = fields.String(required=True, validate=validate.OneOf(["sign-in", "reset"]))
    who = who(required=True)


class Verification(Body):
    """POST /verifications"""

    key = mailed_key(required=True)


class PasswordReset(Body):
    """POST /password-resets"""

    key = mailed_key(required=True)
    password = password(required=True)


class Erasure(Body):
    """POST /me/erasure"""

    current_password = typed_password()


def distinct(values: list[Any]) -> None:
    """Nothing twice."""
    if len(set(values)) != len(values):
        raise ValidationError("Something stands there twice.")


class ChangedSettings(Body):
    """PATCH /me/settings"""

    language = language()
    time_zone = fields.String(validate=validate.Regexp(r"[A-Za-z][A-Za-z0-9_+/-]{0,39}\Z"))
    unwanted = fields.List(
        fields.String(validate=validate.OneOf(MAIL_KINDS)),
        validate=[validate.Length(0, len(MAIL_KINDS)), distinct],
    )
    reminders = fields.List(
        StrictInteger(validate=validate.Range(5, 20_160)),
        validate=[validate.Length(0, 5), distinct],
    )


class NewVacation(Body):
    """POST /me/vacations"""

    first = Day(required=True)
    last = Day(required=True)
