"""Short letters: a few paragraphs, perhaps a button."""

from __future__ import annotations

from collections.abc import Sequence

from service.mail.letter import Letter
from service.mail.paper import written
from service.words import phrases


def note(
    language: str,
    *,
    to: str,
    subject: str,
    paragraphs: Sequence[str],
    button: tuple[str, str] | None = None,
    after: Sequence[str] = (),
    thread: str | None = None,
    stop: str | None = None,
) -> Letter:
    """The letter: `paragraphs`, a `button` (its words, and where it leads), and what is said `after` it.

    `stop` is the page on which mails like this are stopped (service/mail/links.py).
    """
    text, html = written(
        "note",
        phrases(language),
        language=language,
        subject=subject,
        paragraphs=paragraphs,
        button=button,
        after=after,
        stop=stop,
    )
    return Letter(to, subject, text, html, thread)
