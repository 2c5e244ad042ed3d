"""Links in mails that answer a proposal: pages for people, which work without JavaScript and without a sign-in.

A GET shows, a POST votes: mail programs follow links too. Whoever holds the link is answered in the language of the
player who is asked.
"""

from __future__ import annotations

from flask import Blueprint, Response

from service import consent, times, votes
from service.api.common import tools
from service.api.moves import for_people, page
from service.mail.readers import moment
from service.mail.scene import Scene
from service.people import find as player_of
from service.problems import NotFound, NotPossible, NotRunning, NotSeated
from service.settings import zone
from service.votes import Ballot

bp = Blueprint("votes", __name__, url_prefix="/votes", template_folder="../pages")


@bp.get("/<token>")
@for_people
def get_ballot(token: str) -> Response:
    """Show what is proposed and the table as it is now; nothing is answered."""
    ballot = found(token)
    if not ballot.stands or ballot.given == ballot.answer:
        return after(ballot)
    given = f"vote.{ballot.given}.given" if ballot.given else None
    keys = {"title": f"vote.{ballot.answer}.title", "confirm": f"vote.{ballot.answer}"}
    return told("vote.html", ballot, given=given, **keys)


@bp.post("/<token>")
@for_people
def cast_ballot(token: str) -> Response:
    """Answer; again it changes nothing, and too late it only shows what became of it."""
    ballot, kit = found(token), tools()
    where = (ballot.table.game.id, ballot.proposal.id, ballot.person.player_id)
    try:
        consent.vote(kit.outside, kit.states, *where, ballot.agrees)
    except NotSeated:
        raise NotFound from None
    except (NotPossible, NotRunning):
        pass  # it was decided before
    return after(found(token))


def found(token: str) -> Ballot:
    """What the link offers. Raises NotFound."""
    return votes.offered(tools().config, token)


def after(ballot: Ballot) -> Response:
    """What became of it; while that is open, how the person has answered."""
    status = ballot.proposal.status
    if ballot.stands:
        return told("voted.html", ballot, title=f"vote.{ballot.given}.done", became="vote.open")
    return told("voted.html", ballot, title=f"vote.{status}", became=f"vote.{status}.detail")


def told(template: str, ballot: Ballot, **values: str | None) -> Response:
    """A page about a proposal."""
    player = player_of(ballot.person.player_id)
    shown = Scene(tools(), ballot.table, player.id, player.language)
    names = shown.answer.names
    (asked,) = times.told(ballot.table, [ballot.proposal], shown.words, names, player.id)
    missing = [name for person, name in shown.answer.seated if person.seat in asked["missing"]]
    return page(
        template,
        shown,
        proposal=asked["words"],
        due=moment(ballot.proposal.due, zone(player), shown.words),
        missing=shown.words.listed(missing),
        **values,
    )
