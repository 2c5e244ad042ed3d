"""Names of browsers for the list of sign-ins: precise enough for the owner, and of little use to anybody else."""

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
"""The marks of browsers in a `User-Agent`, the most specific first, each with the browser's name."""
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
    """The browser and the system, such as `Firefox · Linux`; None if neither is known."""
    known = ([name for mark, name in names if mark in user_agent] for names in (BROWSERS, SYSTEMS))
    return " · ".join(found[0] for found in known if found) or None
