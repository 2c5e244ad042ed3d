"""Emails about proposals: the question, with a link for each vote, and the outcome."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.mail import OutboxRow
from service.core.models.proposals import Proposal, Vote
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import ANSWERS, vote_link
from service.notifications.mail_texts.times import local_time
from service.outbox.recipients import Recipient
from service.tables.play import proposals
from service.tables.services import Services
from service.tables.views import history_view, proposals_view

_UNANSWERED = select(Proposal.key).where(
    Proposal.key == bindparam("proposal"),
    Proposal.status == "open",
    exists().where(Tenure.id == bindparam("tenure"), Tenure.ended_at.is_(None)),
    ~exists().where(Vote.proposal_key == Proposal.key, Vote.tenure_id == bindparam("tenure")),
)


def is_unanswered(_services: Services, row: OutboxRow) -> bool:
    """Whether the proposal is open and this tenure has not voted."""
    values = {"proposal": row.number, "tenure": row.tenure_id}
    return db.session.execute(_UNANSWERED, values).first() is not None


def proposed(game: GameForReader, recipient: Recipient, row: OutboxRow) -> Json | None:
    """The contents of the email about a proposal on which the recipient has to vote; None if there is nothing to vote
    on.
    """
    if game.answer.me is None:
        return None
    config, person = game.services.config, game.holder
    proposal = proposals.listed(game.table, Proposal.key == row.number)[0]
    return {
        "asked": _proposal_words(game, proposal, briefly=True),
        "proposal": _proposal_words(game, proposal),
        "since": history_view.since_last_turn(game.services, game.answer),
        "due": local_time(proposal.due, recipient.zone, game.words),
        **{answer: vote_link(config, person, proposal, answer) for answer in ANSWERS},
    }


def outcome_lines(game: GameForReader, proposal_key: int) -> list[str]:
    """Lines about the proposal and the result of the vote."""
    proposal = proposals.listed(game.table, Proposal.key == proposal_key)[0]
    fields = {"words": _proposal_words(game, proposal)}
    return [
        game.words.say("mail.told.proposal", fields),
        game.words.say(f"vote.{proposal.status}.detail"),
    ]


def _proposal_words(game: GameForReader, proposal: Proposal, *, briefly: bool = False) -> str:
    """A proposal in the words of the page; `briefly` is for a subject."""
    answer = game.answer
    whom = (game.words, answer.reader, answer.viewer.player_id)
    (shown,) = proposals_view.worded(game.table, [proposal], *whom, by_mail=True, briefly=briefly)
    return str(shown["words"])
