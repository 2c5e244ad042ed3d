"""Links in emails that vote on a proposal. A GET shows the proposal, and a POST votes, because mail programs follow
links too.
"""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.runtime.problems import NotFound, NotPossible, NotRunning, NotSeated
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import LinkedVote, read_vote_link
from service.notifications.mail_texts.times import local_time
from service.people import players
from service.people.accounts.preferences import time_zone
from service.tables.play import proposals
from service.tables.views import proposals_view
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits.cause import act_for
from service.web.page.game_page import game_page, html_not_found

bp = Blueprint("vote_link", __name__, url_prefix="/votes")


@bp.get("/<token>")
@html_not_found
def get_ballot(token: str) -> Response:
    """Show the proposal and the present table; no vote is cast."""
    vote = read_vote_link(current_services(), token)
    if not vote.is_open or vote.previous == vote.answer:
        return outcome(vote)
    given = f"vote.{vote.previous}.given" if vote.previous else None
    keys = {"title": f"vote.{vote.answer}.title", "confirm": f"vote.{vote.answer}"}
    return vote_page("vote.html", vote, given=given, **keys)


@bp.post("/<token>")
@from_anywhere
@html_not_found
def cast_ballot(token: str) -> Response:
    """Vote on the proposal. A second vote changes nothing, and a late vote only shows the outcome. Raises NotFound."""
    services = current_services()
    vote = read_vote_link(services, token)
    act_for(vote.player_id)
    ids = (vote.table.game.id, vote.proposal.id, vote.player_id)
    try:
        proposals.vote(services, *ids, vote.agrees)
    except NotSeated:
        raise NotFound from None
    except (NotPossible, NotRunning):
        pass  # the proposal was already decided
    return outcome(read_vote_link(services, token))


def outcome(vote: LinkedVote) -> Response:
    """The page about the outcome of the proposal or, while it is open, about the person's vote."""
    status = vote.proposal.status
    if vote.is_open:
        title = f"vote.{vote.previous}.done"
        return vote_page("voted.html", vote, title=title, became="vote.open")
    return vote_page("voted.html", vote, title=f"vote.{status}", became=f"vote.{status}.detail")


def vote_page(template: str, vote: LinkedVote, **values: str | None) -> Response:
    """A page about a proposal."""
    player = players.get(vote.player_id)
    game = GameForReader(current_services(), vote.table, player.id, player.language)
    (shown,) = proposals_view.worded(
        vote.table, [vote.proposal], game.words, game.answer.reader, player.id, by_mail=True
    )
    missing = [name for person, name in game.answer.seated if person.seat in shown["missing"]]
    return game_page(
        template,
        game,
        proposal=shown["words"],
        due=local_time(vote.proposal.due, time_zone(player), game.words),
        missing=game.words.listed([game.words.called(name) for name in missing]),
        **values,
    )
