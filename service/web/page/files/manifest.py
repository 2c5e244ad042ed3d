"""The manifest with which the page can be installed as an application: name, start address, colours, icons.

The colours are those of the style sheets, so that the application's window matches the page.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

from service.core.words.words import phrases

ICONS = "icons"
"""The folder of the icons among the pictures; tests/record_icons.py draws them."""
SIZES = (192, 512)
"""The widths (in pixels) of icons that browsers require to install a page."""
PURPOSES = {"any": "tegami", "maskable": "maskable"}
"""The purposes of icons, with the beginnings of their file names; a `maskable` icon may be cut to any shape."""


class Colours(NamedTuple):
    """The colour of a custom property of the style sheets, in the light and in the dark theme."""

    light: str
    dark: str


def colours(sheet: str, name: str) -> Colours:
    """The colours of the custom property with this name in a style sheet. Raises LookupError if there is none."""
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", sheet)
    if found is None:
        raise LookupError(name)
    return Colours(found[1], found[2])


def icon(purpose: str, size: int) -> str:
    """The path of an icon among the pictures."""
    return f"{ICONS}/{PURPOSES[purpose]}-{size}.png"


def manifest(language: str, paper: Colours) -> str:
    """The web app manifest (W3C) in a language, as JSON. A manifest has one theme; the page names the colours
    of both.
    """
    words = phrases(language)
    drawn = [
        {"src": f"/{icon(purpose, size)}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for purpose in PURPOSES
        for size in SIZES
    ]  # fmt: skip
    told = {
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "name": words.say("shell.name"),
        "short_name": words.say("page.brand"),
        "description": words.say("shell.about"),
        "lang": language,
        "dir": "ltr",
        "categories": ["games"],
        "background_color": paper.light,
        "theme_color": paper.light,
        "icons": [*drawn, {"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return orjson.dumps(told).decode()
