"""Links in mails that play a move: pages for people, which work without JavaScript and without a sign-in.

A GET shows, a POST plays: mail programs follow links too. Whoever holds the link is answered in the language of the
player whose seat it is. A link to all that may be done leads through a form: a page for each step, of links alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from flask import Blueprint, Response, render_template, request

from rules.kernel import Json
from service import choosing, moves, play, steps
from service.api.common import asks, language, tools
from service.mail.scene import MOST_CHOICES, Scene
from service.moves import Offer
from service.people import find as player_of
from service.play import Played
from service.problems import NotFound, Problem
from service.schemas import StepQuery
from service.since import since
from service.words import phrases

F = TypeVar("F", bound=Callable[..., Response])
_FORMS = ["application/problem+json", "text/html"]

bp = Blueprint("moves", __name__, url_prefix="/moves", template_folder="../pages")


def for_people(endpoint: F) -> F:
    """Tell a browser on a page of its own that there is nothing; programs get the problem, like everywhere."""

    @functools.wraps(endpoint)
    def told(token: str) -> Response:
        try:
            return endpoint(token)
        except NotFound:
            if request.accept_mimetypes.best_match(_FORMS) != "text/html":
                raise
            return gone()

    return told  # type: ignore[return-value]


def gone() -> Response:
    """There is no such move."""
    chosen = language()
    html = render_template("gone.html", language=chosen, words=phrases(chosen))
    return Response(html, 404, headers={"Content-Language": chosen, "Vary": "Accept-Language"})


@bp.get("/<token>")
@for_people
@asks(StepQuery)
def get_move(query: Json, token: str) -> Response:
    """Show the move, or what may be chosen, and the table as it is now; nothing is played."""
    offer = found(token)
    shown = scene(offer)
    if not offer.stands or not shown.game["legal"]:
        return late(offer, shown)
    if offer.action is None:
        return form(shown, steps.path_of(query.get("step")))
    return page("move.html", shown, action=shown.answer.action(offer.action))


@bp.post("/<token>")
@for_people
def play_move(token: str) -> Response:
    """Play the move; again, or too late, it only shows the table. Raises NotFound for a form, which plays nothing."""
    offer, kit = found(token), tools()
    if offer.action is None:
        raise NotFound
    try:
        played = play.play(
            kit.outside, kit.states, offer.table, offer.person.player_id, offer.asked, offer.action
        )
    except Problem as problem:
        return refused(found(token), problem)
    return after(offer, offer.action, played)


def found(token: str) -> Offer:
    """What the link offers. Raises NotFound."""
    return moves.offered(tools().config, tools().states, token)


def scene(offer: Offer) -> Scene:
    """The table as the seat sees it now."""
    player_id = offer.person.player_id
    return Scene(tools(), offer.table, player_id, player_of(player_id).language)


def form(shown: Scene, path: tuple[int, ...]) -> Response:
    """What is to be chosen next, behind the ways of `path`."""
    legal = shown.game["legal"]
    actions = [each["action"] for each in legal]
    walk = steps.walk(shown.table.ruleset.actions, actions, path)
    read = choosing.shown(shown.answer, legal, walk)
    urls = [way_to(shown, walk, place) for place in range(len(walk.step.ways))]
    back = step_to(shown, walk.path[:-1]) if walk.path else None
    return page("form.html", shown, step=read, ways=zip(urls, read.ways, strict=True), back=back)


def way_to(shown: Scene, walk: steps.Walk, place: int) -> str:
    """Where the way at `place` of a step leads: to the move itself, if there is but one."""
    left = walk.step.ways[place].left
    return shown.choice(left[0]).url if len(left) == 1 else step_to(shown, (*walk.path, place))


def step_to(shown: Scene, path: tuple[int, ...]) -> str:
    """The address of a step."""
    return f"{shown.form}?step={'.'.join(map(str, path))}" if path else shown.form


def after(offer: Offer, action: Json, played: Played) -> Response:
    """What the move led to, and what comes next."""
    shown = scene(offer._replace(table=played.table))
    told = "move.played" if played.new else "move.already"
    happened = since(tools().states, shown.answer, played.number - 1)
    worded = shown.answer.action(action)
    return page("moved.html", shown, title=told, action=worded, since=happened)


def late(offer: Offer, shown: Scene) -> Response:
    """The table has moved on; perhaps because of this very move."""
    event = play.answered(offer.table, offer.person, offer.asked)
    if event is not None and event["action"] == offer.action:
        action = shown.answer.action(event["action"])
        return page("moved.html", shown, title="move.already", action=action, since=None)
    return unplayed(shown, "stale")


def refused(offer: Offer, problem: Problem) -> Response:
    """Why nothing was played. Raises the problem if it is none of the table."""
    if problem.status not in {409, 422}:
        raise problem
    return unplayed(scene(offer), problem.slug)


def unplayed(shown: Scene, slug: str) -> Response:
    """A move that cannot be played any more: why, and the table as it is now."""
    return page("unmoved.html", shown, slug=slug)


def page(template: str, shown: Scene, **values: Any) -> Response:
    """A page about a game."""
    chosen = shown.answer.viewer.language
    html = render_template(
        template,
        language=chosen,
        words=shown.words,
        name=shown.words.say("name"),
        table=shown.drawn(),
        choices=shown.choices() if shown.game["waiting"] else [],
        most=MOST_CHOICES,
        form=shown.form,
        url=shown.url,
        over=shown.table.game.status == "over",
        **values,
    )
    return Response(html, headers={"Content-Language": chosen})
