"""Links that somebody pastes: to which page of ours they lead, whatever else was copied with them."""

from __future__ import annotations

import re
from urllib.parse import unquote

from service.core.runtime.problems import WrongKey

_KEY = re.compile(r"(?:.*#)?(back|sign-in|reset|verify)=([0-9A-Za-z_.-]{1,400})", re.DOTALL)
"""A secret link, or one of an earlier mail: what it is for, and its key."""
_PAGE = re.compile(
    r"(?:.*?//[^/\s]+)?(/(?:"
    r"(?:moves|votes|tables|seats|extensions|vacations|mails|records|rematches|offers|invitations)/[\w.-]{1,200}"
    r"|plain(?:/(?!\.)[\w.-]{1,400}){0,4}"
    r"|unsubscribe\?link=[\w.-]{1,500}"
    r"|rules/[a-z0-9-]{1,60}"
    r")(?:\?[\w=&.%-]{1,200})?)(?:#[\w-]*)?",
    re.ASCII,
)
"""The path and the query of a page that needs no scripts, after the address of a server."""
_INVITED = re.compile(r".*/invited/(g_[0-9A-Za-z]{22}/[\w.]{1,100})", re.DOTALL | re.ASCII)
"""The link of a mailed invitation."""


def page_of(pasted: str) -> str | None:
    """The page to which a link leads that needs no scripts; None for any other."""
    link = unquote(pasted).strip().strip("<>")
    invited = _INVITED.fullmatch(link)
    if invited:
        return f"/plain/invited/{invited[1]}"
    found = _PAGE.fullmatch(link)
    return found[1] if found else None


def read_key(pasted: str) -> tuple[str, str]:
    """What a pasted link is for, and its key. Raises WrongKey."""
    found = _KEY.fullmatch(unquote(pasted))
    if found is None:
        raise WrongKey
    return found[1], found[2]
