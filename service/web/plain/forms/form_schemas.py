"""The bodies of forms on pages without scripts, and the queries of these pages."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import ValidationError, fields, post_load, validates_schema

from rules.kernel import Json
from rules.players.levels import USUAL
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.outbox import digests
from service.people.accounts.preferences import CONFIRM_REPLIES, MAIL_KINDS, SEEN_BY
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.tables.talk.messages import LONGEST_MESSAGE
from service.web.api.games.game_schemas import IS_LEVEL
from service.web.api.games.talk_schemas import IS_NOTE, LONGEST_NOTE, channel, text
from service.web.api.people import people_schemas
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.cursors import Cursor
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger
from service.web.http.bodies.strict_json import parse
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of
from service.web.page.page_schemas import StepQuery
from service.web.plain.forms.form_bodies import ANYWAY

LONGEST_ACTION = 20_000
"""The most characters of an action in JSON."""
LONGEST_LINK = 600
"""The most characters of a pasted link, or of the key in it."""

MAIL_BOXES = {f"mail-{kind}": kind for kind in MAIL_KINDS if kind != digests.KIND}
"""The boxes for the kinds of mail to receive; the daily digest is chosen by its hour."""

LEADS = {f"remind-{lead}": lead for lead in (2880, 1440, 180, 60, 15)}
"""The boxes for reminders, with the minutes before a deadline."""
MOST_LEADS = 5
"""The most reminders that somebody can have."""

_ENTRANCES: dict[str, tuple[set[str], set[str]]] = {
    "guest": ({"name"}, {"invitation"}),
    "password": ({"who", "password"}, set()),
    "mail": ({"who", "kind"}, set()),
    "link": ({"link"}, {"password"}),
}
"""The required fields, and the further allowed ones, for each action at the entrance."""
_SETTINGS: dict[str, tuple[set[str], set[str]]] = {
    "language": (set(), {"language", "time_zone"}),
    "link": (set(), set()),
    "only-move": (set(), {"only_move"}),
    "ratings": ({"ratings_for"}, {"on_leaderboards"}),
    "verify": ({"link"}, set()),
    "register": ({"handle", "address"}, {"password"}),
    "mails": (
        set(),
        {
            "quiet_from",
            "quiet_until",
            "digest",
            "confirm_replies",
            "no_take_backs",
            *MAIL_BOXES,
            *LEADS,
        },
    ),
}
_KEY = r"(/i_[0-9A-Za-z]{22}\.[0-9A-Za-z]{1,60})"
"""The key of a mailed invitation, in the address of its page."""
PLAIN_PAGE = r"/plain(/[0-9A-Za-z_-]{1,60}){0,3}"
"""The addresses of pages without a key in them."""
_CONSENT = r"/oauth/authorize\?[0-9A-Za-z%&+=_.~-]{1,6000}"
"""The page that asks for consent, with the request of a site or app in its query."""
OWN_PAGE = rf"({PLAIN_PAGE}{_KEY}?|{_CONSENT})\Z"
"""The addresses at which somebody can continue after signing in."""
_AT_TABLE = "sit leave house start fill ready return rematch decline nudge invite leave-lesson take-back".split()
_PROPOSALS: dict[str, set[str]] = {
    "propose": {"kind"},
    "vote": {"proposal", "agrees"},
    "withdraw": {"proposal"},
}


RATED: dict[str, Json] = {"usual": {}, "yes": {"rated": True}, "no": {"rated": False}}
"""The choices whether a table is rated, with the fields that follow from them."""
OWN_PACES = {"own-decision": {"seconds"}, "own-reserve": {"reserve", "increment", "cap"}}
"""The custom paces, with the times that each needs."""
_TIMES = ("seconds", "reserve", "increment", "cap")
UNITS = {
    "minutes": MINUTE // SECOND,
    "hours": HOUR // SECOND,
    "days": DAY // SECOND,
}
"""The units in which people give times, each in seconds."""
RESTS: dict[str, list[int]] = {"never": [], "weekends": list(paces.WEEKEND)}
"""The choices of days on which a table rests, as numbers of weekdays."""
DAYS_OF_REST = {f"rest-{day}": day for day in range(1, 8)}
"""The boxes for further days of rest, with the number of the day (Monday is 1)."""
_ENDS = {"open_from", "open_until"}


def amount() -> fields.Integer:
    """A field for a number of minutes, hours or days."""
    return QueryInteger(validate=between(1, paces.LONGEST // UNITS["minutes"]))


def own_page() -> fields.String:
    """A field for the page at which to continue, which is one of the pages without scripts."""
    return fields.String(validate=like(OWN_PAGE, "value"))


def once() -> fields.String:
    """A field for the key of a form that creates something."""
    return fields.String(validate=like(r"[0-9a-f]{32}\Z", "value"), required=True)


def ticked() -> fields.String:
    """A field for a box that can be ticked."""
    return fields.String(validate=one_of(["yes"]), load_default="")


class EntranceQuery(Body):
    """The query of GET /plain/enter."""

    then = fields.String(validate=like(rf"{PLAIN_PAGE}\Z", "value"))
    invited = fields.String(validate=like(rf"g_[0-9A-Za-z]{{22}}{_KEY}\Z", "value"))


class Entrance(Body):
    """The form of POST /plain/enter."""

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
        """Check that exactly the fields of the action are there. Raises ValidationError."""
        needed, possible = _ENTRANCES[data["do"]]
        refuse_others(data, needed, possible | {"do", "then"})


class Leaving(Body):
    """The form of POST /plain/leave."""


class OwnSettings(Body):
    """The form of POST /plain/me."""

    class Meta:
        include: ClassVar[Json] = {
            box: fields.String(validate=one_of(["yes"])) for box in (*MAIL_BOXES, *LEADS)
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
    no_take_backs = fields.String(validate=one_of(["yes"]))
    only_move = fields.String(validate=one_of(["yes"]))
    ratings_for = fields.String(validate=one_of(SEEN_BY))
    on_leaderboards = fields.String(validate=one_of(["yes"]))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that exactly the fields of the action are there. Raises ValidationError."""
        needed, possible = _SETTINGS[data["do"]]
        if data.keys() & {"quiet_from", "quiet_until"}:
            needed = needed | {"quiet_from", "quiet_until"}
        refuse_others(data, needed, possible | {"do"})


LESSON = "lesson"
"""The choice of opponents for a lesson: house players who follow a script."""


class PlainNewTable(Body):
    """The form of POST /plain/new/{slug}."""

    class Meta:
        include: ClassVar[Json] = {
            box: fields.String(validate=one_of(["yes"])) for box in DAYS_OF_REST
        }

    once = once()
    circle = shared_fields.identifier("c")
    weekday = QueryInteger(validate=between(1, 7))
    weekly_at = people_schemas.time_of_day()
    table = fields.String(validate=like(r"(?:live\.)?[0-9]{1,2}\.[0-9]{1,2}\Z", "value"))
    seats = fields.String(required=True, validate=one_of(["house", "public", "private", LESSON]))
    step = QueryInteger(validate=between(1, 99), load_default=1)
    level = fields.String(validate=IS_LEVEL, load_default=USUAL)
    rated = fields.String(validate=one_of(RATED), load_default="usual")
    pace = fields.String(validate=one_of([*PRESETS, *OWN_PACES]), load_default="none")
    unit = fields.String(validate=one_of(UNITS), load_default="days")
    seconds = amount()
    reserve = amount()
    increment = amount()
    cap = amount()
    rest = fields.String(validate=one_of(RESTS), load_default="never")
    open_from = people_schemas.time_of_day()
    open_until = people_schemas.time_of_day()

    @validates_schema(skip_on_field_errors=True)
    def has_a_table_unless_it_is_a_lesson(self, data: Json, **_options: object) -> None:
        """Check that a table is described, except for a lesson, which has its own table. Raises ValidationError."""
        if data["seats"] != LESSON and "table" not in data:
            raise ValidationError({"table": [Wrong("missing")]})

    @validates_schema(skip_on_field_errors=True)
    def has_the_times_of_its_pace(self, data: Json, **_options: object) -> None:
        """Check that a custom pace has its times, and that none is longer than allowed. Raises ValidationError."""
        needed = OWN_PACES.get(data["pace"], set())
        missing = {name: [Wrong("missing")] for name in sorted(needed - data.keys())}
        long = {
            name: [Wrong("between").format(min=1, max=paces.LONGEST // UNITS[data["unit"]])]
            for name in sorted(needed & data.keys())
            if data[name] * UNITS[data["unit"]] > paces.LONGEST
        }
        if missing or long:
            raise ValidationError(missing | long)

    @validates_schema(skip_on_field_errors=True)
    def has_both_ends_of_its_hours(self, data: Json, **_options: object) -> None:
        """Check that the hours have both a beginning and an end. Raises ValidationError."""
        given = data.keys() & _ENDS
        if len(given) == 1:
            raise ValidationError({name: [Wrong("missing")] for name in _ENDS - given})

    @post_load
    def as_the_api_has_it(self, data: Json, **_options: object) -> Json:
        """The data with the pace in the form of the API (a name, or numbers of seconds), and with the rest, without its
        time zone.
        """
        kind, unit = data["pace"], UNITS[data["unit"]]
        times = {name: data[name] * unit for name in OWN_PACES.get(kind, set())}
        own = {"kind": kind.removeprefix("own-"), **times}
        hours = f"{data['open_from']}-{data['open_until']}" if "open_from" in data else None
        ticked = [day for box, day in DAYS_OF_REST.items() if box in data]
        rest = {"days": sorted({*RESTS[data["rest"]], *ticked}), "open": hours}
        own_fields = {*_TIMES, "unit", *_ENDS, *DAYS_OF_REST}
        kept = {name: each for name, each in data.items() if name not in own_fields}
        return {
            **kept,
            "pace": own if times else kind,
            "rest": rest if hours or rest["days"] else None,
        }


class OwnLiveWishes(Body):
    """The form of POST /plain/live: ask to be told when others wait for a live game, or stop asking."""

    do = fields.String(required=True, validate=one_of(["wish", "end"]))
    slug = shared_fields.slug(required=True)


class OwnVacations(Body):
    """The form of POST /plain/vacations: plan a vacation, or end one."""

    first = fields.Raw(pre_load=people_schemas.day)
    last = fields.Raw(pre_load=people_schemas.day)
    answers = people_schemas.vacation_answers()
    end = shared_fields.identifier("v")

    @validates_schema(skip_on_field_errors=True)
    def has_days_or_what_ends(self, data: Json, **_options: object) -> None:
        """Check that there are either days to plan or a vacation to end. Raises ValidationError."""
        refuse_others(data, {"end"} if "end" in data else {"first", "last"}, {"answers"})


class OwnBlocks(Body):
    """The form of POST /plain/blocks: block somebody at a table or the author of a message, or remove a block."""

    lift = shared_fields.identifier("b")
    game = shared_fields.identifier("g")
    tenure = shared_fields.identifier("t")
    message = shared_fields.identifier("m")

    @validates_schema(skip_on_field_errors=True)
    def names_a_block_or_a_person(self, data: Json, **_options: object) -> None:
        """Check that there is either a block to remove or a person to block. Raises ValidationError."""
        who = {"message"} if "message" in data else {"tenure"}
        refuse_others(data, {"lift"} if "lift" in data else {"game", *who}, set())


class OwnNotes(Body):
    """The form of POST /plain/games/{id}/notes."""

    text = fields.String(validate=[length(0, LONGEST_NOTE), IS_NOTE], load_default="")


class ReplayQuery(Body):
    """The query of GET /plain/games/{id}/replay."""

    event = QueryInteger(validate=between(1, MAX_EVENT_NUMBER), load_default=1)


class VerificationQuery(Body):
    """The query of GET /plain/games/{id}/verification."""

    seal = fields.String(validate=length(1, LONGEST_LINK))


class KeyUse(Body):
    """The form of POST /plain/keys/{purpose}/{key}."""

    do = fields.String(validate=one_of(["not-me"]))
    number = shared_fields.line(20)
    password = people_schemas.typed_password()


class FinishedQuery(Body):
    """The query of GET /plain/finished."""

    cursor = Cursor()


class HomeQuery(FinishedQuery):
    """The query of GET /plain."""

    beside_blocked = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)


class AtTable(Body):
    """The form of POST /plain/games/{id}."""

    do = fields.String(required=True, validate=one_of(_AT_TABLE))
    tenure = shared_fields.identifier("t")
    address = people_schemas.address()
    handle = people_schemas.handle()
    follow = shared_fields.identifier("f")
    event = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    anyway = ticked()

    @validates_schema(skip_on_field_errors=True)
    def has_what_it_is_about(self, data: Json, **_options: object) -> None:
        """Check that an invitation names somebody, that a take-back names an event, and that no other action has these
        fields. Raises ValidationError.
        """
        whom = next((each for each in ("handle", "follow") if each in data), "address")
        needed = {"invite": {whom}, "take-back": {"event"}}.get(data["do"], set())
        refuse_others(data, needed, {"do", "tenure", ANYWAY})


class PlainMoveQuery(StepQuery):
    """The query of GET /plain/games/{id}/move."""

    asked = QueryInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    place = QueryInteger(validate=between(0, 99_999))


def read_action(written: str) -> Json:
    """The action in a JSON text, as the page that asks for confirmation wrote it. Raises ValidationError."""
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
    """The form of POST /plain/games/{id}/move."""

    asked = QueryInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    action = fields.Function(deserialize=read_action, required=True)


class PlainHistoryQuery(Body):
    """The query of GET /plain/games/{id}/history."""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    limit = shared_fields.page_size(50, default=50)


class PlainTalkQuery(Body):
    """The query of GET /plain/games/{id}/talk."""

    channel = channel(required=False)
    cursor = Cursor()


class Saying(Body):
    """The form of POST /plain/games/{id}/talk."""

    once = once()
    channel = channel()
    text = text(LONGEST_MESSAGE, required=True)


class AboutTable(Body):
    """The form of POST /plain/games/{id}/proposals: propose something, vote, or withdraw a proposal."""

    do = fields.String(required=True, validate=one_of(_PROPOSALS))
    proposal = shared_fields.identifier("q")
    agrees = fields.String(validate=one_of(["yes", "no"]))
    kind = fields.String(
        validate=one_of(["pause", "resume", "extend", "draw", "abandon", "takeback"])
    )
    days = QueryInteger(validate=between(1, 30))
    event = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that exactly the fields of the action are there. Raises ValidationError."""
        needed = _PROPOSALS[data["do"]]
        more = {"pause": {"days"}, "extend": {"days"}, "takeback": {"event"}}
        refuse_others(data, needed | more.get(data.get("kind", ""), set()), {"do", "days"})


class PlainResignation(Body):
    """The form of POST /plain/games/{id}/resignation."""

    sure = ticked()
    for_good = ticked()


class NewPasswordByKey(Body):
    """A schema for the new password that a mailed key sets."""

    password = people_schemas.password(required=True)


def refuse_others(data: Json, needed: set[str], possible: set[str]) -> None:
    """Raise ValidationError for missing fields, and for fields that are neither needed nor possible."""
    missing = {name: [Wrong("missing")] for name in sorted(needed - data.keys())}
    others = {name: [Wrong("unknown")] for name in sorted(data.keys() - needed - possible)}
    if missing or others:
        raise ValidationError(missing | others)
