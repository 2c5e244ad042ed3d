"""The words of the page, in each language."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.runtime.problems import NotFound
from service.core.words.words import LANGUAGES, phrases
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("words", __name__)


@bp.get("/api/words/<wanted>")
def get_words(wanted: str) -> Response:
    """The page's own messages."""
    if wanted not in LANGUAGES:
        raise NotFound
    return with_content_etag(dict(phrases(wanted).messages))
