"""Pasted links: the page of this server to which each leads, whatever else was copied with it."""

from __future__ import annotations

import re
from urllib.parse import unquote

from marshmallow import fields

from service.core.runtime.problems import WrongKey
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import length, one_of
from service.web.plain.forms.form_schemas import LONGEST_LINK, ticked

_KEY = re.compile(r"(?:.*#)?(back|sign-in|reset|verify)=([0-9A-Za-z_.-]{1,400})", re.DOTALL)
"""A secret link, or a link from an earlier mail: its purpose and its key."""
_PAGE = re.compile(
    r"(?:.*?//[^/\s]+)?(/(?:"
    r"moves/[\w.-]{1,200}/orders"
    r"|(?:moves|votes|tables|seats|extensions|vacations|mails|webhooks|records|rematches|offers|invitations)/[\w.-]{1,200}"
    r"|plain(?:/(?!\.)[\w.-]{1,400}){0,4}"
    r"|unsubscribe\?link=[\w.-]{1,500}"
    r"|rules/[a-z0-9-]{1,60}"
    r")(?:\?[\w=&.%-]{1,200})?)(?:#[\w-]*)?",
    re.ASCII,
)
"""The path and the query of a page without scripts, after the address of a server."""
_INVITED = re.compile(r".*/invited/(g_[0-9A-Za-z]{22}/[\w.]{1,100})", re.DOTALL | re.ASCII)
"""The link of a mailed invitation."""


def page_of(pasted: str) -> str | None:
    """The address of the page without scripts to which a link leads; None for any other link."""
    link = unquote(pasted).strip().strip("<>")
    invited = _INVITED.fullmatch(link)
    if invited:
        return f"/plain/invited/{invited[1]}"
    found = _PAGE.fullmatch(link)
    return found[1] if found else None


def read_key(pasted: str) -> tuple[str, str]:
    """The purpose and the key of a pasted link. Raises WrongKey."""
    found = _KEY.fullmatch(unquote(pasted))
    if found is None:
        raise WrongKey
    return found[1], found[2]


class Invited(Body):
    """The form of POST /plain/invited."""

    link = fields.String(required=True, validate=length(1, LONGEST_LINK))
    sit = fields.String(validate=one_of(["yes"]))
    join = fields.String(validate=one_of(["yes"]))
    anyway = ticked()
