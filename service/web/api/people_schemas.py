"""What people send to become players, to register, to sign in, and to change their settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from marshmallow import ValidationError, fields, missing, validates_schema

from rules.kernel import Json
from service.people.credentials.credentials import DEFAULT_SCOPES, SCOPES
from service.people.credentials.password_rules import LONGEST, SHORTEST
from service.people.preferences import MAIL_KINDS
from service.web.http.bodies.fields import (
    MAX_EVENT_NUMBER,
    Body,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    language,
    line,
    page_size,
)
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of
from service.web.http.limits.rate_limits import MOST_ENTRIES

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+"
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = rf"{_ATOM}(\.{_ATOM})*@({_LABEL}\.)+[A-Za-z][A-Za-z0-9-]{{0,61}}[A-Za-z0-9]\Z"

_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_QUIET = rf"{_TIME}-{_TIME}\Z"

WAYS_TO_SIGN_IN = ({"key"}, {"who", "password"}, {"mailed"})
"""The members of a sign-in."""


def handle(*, required: bool = False) -> fields.String:
    """The name by which somebody signs in, in capitals or small letters."""
    return fields.String(
        validate=like(r"[A-Za-z][A-Za-z0-9_-]{2,23}\Z", "handle"), required=required
    )


def address(*, required: bool = False) -> fields.String:
    """A mail address in ASCII, without a name."""
    return fields.String(validate=[length(6, 254), like(_ADDRESS, "address")], required=required)


def password(*, required: bool = False) -> fields.String:
    """A password that somebody chooses."""
    return fields.String(validate=length(SHORTEST, LONGEST), required=required)


def typed_password(*, required: bool = False) -> fields.String:
    """A password with which somebody signs in or confirms."""
    return fields.String(validate=length(1, LONGEST), required=required)


def who(*, required: bool = False) -> fields.String:
    """A handle or an address."""
    return fields.String(validate=like(r"[!-~]{1,254}\Z", "who"), required=required)


def time_zone() -> fields.String:
    """The name of a time zone."""
    return fields.String(validate=like(r"[A-Za-z][A-Za-z0-9_+/-]{0,39}\Z", "time-zone"))


def mailed_key(*, required: bool = False) -> fields.String:
    """The key in the link of a mail."""
    return fields.String(
        validate=like(r"[0-9A-Za-z_.-]{40,400}\Z", "mailed-key"), required=required
    )


def distinct(values: Sequence[object]) -> None:
    """No entry is repeated."""
    if len(set(values)) != len(values):
        raise Wrong("entries").alone()


def scopes(load_default: object = missing) -> fields.List[str]:
    """What a token may do."""
    return fields.List(
        fields.String(validate=one_of(SCOPES)),
        validate=[length(1, len(SCOPES)), distinct],
        load_default=load_default,
    )


def days_until_expiry() -> StrictInteger:
    """For how many days a token works."""
    return StrictInteger(validate=between(1, 3650))


class Day(fields.Field[date]):
    """`2026-12-24`"""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> date:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            raise Wrong("day").alone()
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise Wrong("day").alone() from None


class NewPlayer(Body):
    """POST /players"""

    name = line(40, required=True)
    language = language()
    token = line(60)
    scopes = scopes()
    expires_in_days = days_until_expiry()
    invitation = line(100)
    program = StrictBoolean()

    @validates_schema
    def terms_of_a_token(self, data: Json, **_options: object) -> None:
        """Only a token has scopes and expires."""
        given = data.keys() & {"scopes", "expires_in_days"}
        if given and "token" not in data:
            raise ValidationError({name: [Wrong("token-only")] for name in sorted(given)})


class ChangedPlayer(Body):
    """PATCH /me"""

    name = line(40)
    language = language()
    program = StrictBoolean()


class NewToken(Body):
    """POST /me/tokens"""

    label = line(60, required=True)
    scopes = scopes(load_default=list(DEFAULT_SCOPES))
    expires_in_days = days_until_expiry()


class NewFeed(Body):
    """POST /me/feeds"""

    label = line(60, required=True)


class SignIn(Body):
    """POST /sign-ins: by the secret link, by password, or by a mailed key."""

    key = line(100)
    who = who()
    password = typed_password()
    mailed = mailed_key()

    @validates_schema
    def one_way(self, data: Json, **_options: object) -> None:
        """Exactly one way to sign in."""
        given = set(data)
        if given in WAYS_TO_SIGN_IN:
            return
        way = next((each for each in WAYS_TO_SIGN_IN if each & given), WAYS_TO_SIGN_IN[0])
        missing = {name: [Wrong("missing")] for name in sorted(way - given)}
        raise ValidationError(missing or {name: [Wrong("unknown")] for name in given - way})


class SecretLink(Body):
    """POST /sign-ins/preview"""

    key = line(100, required=True)


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

    kind = fields.String(required=True, validate=one_of(["sign-in", "reset"]))
    who = who(required=True)


class Verification(Body):
    """POST /verifications and POST /address-rejections"""

    key = mailed_key(required=True)


class PasswordReset(Body):
    """POST /password-resets"""

    key = mailed_key(required=True)
    password = password(required=True)


class Erasure(Body):
    """POST /me/erasure"""

    current_password = typed_password()


def time_of_day(*, allow_none: bool = False) -> fields.String:
    """An hour and a minute."""
    return fields.String(validate=like(rf"{_TIME}\Z", "digest"), allow_none=allow_none)


class ChangedSettings(Body):
    """PATCH /me/settings"""

    language = language()
    time_zone = time_zone()
    unwanted = fields.List(
        fields.String(validate=one_of(MAIL_KINDS)),
        validate=[length(0, len(MAIL_KINDS)), distinct],
    )
    reminders = fields.List(
        StrictInteger(validate=between(5, 20_160)),
        validate=[length(0, 5), distinct],
    )
    quiet = fields.String(validate=like(_QUIET, "quiet"), allow_none=True)
    digest = time_of_day(allow_none=True)


class NewVacation(Body):
    """POST /me/vacations"""

    first = Day(required=True)
    last = Day(required=True)


class ChangesQuery(Body):
    """GET /api/me/changes"""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    limit = page_size(MOST_ENTRIES, MOST_ENTRIES)
