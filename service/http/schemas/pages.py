"""The queries of the HTML pages."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.base import Body, language, version


class PageQuery(Body):
    """Pages that can be shown in another language than the browser's."""

    lang = language()


class RulesQuery(PageQuery):
    """GET /rules/{slug}"""

    version = version()


class StepQuery(Body):
    """GET /moves/{token}"""

    step = fields.String(validate=validate.Regexp(r"[0-9]{1,5}(\.[0-9]{1,5}){0,49}\Z"))


class UnsubscribeQuery(PageQuery):
    """/unsubscribe"""

    link = fields.String(required=True, validate=validate.Regexp(r"[A-Za-z0-9_.-]{1,500}\Z"))
    stop = fields.String(validate=validate.OneOf(["game", "kind", "all", "nothing"]))
