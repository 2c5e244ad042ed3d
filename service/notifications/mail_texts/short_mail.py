"""Short mails: a few paragraphs, perhaps a button."""

from __future__ import annotations

from collections.abc import Sequence

from service.core.words.words import phrases
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_template


def short_mail(
    language: str,
    *,
    to: str,
    subject: str,
    paragraphs: Sequence[str],
    button: tuple[str, str] | None = None,
    after: Sequence[str] = (),
    another: tuple[str, str] | None = None,
    thread: str | None = None,
    unsubscribe_url: str | None = None,
) -> Mail:
    """A mail of `paragraphs`, a `button` (its words and its link), the paragraphs `after` it, and `another` link."""
    text, html = render_template(
        "short",
        phrases(language),
        language=language,
        subject=subject,
        paragraphs=paragraphs,
        button=button,
        after=after,
        another=another,
        unsubscribe_url=unsubscribe_url,
    )
    return Mail(to, subject, text, html, thread)
