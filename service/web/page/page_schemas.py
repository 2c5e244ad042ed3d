"""The queries of the HTML pages."""

from __future__ import annotations

from marshmallow import fields

from service.web.http.bodies.fields import Body, language, version
from service.web.http.bodies.wrong_members import between, like, one_of

STOPS = ("this", "game", "kind", "digest", "each", "all", "nothing")
"""The choices on the page behind the link that stops mails."""


class PageQuery(Body):
    """A query of pages that can be shown in a language other than the browser's."""

    lang = language()


class RulesQuery(PageQuery):
    """The query of GET /rules/{slug}."""

    version = version()


class ExampleQuery(RulesQuery):
    """The query of GET /rules/{slug}/example."""

    step = fields.Integer(validate=between(0, 999))


class StepQuery(Body):
    """The query of GET /moves/{token}."""

    step = fields.String(validate=like(r"[0-9]{1,5}(\.[0-9]{1,5}){0,49}\Z", "value"))


class UnsubscribeQuery(PageQuery):
    """The query of GET and POST /unsubscribe."""

    link = fields.String(required=True, validate=like(r"[A-Za-z0-9_.-]{1,500}\Z", "value"))
    stop = fields.String(validate=one_of(STOPS))
