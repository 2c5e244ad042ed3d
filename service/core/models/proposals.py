"""The tables of proposals and of the votes on them. Times are ms since 1970 UTC."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, partial_index

ProposalStatus = Literal["open", "accepted", "refused", "lapsed", "withdrawn"]


class Proposal(Base):
    """Something that the table has to agree on."""

    __tablename__ = "proposals"
    __table_args__ = (
        Index(None, "game_key", "key"),
        partial_index("ix_proposals_open", "status = 'open'", "due"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    kind: Mapped[str] = mapped_column(String(12))
    """The kind: `pause`, `resume`, `extend`, `close`, `takeback` or `substitute`."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    """The player who proposes; None once that person is erased."""
    terms: Mapped[Json] = mapped_column(JSON)
    """The details of the proposal: `seat`, `seconds`, `outcome` or `event`, depending on the kind."""
    status: Mapped[ProposalStatus] = mapped_column(String(10))
    made_at: Mapped[int] = mapped_column(BigInteger)
    due: Mapped[int] = mapped_column(BigInteger)
    """The time at which missing votes count as a rejection."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)


class Vote(Base):
    """The vote of one tenure on a proposal."""

    __tablename__ = "votes"

    proposal_key: Mapped[int] = mapped_column(ForeignKey("proposals.key"), primary_key=True)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id"), primary_key=True)
    agrees: Mapped[bool]
    at: Mapped[int] = mapped_column(BigInteger)
