"""What the pages behind links ask: what would happen, and a button for it. What cannot be done is said there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from flask import Response, g

from service.core.runtime.problems import KeptApart, NotFound, Problem
from service.core.words.words import Phrases
from service.people import players
from service.web.http.limits.cause import act_for
from service.web.page.rendering import html_answer

Done = TypeVar("Done")
REFUSALS = {403, 409, 422, 429}
"""What becomes of something that cannot be done, and is said on the page: nothing was changed."""
ANYWAY = "?anyway=true"


class Button(NamedTuple):
    """What a button says, and the query that it sends; the one that is meant first is `main`."""

    words: str
    query: str = ""
    main: bool = False


class Way(NamedTuple):
    """A link from the page, in words."""

    words: str
    url: str


class Question(NamedTuple):
    """A page: its title, what it says, what can be done, and where to go from there."""

    title: str
    said: Sequence[str] = ()
    buttons: Sequence[Button] = ()
    ways: Sequence[Way] = ()


def ask(
    words: Phrases,
    question: Question,
    problem: Problem | None = None,
    template: str = "link_question.html",
    **values: object,
) -> Response:
    """The page, which says what could not be done if there was a `problem`."""
    refused = refusal(problem, words) if problem else None
    return html_answer(template, words, question=question, refused=refused, **values)


def refusal(problem: Problem, words: Phrases) -> tuple[str, str]:
    """What could not be done, and why."""
    detail = words.say(f"problem.{problem.slug}.{problem.detail}", problem.fields)
    return words.say(f"problem.{problem.slug}.title"), detail


def speak_to(player_id: str) -> None:
    """Answer in the language of the player to whom the link was mailed, who is acting, whoever is signed in here."""
    act_for(player_id)
    g.language = players.get(player_id).language


def attempted(do: Callable[[], Done]) -> tuple[Done | None, Problem | None]:
    """What was done, or why it could not be."""
    try:
        return do(), None
    except NotFound:
        raise
    except Problem as problem:
        if problem.status not in REFUSALS:
            raise
        return None, problem


def insisting(words: Phrases, problem: Problem | None) -> list[Button]:
    """The button of who sits down also beside somebody from whom a block keeps them apart."""
    is_kept_apart = isinstance(problem, KeptApart)
    return [Button(words.say("page.kept-apart.do"), ANYWAY)] if is_kept_apart else []
