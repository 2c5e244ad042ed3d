"""Rendering pages from templates."""

from __future__ import annotations

import re

from flask import Response, render_template, request

from rules.kernel import Json
from service.core.settings.release import release
from service.core.words.words import Phrases, phrases
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.headers.compression import compressed
from service.web.page.files.serving import names
from service.web.page.first_answers import FirstAnswer


def html_answer(template: str, words: Phrases, **values: object) -> Response:
    """A page rendered from a template, in the language of these words."""
    language = words.language
    html = render_template(template, language=language, words=words, files=names(), **values)
    return Response(html, headers={"Content-Language": language})


def preview(name: str) -> str:
    """The address of the picture that messengers show next to a link."""
    return f"{current_services().config.public_url}/previews/{name}.png"


def words_for(query: Json, slug: str | None = None, version: int | None = None) -> Phrases:
    """The words of a ruleset (or, without a slug, of the service), in the language of the query or else the
    caller's.
    """
    return phrases(query.get("lang") or preferred_language(), slug, version)


def page(
    template: str, words: Phrases | None = None, *, status: int = 200, **values: object
) -> Response:
    """A page with these words or, without any, with the service's words in the caller's language."""
    response = html_answer(template, words or phrases(preferred_language()), **values)
    response.status_code = status
    response.headers["Vary"] = "Accept-Language"
    return response


def scripted(
    template: str,
    words: Phrases,
    *,
    title: str,
    description: str,
    picture: str,
    plain: str,
    first: list[FirstAnswer],
    later: str | None,
    **values: object,
) -> Response:
    """A page that the script continues, with its text for messengers and its address without scripts (`plain`).

    It contains the `first` API responses, each compressed separately, and preloads the module that is loaded `later`.
    """
    response = html_answer(
        template,
        words,
        title=title,
        description=description,
        picture=preview(picture),
        plain=f"/plain{plain}",
        release=release(),
        cookie=current_services().config.cookie in request.cookies,
        first=first,
        later=[later] if later else [],
        **values,
    )
    response.headers["Vary"] = "Accept-Language, Cookie"
    return compressed(response, _BETWEEN_ANSWERS.split(response.get_data(as_text=True)))


_BETWEEN_ANSWERS = re.compile(r'(?=<script type="application/json")')
