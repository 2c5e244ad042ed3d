"""The questions on pages behind links: the effect, and a button for it, or the reason why it is not allowed."""

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
"""The statuses of refusals that the page explains; nothing has been changed then."""
ANYWAY = "?anyway=true"


class Button(NamedTuple):
    """A button: its words and its query; `main` marks the preferred button."""

    words: str
    query: str = ""
    main: bool = False


class Way(NamedTuple):
    """A link from the page, with its words."""

    words: str
    url: str


class Question(NamedTuple):
    """A page: its title, its text, its buttons and its further links."""

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
    """The page of the question; with a `problem`, it says what could not be done."""
    refused = refusal(problem, words) if problem else None
    return html_answer(template, words, question=question, refused=refused, **values)


def refusal(problem: Problem, words: Phrases) -> tuple[str, str]:
    """The words that say what could not be done, and why."""
    detail = words.say(f"problem.{problem.slug}.{problem.detail}", problem.fields)
    return words.say(f"problem.{problem.slug}.title"), detail


def speak_to(player_id: str) -> None:
    """Have the present request answered in the language of the player to whom the link was mailed, whoever is signed
    in.
    """
    act_for(player_id)
    g.language = players.get(player_id).language


def attempted(do: Callable[[], Done]) -> tuple[Done | None, Problem | None]:
    """The result of `do`, or the problem that it raised, if that is one to explain on the page. Raises other
    problems.
    """
    try:
        return do(), None
    except NotFound:
        raise
    except Problem as problem:
        if problem.status not in REFUSALS:
            raise
        return None, problem


def insisting(words: Phrases, problem: Problem | None) -> list[Button]:
    """The button with which somebody sits down in spite of a block; no button if there is no such problem."""
    is_kept_apart = isinstance(problem, KeptApart)
    return [Button(words.say("page.kept-apart.do"), ANYWAY)] if is_kept_apart else []
