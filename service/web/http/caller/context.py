"""The context of the present request: the services of its application, and the language of its response."""

from __future__ import annotations

import functools

from flask import current_app, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.core.words.words import LANGUAGES
from service.tables.services import Services


def current_services() -> Services:
    """The services of the present application."""
    found: Services = current_app.extensions["tegami"]
    return found


def preferred_language() -> str:
    """The language of the response to the present request."""
    chosen: str | None = g.get("language")  # pages that know the reader's setting have set it
    return chosen or best_language(request.headers.get("Accept-Language", ""))


@functools.lru_cache(maxsize=1024)
def best_language(accept_language: str) -> str:
    """The language that best fits an `Accept-Language` header; the first one if none fits."""
    accepted = parse_accept_header(accept_language, LanguageAccept)
    return accepted.best_match(LANGUAGES, default=LANGUAGES[0]) or LANGUAGES[0]
