"""Mail: the link by which mails are stopped; and where none are sent, the mailbox that shows them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, render_template, request

from rules.kernel import Json
from service.api.common import asks, language, tools
from service.config import LOOPBACK
from service.mail import links, wishes
from service.post import Mailbox
from service.problems import NotFound, WrongLink
from service.schemas import PageQuery, StopQuery
from service.words import phrases

bp = Blueprint("mail", __name__, template_folder="../pages")

FOR_LETTERS = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""A letter has its styles inline, as mail programs want it, and nothing that acts."""


@bp.get("/unsubscribe")
@asks(StopQuery)
def get_unsubscribe(query: Json) -> Response:
    """Ask what is to be stopped; nothing is changed, for programs follow links too."""
    return page("unsubscribe.html", query, choices=choices(about(query)), link=query["link"])


@bp.post("/unsubscribe")
@asks(StopQuery)
def unsubscribe(query: Json) -> Response:
    """Stop mails; without a choice those of the game or, if it is about none, the kind. The body is not read."""
    found = about(query)
    chosen = query.get("stop")
    chosen = chosen if chosen in choices(found) else choices(found)[0]
    wishes.follow(tools().outside, found, chosen)
    return page("unsubscribed.html", query, stopped=chosen)


def about(query: Json) -> links.AboutPlayer | links.AboutAddress:
    """What the mail with this link was about. Raises WrongLink."""
    found = links.read(tools().config, query["link"])
    if found is None:
        raise WrongLink
    return found


def choices(found: links.AboutPlayer | links.AboutAddress) -> list[str]:
    """What can be stopped by a link, the usual wish first."""
    if isinstance(found, links.AboutAddress):
        return ["address"]
    return ["game", "kind", "all"] if found.game_id else ["kind", "all"]


@bp.get("/mailbox")
@asks(PageQuery)
def get_mailbox(query: Json) -> Response:
    """The mails that are kept here because there is no mail server."""
    return page("mailbox.html", query, mails=mailbox().mails())


@bp.get("/mailbox/<mail:mail_id>")
@asks(PageQuery)
def get_mail(query: Json, mail_id: str) -> Response:
    """One of them, as text."""
    return page("mail.html", query, mail=kept(mail_id), mail_id=mail_id)


@bp.get("/mailbox/<mail:mail_id>/html")
def get_mail_html(mail_id: str) -> Response:
    """One of them, as mail programs show it."""
    html = kept(mail_id).get_body(("html",)).get_content()
    return Response(html, headers={"Content-Security-Policy": FOR_LETTERS})


def mailbox() -> Mailbox:
    """The mailbox, if there is one and only this machine can look into it. Raises NotFound."""
    config = tools().config
    if not config.mailbox or urlsplit(request.host_url).hostname not in LOOPBACK:
        raise NotFound
    return Mailbox(config.mailbox_dir)


def kept(mail_id: str) -> Any:
    """This mail. Raises NotFound."""
    found = mailbox().mail(mail_id)
    if found is None:
        raise NotFound
    return found


def page(template: str, query: Json, **fields: Any) -> Response:
    """A page for people."""
    chosen = query.get("lang") or language()
    html = render_template(template, language=chosen, words=phrases(chosen), **fields)
    return Response(html, headers={"Content-Language": chosen, "Vary": "Accept-Language"})
