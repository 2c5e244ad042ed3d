"""What people send about their webhooks, and about the browsers in which they are told."""

from __future__ import annotations

from functools import partial

from marshmallow import fields

from service.log.changes import KINDS
from service.notifications.receivers.addresses import LONGEST
from service.web.api.people_schemas import Labelled, some_of
from service.web.http.bodies.fields import Body, StrictBoolean, line
from service.web.http.bodies.wrong_members import length, like

url = partial(fields.String, validate=[length(10, LONGEST), like(r"https?://[!-~]+\Z", "url")])
"""An address of the web; to which ones something is sent is decided in notifications/receivers/addresses.py."""
kinds = partial(some_of, KINDS, allow_none=True)
"""Kinds of changes; null: all."""


class NewWebhook(Labelled):
    """POST /me/webhooks"""

    url = url(required=True)
    kinds = kinds()


class ChangedWebhook(Body):
    """PATCH /me/webhooks/{id}"""

    url = url()
    label = line(60)
    kinds = kinds()
    active = StrictBoolean()


class BrowserKeys(Body):
    """By which a browser alone can read what it is sent."""

    p256dh = fields.String(validate=like(r"[A-Za-z0-9_-]{87}\Z", "base64"), required=True)
    auth = fields.String(validate=like(r"[A-Za-z0-9_-]{22}\Z", "base64"), required=True)


class NewBrowser(Body):
    """POST /me/push"""

    endpoint = url(required=True)
    keys = fields.Nested(BrowserKeys, required=True)
