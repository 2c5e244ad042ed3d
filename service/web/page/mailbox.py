"""The mailbox: without a mail server, it shows emails to people on this machine only, instead of sending them."""

from __future__ import annotations

from email.message import EmailMessage
from urllib.parse import urlsplit

from flask import Blueprint, Response, request

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.settings.config import LOOPBACK
from service.notifications.mail_sending.transport import MailboxFolder
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.page.page_schemas import PageQuery
from service.web.page.rendering import page, words_for

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""The headers of proxies: a caller who comes through one may be anywhere."""

bp = Blueprint("mailbox", __name__, url_prefix="/mailbox")

MAIL_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy for an email, which has inline styles, because mail programs need them, and nothing that runs."""


@bp.get("")
@parse_query(PageQuery)
def get_mailbox(query: Json) -> Response:
    """Show the emails that are stored here because there is no mail server."""
    return page("mailbox.html", words_for(query), mails=mailbox().mails())


@bp.get("/<mail:mail_id>")
@parse_query(PageQuery)
def get_mail(query: Json, mail_id: str) -> Response:
    """Show one of the emails, as text."""
    return page("mail.html", words_for(query), mail=find_mail(mail_id), mail_id=mail_id)


@bp.get("/<mail:mail_id>/html")
def get_mail_html(mail_id: str) -> Response:
    """Show one of the emails as mail programs do."""
    body = find_mail(mail_id).get_body(("html",))
    return Response(body and body.get_content(), headers={"Content-Security-Policy": MAIL_CSP})


def mailbox() -> MailboxFolder:
    """The mailbox. Raises NotFound if there is none, or if another machine could read it."""
    config = current_services().config
    listening = request.environ["SERVER_NAME"]  # the command line may differ from HOST
    is_forwarded = any(name in request.headers for name in FORWARDED)
    hosts = {listening, urlsplit(request.host_url).hostname}
    if not config.mailbox or is_forwarded or not hosts <= LOOPBACK:
        raise NotFound
    return MailboxFolder(config.mailbox_dir)


def find_mail(mail_id: str) -> EmailMessage:
    """The mail with this id. Raises NotFound."""
    found = mailbox().mail(mail_id)
    if found is None:
        raise NotFound
    return found
