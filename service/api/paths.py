"""Ids in paths: what cannot be an id is a 404 before anything is looked up."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter

LETTERS = {
    "block": "b",
    "game": "g",
    "invitation": "i",
    "message": "m",
    "mute": "s",
    "proposal": "q",
    "tenure": "t",
    "token": "k",
    "vacation": "v",
}
"""What is found by an id: the converter's name, and the letter with which such ids begin (`Outside.new_id`)."""


def register_converters(app: Flask) -> None:
    """Make the ids known to the routes of `app`."""
    for name, letter in LETTERS.items():
        app.url_map.converters[name] = converter(f"{letter}_[0-9A-Za-z]{{22}}")
    app.url_map.converters["mail"] = converter("[0-9a-f]{32}")  # in the mailbox


def converter(pattern: str) -> type[BaseConverter]:
    """A converter of what fits a regular expression."""
    return type("Id", (BaseConverter,), {"regex": pattern})
