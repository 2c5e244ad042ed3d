"""Ids in paths: a path with anything that cannot be an id is a 404 before anything is looked up."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter

import rules
from service.core.runtime.nearest import nearest
from service.core.runtime.problems import NotFound

LETTERS = {
    "block": "b",
    "browser": "n",
    "circle": "c",
    "follow": "f",
    "game": "g",
    "invitation": "i",
    "member": "u",
    "message": "m",
    "mute": "s",
    "order": "o",
    "proposal": "q",
    "series": "e",
    "tenure": "t",
    "token": "k",
    "vacation": "v",
    "webhook": "w",
    "weekly": "y",
}
"""The converter of each kind of id, and the letter with which the ids of that kind begin (`Runtime.new_id`)."""


def pattern(letter: str) -> str:
    """A regular expression for the ids that begin with this letter."""
    return f"{letter}_[0-9A-Za-z]{{16,32}}"


def register_converters(app: Flask) -> None:
    """Register the converters that the routes of `app` name."""
    regexes = {name: pattern(letter) for name, letter in LETTERS.items()} | {
        "handle": "[A-Za-z][A-Za-z0-9_-]{2,23}",
        "secret": "[0-9A-Za-z]{43}",  # the secret of a feed
        "mail": "[0-9a-f]{32}",  # the id of an email in the mailbox
        "puzzle": "[0-9a-f]{16}",
        "mailed": "[0-9A-Za-z_.-]{1,120}",  # the key of a mailed invitation
    }
    for name, regex in regexes.items():
        app.url_map.converters[name] = type("Id", (BaseConverter,), {"regex": regex})


def known_version(slug: str, version: int | None) -> int | None:
    """The version of a ruleset that a request names; None for the newest. Raises NotFound for an unknown version."""
    known = rules.versions(slug)
    if not known:
        alike = nearest(slug, rules.slugs())
        raise NotFound(nearest=alike) if alike else NotFound()
    if version is not None and version not in known:
        raise NotFound
    return version
