"""The queries of the pages behind links in emails: choices there are part of the address, never of a body."""

from __future__ import annotations

from marshmallow import fields

from service.outbox import digests
from service.outbox.unsubscriptions import DIGESTS
from service.people.accounts.preferences import MAIL_KINDS
from service.web.api.people.people_schemas import vacation_answers
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger, identifier
from service.web.http.bodies.wrong_members import between, length, one_of

DAYS = (1, 2, 3, 7, 14)
"""The numbers of days that the page offers."""
LONGEST_DAY = 20
"""The most characters of a day that is typed."""
KINDS = tuple(kind for kind in MAIL_KINDS if kind != digests.KIND)
"""The kinds of mail that can be stopped on the page, or resumed."""


class EventQuery(Body):
    """The query of GET /tables/{token}."""

    event = QueryInteger(validate=between(1, MAX_EVENT_NUMBER))


class DaysQuery(Body):
    """The query of POST /extensions/{token}."""

    days = QueryInteger(validate=one_of(DAYS), required=True)


class DatesQuery(Body):
    """The query of GET /vacations/{token}: the dates as typed, because not every browser has fields for dates."""

    first = fields.String(validate=length(0, LONGEST_DAY))
    last = fields.String(validate=length(0, LONGEST_DAY))
    answers = vacation_answers()


class VacationQuery(DatesQuery):
    """The query of POST /vacations/{token}."""

    end = identifier("v")


class MailsQuery(Body):
    """The query of POST /mails/{token}."""

    stop = fields.String(validate=one_of(KINDS))
    send = fields.String(validate=one_of(KINDS))
    instead = fields.String(validate=one_of(DIGESTS))


class SittingQuery(Body):
    """The query of POST /offers/{token} and POST /rematches/{token}."""

    anyway = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)
