"""Links in mails that answer a proposal: whoever holds one may vote so for this tenure, as long as it holds its seat.

A link names the tenure, the proposal and the answer; its signature covers the game as well. It is nobody's once the
seat has changed hands.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, NamedTuple

from itsdangerous import Signer

from rules.kernel import text
from service import consent
from service.config import Config
from service.models_clock import Proposal
from service.moves import seat_of
from service.problems import NotFound
from service.table import Table

SALT = "tegami vote"
ANSWERS = {"refuse": False, "agree": True}
_TOKEN = re.compile(
    r"(t_[0-9A-Za-z]{22})\.([\w-]{43})\.(q_[0-9A-Za-z]{22})\.(agree|refuse)", re.ASCII
)
"""Tenure, signature, proposal, answer."""


class Ballot(NamedTuple):
    """What a link offers: an answer of somebody at the table to a proposal, as both are now."""

    table: Table
    person: Any
    proposal: Any
    answer: str
    """`agree` or `refuse`."""

    @property
    def agrees(self) -> bool:
        """The answer as a vote."""
        return ANSWERS[self.answer]

    @property
    def stands(self) -> bool:
        """Whether the table is still asked this."""
        return self.table.game.status == "running" and bool(self.proposal.status == "open")

    @property
    def given(self) -> str | None:
        """How this person has answered so far, if at all."""
        votes = consent.votes_on([self.proposal.key]).get(self.proposal.key, {})
        mine = votes.get(self.person.tenure)
        return next((name for name, agrees in ANSWERS.items() if agrees is mine), None)


def link(config: Config, table: Table, person: Any, proposal: Any, answer: str) -> str:
    """The address that gives this answer to a proposal."""
    what = _what(person.tenure, table.game.id, proposal.id, answer)
    signature = _signer(config).get_signature(what).decode()
    return f"{config.public_url}/votes/{person.tenure}.{signature}.{proposal.id}.{answer}"


def offered(config: Config, token: str) -> Ballot:
    """What a link offers. Raises NotFound for one that we never made, or whose seat has changed hands."""
    read = _TOKEN.fullmatch(token)
    if read is None:
        raise NotFound
    tenure, signature, proposal_id, answer = read.groups()
    table, person = seat_of(tenure)
    what = _what(tenure, table.game.id, proposal_id, answer)
    found = consent.listed(table, Proposal.id == proposal_id)
    if not found or not _signer(config).verify_signature(what, signature):
        raise NotFound
    return Ballot(table, person, found[0], answer)


def _what(tenure: str, game: str, proposal: str, answer: str) -> str:
    """What is signed."""
    return text([tenure, game, proposal, answer])


def _signer(config: Config) -> Signer:
    return Signer(config.secret_key, salt=SALT, key_derivation="hmac", digest_method=hashlib.sha256)
