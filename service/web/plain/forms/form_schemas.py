"""What the forms of the pages without scripts send, and the queries of these pages."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import ValidationError, fields, validates_schema

from rules.kernel import Json
from rules.players.levels import USUAL
from service.outbox import digests
from service.people.preferences import CONFIRM_REPLIES, MAIL_KINDS
from service.tables.clocks.arithmetic import PRESETS
from service.tables.talk.messages import LONGEST_MESSAGE
from service.web.api import people_schemas
from service.web.api.games.game_schemas import IS_LEVEL
from service.web.api.games.talk_schemas import channel, text
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.cursors import Cursor
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger
from service.web.http.bodies.strict_json import parse
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of
from service.web.page.page_schemas import StepQuery
from service.web.plain.forms.form_bodies import ANYWAY

LONGEST_ACTION = 20_000
"""Characters of an action as JSON."""
LONGEST_LINK = 600
"""Characters of a link, or of the key in it, that somebody pastes."""

MAIL_BOXES = {f"mail-{kind}": kind for kind in MAIL_KINDS if kind != digests.KIND}
"""The boxes for the kinds of mail that somebody wants; a daily one is wanted by its hour."""

_ENTRANCES: dict[str, tuple[set[str], set[str]]] = {
    "guest": ({"name"}, {"invitation"}),
    "password": ({"who", "password"}, set()),
    "mail": ({"who", "kind"}, set()),
    "link": ({"link"}, {"password"}),
}
"""By what somebody does at the entrance, the fields that are needed, and those that are possible besides."""
_SETTINGS: dict[str, tuple[set[str], set[str]]] = {
    "language": (set(), {"language", "time_zone"}),
    "link": (set(), set()),
    "verify": ({"link"}, set()),
    "register": ({"handle", "address"}, {"password"}),
    "mails": (set(), {"quiet_from", "quiet_until", "digest", "confirm_replies", *MAIL_BOXES}),
}
_AT_TABLE = "sit leave house start fill return rematch decline nudge invite leave-lesson".split()
_PROPOSALS: dict[str, set[str]] = {
    "propose": {"kind"},
    "vote": {"proposal", "agrees"},
    "withdraw": {"proposal"},
}


def own_page() -> fields.String:
    """Where to go on: one of the pages without scripts."""
    return fields.String(validate=like(r"/plain(/[0-9A-Za-z_-]{1,60}){0,3}\Z", "value"))


def once() -> fields.String:
    """The key of a form that creates something."""
    return fields.String(validate=like(r"[0-9a-f]{32}\Z", "value"), required=True)


def ticked() -> fields.String:
    """A box that is ticked."""
    return fields.String(validate=one_of(["yes"]), load_default="")


class EntranceQuery(Body):
    """GET /plain/enter"""

    then = own_page()


class Entrance(Body):
    """POST /plain/enter"""

    do = fields.String(required=True, validate=one_of(_ENTRANCES))
    then = own_page()
    name = shared_fields.line(40)
    invitation = shared_fields.line(100)
    who = people_schemas.who()
    password = people_schemas.typed_password()
    link = fields.String(validate=length(1, LONGEST_LINK))
    kind = fields.String(validate=one_of(["sign-in", "reset"]))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """All that are needed, and no others."""
        needed, possible = _ENTRANCES[data["do"]]
        refuse_others(data, needed, possible | {"do", "then"})


class Leaving(Body):
    """POST /plain/leave"""


class OwnSettings(Body):
    """POST /plain/me"""

    class Meta:
        include: ClassVar[Json] = {
            box: fields.String(validate=one_of(["yes"])) for box in MAIL_BOXES
        }

    do = fields.String(required=True, validate=one_of(_SETTINGS))
    language = shared_fields.language()
    time_zone = people_schemas.time_zone()
    link = fields.String(validate=length(1, LONGEST_LINK))
    handle = people_schemas.handle()
    address = people_schemas.address()
    password = people_schemas.password()
    quiet_from = people_schemas.time_of_day()
    quiet_until = people_schemas.time_of_day()
    digest = people_schemas.time_of_day()
    confirm_replies = fields.String(validate=one_of(CONFIRM_REPLIES))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """All that are needed, and no others."""
        needed, possible = _SETTINGS[data["do"]]
        if data.keys() & {"quiet_from", "quiet_until"}:
            needed = needed | {"quiet_from", "quiet_until"}
        refuse_others(data, needed, possible | {"do"})


class PlainNewTable(Body):
    """POST /plain/new/{slug}"""

    once = once()
    table = fields.String(required=True, validate=like(r"[0-9]{1,2}\.[0-9]\Z", "value"))
    seats = fields.String(required=True, validate=one_of(["house", "public", "private"]))
    level = fields.String(validate=IS_LEVEL, load_default=USUAL)
    pace = fields.String(validate=one_of(PRESETS), load_default="none")


class FinishedQuery(Body):
    """GET /plain/finished"""

    cursor = Cursor()


class HomeQuery(FinishedQuery):
    """GET /plain"""

    beside_blocked = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)


class AtTable(Body):
    """POST /plain/games/{id}"""

    do = fields.String(required=True, validate=one_of(_AT_TABLE))
    tenure = shared_fields.identifier("t")
    address = people_schemas.address()
    anyway = ticked()

    @validates_schema(skip_on_field_errors=True)
    def has_an_address_to_invite(self, data: Json, **_options: object) -> None:
        """And nothing else has one."""
        needed = {"address"} if data["do"] == "invite" else set()
        refuse_others(data, needed, {"do", "tenure", ANYWAY})


class Invited(Body):
    """POST /plain/invited"""

    link = fields.String(required=True, validate=length(1, LONGEST_LINK))
    sit = fields.String(validate=one_of(["yes"]))
    anyway = ticked()


class PlainMoveQuery(StepQuery):
    """GET /plain/games/{id}/move"""

    asked = QueryInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    place = QueryInteger(validate=between(0, 99_999))


def read_action(written: str) -> Json:
    """An action as JSON, as the page that asks for confirmation has written it. Raises ValidationError."""
    if len(written) > LONGEST_ACTION:
        raise Wrong("value").alone()
    try:
        action = parse(written.encode())
    except (ValueError, RecursionError):
        raise Wrong("value").alone() from None
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        raise Wrong("action-type").alone()
    return action


class PlainMove(Body):
    """POST /plain/games/{id}/move"""

    asked = QueryInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    action = fields.Function(deserialize=read_action, required=True)


class PlainHistoryQuery(Body):
    """GET /plain/games/{id}/history"""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    limit = shared_fields.page_size(50, default=50)


class PlainTalkQuery(Body):
    """GET /plain/games/{id}/talk"""

    channel = channel(required=False)
    cursor = Cursor()


class Saying(Body):
    """POST /plain/games/{id}/talk"""

    once = once()
    channel = channel()
    text = text(LONGEST_MESSAGE, required=True)


class AboutTable(Body):
    """POST /plain/games/{id}/proposals: propose, vote, withdraw."""

    do = fields.String(required=True, validate=one_of(_PROPOSALS))
    proposal = shared_fields.identifier("q")
    agrees = fields.String(validate=one_of(["yes", "no"]))
    kind = fields.String(validate=one_of(["pause", "resume", "extend", "draw", "abandon"]))
    days = QueryInteger(validate=between(1, 30))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """All that are needed, and no others."""
        needed = _PROPOSALS[data["do"]]
        timed = data.get("kind") in {"pause", "extend"}
        refuse_others(data, needed | ({"days"} if timed else set()), {"do", "days"})


class PlainResignation(Body):
    """POST /plain/games/{id}/resignation"""

    sure = ticked()
    for_good = ticked()


class NewPasswordByKey(Body):
    """The new password that a mailed key sets."""

    password = people_schemas.password(required=True)


def refuse_others(data: Json, needed: set[str], possible: set[str]) -> None:
    """Raises ValidationError for fields that are missing, and for those that are out of place."""
    missing = {name: [Wrong("missing")] for name in sorted(needed - data.keys())}
    others = {name: [Wrong("unknown")] for name in sorted(data.keys() - needed - possible)}
    if missing or others:
        raise ValidationError(missing | others)
