"""Links in mails that vote on a proposal: whoever has the link may give this answer for a tenure that holds a seat.

A link names the tenure, the proposal and the answer. Its signature is checked before anything is read. It dies when the
seat changes hands.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from service.core.models.proposals import Proposal, ProposalRow
from service.core.runtime.problems import NotFound
from service.core.runtime.signatures import is_same, signature
from service.core.settings.config import Config
from service.log.table_rows.table import Holder, Table
from service.notifications.mail_texts.move_links import find_seated
from service.tables.play import proposal_queries

ANSWERS = {"refuse": False, "agree": True}
_TOKEN = re.compile(
    r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.(q_[0-9A-Za-z]{22})\.(agree|refuse)", re.ASCII
)
"""Tenure, signature, proposal, answer."""


class LinkedVote(NamedTuple):
    """What a link votes: an answer of a person at the table to a proposal, both as they are now."""

    table: Table
    person: Holder
    player_id: str
    proposal: ProposalRow
    answer: str
    """`agree` or `refuse`."""

    @property
    def agrees(self) -> bool:
        """The answer as a vote."""
        return ANSWERS[self.answer]

    @property
    def is_open(self) -> bool:
        """Whether the proposal can still be voted on."""
        return self.table.game.status == "running" and self.proposal.status == "open"

    @property
    def previous(self) -> str | None:
        """This person's answer so far, if any."""
        votes = proposal_queries.votes_on([self.proposal.key])[self.proposal.key]
        vote = votes.get(self.person.tenure)
        return next((name for name, agrees in ANSWERS.items() if agrees is vote), None)


def vote_link(
    config: Config, table: Table, person: Holder, proposal: ProposalRow, answer: str
) -> str:
    """The link that gives this answer to a proposal."""
    signed = _signature(config, person.tenure, proposal.id, answer)
    return f"{config.public_url}/votes/{person.tenure}.{signed}.{proposal.id}.{answer}"


def read_vote_link(config: Config, token: str) -> LinkedVote:
    """What a link votes. Raises NotFound if it is not signed, or if the seat has changed hands."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise NotFound
    tenure, signed, proposal_id, answer = match.groups()
    if not is_same(signed, _signature(config, tenure, proposal_id, answer)):
        raise NotFound
    table, person, player_id = find_seated(tenure)
    found = proposal_queries.listed(table, Proposal.id == proposal_id)
    if not found:
        raise NotFound
    return LinkedVote(table, person, player_id, found[0], answer)


def _signature(config: Config, tenure: str, proposal: str, answer: str) -> str:
    return signature(config.secret_key, "vote", tenure, proposal, answer)
