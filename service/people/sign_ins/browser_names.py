"""Names of browsers for the list of sign-ins: coarse, enough for the owner and of little use to anybody else."""

from __future__ import annotations

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
"""Marks in a `User-Agent`, the most specific first, and the browsers that send them."""
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe(user_agent: str) -> str | None:
    """`Firefox · Linux`; None if neither browser nor system is known."""
    known = (_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))
    return " · ".join(name for name in known if name) or None


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for mark, name in names if mark in user_agent), None)
