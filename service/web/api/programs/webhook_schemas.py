"""The bodies of requests about webhooks, and about browsers for notifications."""

from __future__ import annotations

from functools import partial

from marshmallow import fields

from service.log.changes import KINDS
from service.notifications.receivers.addresses import LONGEST
from service.notifications.receivers.shapes import SHAPES
from service.web.api.people.people_schemas import Labelled, some_of
from service.web.http.bodies.fields import Body, StrictBoolean, line
from service.web.http.bodies.wrong_members import length, like, one_of

url = partial(fields.String, validate=[length(10, LONGEST), like(r"https?://[!-~]+\Z", "url")])
"""A web address; notifications/receivers/addresses.py decides to which addresses messages are sent."""
kinds = partial(some_of, KINDS, allow_none=True)
"""Kinds of changes; null means all kinds."""
shape = partial(fields.String, validate=one_of(SHAPES), allow_none=True)
"""The shape of the messages; null means that the address decides."""


class NewWebhook(Labelled):
    """The body of POST /me/webhooks."""

    url = url(required=True)
    kinds = kinds()
    shape = shape()


class ChangedWebhook(Body):
    """The body of PATCH /me/webhooks/{id}."""

    url = url()
    label = line(60)
    kinds = kinds()
    shape = shape()
    active = StrictBoolean()


class BrowserKeys(Body):
    """The keys with which only this browser can read its messages."""

    p256dh = fields.String(validate=like(r"[A-Za-z0-9_-]{87}\Z", "base64"), required=True)
    auth = fields.String(validate=like(r"[A-Za-z0-9_-]{22}\Z", "base64"), required=True)


class NewBrowser(Body):
    """The body of POST /me/push."""

    endpoint = url(required=True)
    keys = fields.Nested(BrowserKeys, required=True)
