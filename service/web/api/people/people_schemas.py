"""The bodies for becoming a player, registering, signing in, and changing settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import partial
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from rules.kernel import Json
from service.people.accounts.preferences import CONFIRM_REPLIES, MAIL_KINDS, SEEN_BY
from service.people.credentials.credentials import DEFAULT_SCOPES, SCOPES
from service.people.credentials.password_rules import LONGEST, SHORTEST
from service.tables.clocks import vacations
from service.web.http.bodies.fields import Body, StrictBoolean, StrictInteger, language, line
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+"
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = rf"(?!.*=\?){_ATOM}(\.{_ATOM})*@({_LABEL}\.)+[A-Za-z][A-Za-z0-9-]{{0,61}}[A-Za-z0-9]\Z"

_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_HOURS = rf"{_TIME}-{_TIME}\Z"

WAYS_TO_SIGN_IN = ({"key"}, {"who", "password"}, {"mailed"})
"""The sets of members with which somebody can sign in."""

handle = partial(fields.String, validate=like(r"[A-Za-z][A-Za-z0-9_-]{2,23}\Z", "handle"))
"""The name with which somebody signs in; case does not matter."""
address = partial(fields.String, validate=[length(6, 254), like(_ADDRESS, "address")])
"""An email address in ASCII, without a display name and without anything that readers of headers decode."""
password = partial(fields.String, validate=length(SHORTEST, LONGEST))
"""A newly chosen password."""
typed_password = partial(fields.String, validate=length(1, LONGEST))
"""A password for signing in or for confirming."""
who = partial(fields.String, validate=like(r"[!-~]{1,254}\Z", "who"))
"""A handle or an address."""
time_zone = partial(fields.String, validate=like(r"[A-Za-z][A-Za-z0-9_+/-]{0,39}\Z", "time-zone"))
"""The name of a time zone."""
time_of_day = partial(fields.String, validate=like(rf"{_TIME}\Z", "digest"))
"""An hour and a minute."""
hours = partial(fields.String, validate=like(_HOURS, "quiet"))
"""The hours from one time of day to another."""
mailed_key = partial(fields.String, validate=like(r"[0-9A-Za-z_.-]{40,400}\Z", "mailed-key"))
"""The key in the link of an email."""
days_until_expiry = partial(StrictInteger, validate=between(1, 3650))
"""The number of days after which a token expires."""


def distinct(values: Sequence[object]) -> None:
    """Check that no entry is repeated. Raises ValidationError."""
    if len(set(values)) != len(values):
        raise Wrong("entries").alone()


def some_of(values: Collection[str], least: int = 1, **options: Any) -> fields.List[str]:
    """A field for a list of some of these values, at least `least` of them, each once."""
    item = fields.String(validate=one_of(values))
    return fields.List(item, validate=[length(least, len(values)), distinct], **options)


def day(value: object) -> date:
    """The date in a text such as `2026-12-24`. Raises ValidationError."""
    if not isinstance(value, str) or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise Wrong("day").alone()
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise Wrong("day").alone() from None


class NewPlayer(Body):
    """The body of POST /players."""

    name = line(40, required=True)
    language = language()
    token = line(60)
    scopes = some_of(SCOPES)
    expires_in_days = days_until_expiry()
    invitation = line(100)
    program = StrictBoolean()

    @validates_schema
    def terms_of_a_token(self, data: Json, **_options: object) -> None:
        """Check that scopes and an expiry are given only together with a token. Raises ValidationError."""
        given = data.keys() & {"scopes", "expires_in_days"}
        if given and "token" not in data:
            raise ValidationError({name: [Wrong("token-only")] for name in sorted(given)})


class ChangedPlayer(Body):
    """The body of PATCH /me."""

    name = line(40)
    language = language()
    program = StrictBoolean()


class Labelled(Body):
    """The body of requests that create something with a label of its owner's choice: POST /me/feeds, and others."""

    label = line(60, required=True)


class NewToken(Labelled):
    """The body of POST /me/tokens."""

    scopes = some_of(SCOPES, load_default=list(DEFAULT_SCOPES))
    expires_in_days = days_until_expiry()


class SignIn(Body):
    """The body of POST /sign-ins: by the secret link, by password, or by a mailed key."""

    key = line(100)
    who = who()
    password = typed_password()
    mailed = mailed_key()

    @validates_schema
    def one_way(self, data: Json, **_options: object) -> None:
        """Check that exactly one way to sign in is used. Raises ValidationError."""
        given = set(data)
        if given in WAYS_TO_SIGN_IN:
            return
        way = next((each for each in WAYS_TO_SIGN_IN if each & given), WAYS_TO_SIGN_IN[0])
        missing = {name: [Wrong("missing")] for name in sorted(way - given)}
        raise ValidationError(missing or {name: [Wrong("unknown")] for name in given - way})


class SecretLink(Body):
    """The body of POST /sign-ins/preview."""

    key = line(100, required=True)


class Registration(Body):
    """The body of POST /me/registration."""

    handle = handle(required=True)
    address = address(required=True)
    password = password()


class Confirmed(Body):
    """A confirmation with the password, if the caller has a password: POST /me/erasure, and others."""

    current_password = typed_password()


class NewPassword(Confirmed):
    """The body of PUT /me/password."""

    password = password(required=True)


class NewAddress(Confirmed):
    """The body of PUT /me/address."""

    address = address(required=True)


class NewLink(Body):
    """The body of POST /links."""

    kind = fields.String(required=True, validate=one_of(["sign-in", "reset"]))
    who = who(required=True)


class Verification(Body):
    """The body of POST /verifications and POST /address-rejections."""

    key = mailed_key(required=True)


class PasswordReset(Verification):
    """The body of POST /password-resets."""

    password = password(required=True)


class ChangedSettings(Body):
    """The body of PATCH /me/settings."""

    language = language()
    time_zone = time_zone()
    unwanted = some_of(MAIL_KINDS, 0)
    reminders = fields.List(
        StrictInteger(validate=between(5, 20_160)), validate=[length(0, 5), distinct]
    )
    quiet = hours(allow_none=True)
    digest = time_of_day(allow_none=True)
    confirm_replies = fields.String(validate=one_of(CONFIRM_REPLIES))
    only_move = StrictBoolean()
    ask_take_backs = StrictBoolean()
    on_leaderboards = StrictBoolean()
    ratings_for = fields.String(validate=one_of(SEEN_BY))
    page_for = fields.String(validate=one_of(SEEN_BY))
    show_hours = StrictBoolean()


def vacation_answers() -> fields.String:
    """The field for what answers for somebody on vacation; if it is missing, the same answers as on other days."""
    return fields.String(validate=one_of([*vacations.ANSWERS]), load_default=vacations.ALL)


class NewVacation(Body):
    """The body of POST /me/vacations."""

    first = fields.Raw(pre_load=day, required=True)
    last = fields.Raw(pre_load=day, required=True)
    answers = vacation_answers()
