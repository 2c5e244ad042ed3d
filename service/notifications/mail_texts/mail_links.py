"""Links in emails with which people play a move, vote, see a table or use the emails' other offers, without signing in.

Each link is signed for one purpose, and names a tenure. It stops working when the seat changes hands (except the link
that takes it back), and some time after the end of the game. Anybody who has a link can do what its recipient can. It
reveals no card and cannot be altered, and it ends in a letter or a digit, so that mail programs find its end. The link
to a place kept for a player names the invitation instead, and ends with the invitation. The link that switches a
webhook on names the webhook and the time when it was switched off, and ends when the webhook is on.

A link that plays a move names the question and the position of the action in the list of legal actions. The first half
of its signature covers the link, and is checked before anything is read, so that strangers learn nothing even from
response times. The second half covers the game and the action. A link without a position leads to the form on which any
legal action can be chosen. A link that shows a table names the question, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sqlalchemy import select

import rules
from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Game, Tenure
from service.core.models.proposals import Proposal
from service.core.runtime.problems import NotFound
from service.core.runtime.signatures import is_same, signature
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log.event_log import played_then
from service.log.table_rows.table import GameRow, Holder, Person, Table, find
from service.tables.drawing.action_narrowing import MOST_LISTED
from service.tables.play import proposals
from service.tables.play.orders.offers import offers
from service.tables.services import Services

MOST_CHOICES = MOST_LISTED
"""The largest number of choices that are listed with links; longer lists have one link to the form."""
FIRST_ORDER = 90_000
"""The position from which on numbers mean standing orders for a question (play/orders/offers.py).

No list of legal actions is that long.
"""
OF_LINK, OF_ACTION = 22, 21
"""The lengths of the two halves of a signature, in characters."""
_MOVE = re.compile(
    r"(t_[0-9A-Za-z]{22})\.([\w-]{22})([\w-]{21})\.([1-9][0-9]{0,8})(?:\.(0|[1-9][0-9]{0,4}))?",
    re.ASCII,
)
"""The pattern of a link to a move: the tenure, the halves of the signature, the question, the position."""
KEPT = 90 * DAY
"""The time (ms) for which the links of a finished game show the game."""
SeatPurpose = Literal["extensions", "vacations", "mails", "records", "rematches"]
"""The other purposes of a seat's links: more time, vacations, choosing emails, record and rematch."""
ANSWERS = {"refuse": False, "agree": True}
_VOTE, _TABLE, _SEAT = r"(q_[0-9A-Za-z]{22})\.(agree|refuse)", "(0|[1-9][0-9]{0,8})", "0"
"""The patterns of the parts after tenure and signature in other links: proposal and vote, the question, or nothing."""
_OFFER = re.compile(
    r"(g_[0-9A-Za-z]{22})\.([\w-]{43})\.(i_[0-9A-Za-z]{22})\.(p_[0-9A-Za-z]{22})", re.ASCII
)
"""The pattern of an offer: the game, the signature, the invitation, the player."""
_WEBHOOK = re.compile(r"(w_[0-9A-Za-z]{22})\.([\w-]{43})\.([1-9][0-9]{0,15})", re.ASCII)
"""The pattern of a link to a webhook: the webhook, the signature, and the time when it was switched off."""


ORDER = "order"
"""The member with the terms of a standing order, in a link that leaves one instead of playing an action."""


class LinkedMove(NamedTuple):
    """A link's answer to question `asked`: an action, or None for the action that is chosen on the form.

    If the link leaves a standing order at that question, the action has only the member ORDER.
    """

    table: Table
    person: Holder
    player_id: str
    asked: int
    action: Json | None

    @property
    def order(self) -> Json | None:
        """The terms of the order that the link leaves; None if it leaves none."""
        return None if self.action is None else self.action.get(ORDER)

    @property
    def is_current(self) -> bool:
        """Whether the seat still has this question."""
        return self.table.game.status == "running" and self.person.asked == self.asked


class HandedOver(NotFound):
    """Raised for a link whose tenure has ended; it has the former player and the table."""

    def __init__(self, table: Table, player_id: str, tenure: str) -> None:
        super().__init__()
        self.table, self.player_id, self.tenure = table, player_id, tenure


def move_link(
    config: Config,
    table: Table,
    person: Holder,
    place: int | None = None,
    action: Json | None = None,
) -> str:
    """The link that plays `action`, the legal action at `place`, as the answer to the present question.

    Without an action, it leads to the form on which the answer is chosen.
    """
    of_link = _signature_of_link(config, person.tenure, person.asked, place)
    of_action = _signature_of_action(config, table, person.asked, action)
    end = "" if place is None else f".{place}"
    return f"{config.public_url}/moves/{person.tenure}.{of_link}{of_action}.{person.asked}{end}"


def read_move_link(services: Services, token: str) -> LinkedMove:
    """The contents of a link that plays.

    Raises NotFound if it is not signed, and HandedOver if the seat has changed hands.
    """
    match = _MOVE.fullmatch(token)
    if match is None:
        raise NotFound
    tenure, of_link, of_action, asked = match[1], match[2], match[3], int(match[4])
    place = None if match[5] is None else int(match[5])
    if not is_same(of_link, _signature_of_link(services.config, tenure, asked, place)):
        raise NotFound
    table, person, player_id = find_seated(tenure)
    _refuse_old(services, table)
    for action in _actions(services, table, person, asked, place):
        if is_same(of_action, _signature_of_action(services.config, table, asked, action)):
            return LinkedMove(table, person, player_id, asked, action)
    raise NotFound


def find_seated(tenure: str) -> tuple[Table, Holder, str]:
    """The table at which a tenure now holds a seat, with the holder and the player's id.

    Raises HandedOver if the tenure held a seat before, and NotFound if it never did.
    """
    table, person, player_id = find_person(tenure)
    if not isinstance(person, Holder):
        raise NotFound
    return table, person, player_id


def find_person(tenure: str) -> tuple[Table, Person, str]:
    """The table at which a tenure is, with the person and the player's id; the game may not have begun.

    Raises HandedOver if the tenure has ended, and NotFound if there is no such tenure.
    """
    query = select(Game.id, Tenure.player_id, Tenure.ended).where(Tenure.id == tenure)
    found = db.session.execute(query.join(Tenure, Tenure.game_key == Game.key)).one_or_none()
    if found is None or found.player_id is None:
        raise NotFound
    table = find(found.id)
    person = next((each for each in table.people if each.tenure == tenure), None)
    if person is not None and person.player_id is not None:
        return table, person, person.player_id
    if found.ended is not None:
        raise HandedOver(table, found.player_id, tenure)
    raise NotFound


def _refuse_old(services: Services, table: Table) -> None:
    """Raise NotFound if the game has been over for so long that no link shows it any more."""
    ended = table.game.ended_at
    if ended is not None and ended + KEPT < services.now():
        raise NotFound


def _actions(
    services: Services, table: Table, person: Holder, asked: int, place: int | None
) -> Iterator[Json | None]:
    """The actions for which a link may have been made: those at `place` by the present rules, and by earlier rules."""
    if place is None:
        yield None
        return
    if asked > table.game.number:
        return
    yield from _legal_then(services, table.game, person.seat, asked, place)
    then = played_then(table.game, asked)
    if then.version != table.game.version:
        yield from _legal_then(services, then, person.seat, asked, place)


def _legal_then(services: Services, game: GameRow, seat: int, asked: int, place: int) -> list[Json]:
    """The legal action at `place` when the seat had question `asked`, in a list; empty if there was none."""
    state = services.states.load(game.as_of(asked), asked)
    ruleset = rules.load(game.ruleset, game.version)
    if place >= FIRST_ORDER:
        found = offers(ruleset, state, seat)[place - FIRST_ORDER :][:1]
        return [{ORDER: each} for each in found]
    return ruleset.legal(state, seat)[place : place + 1]


def _signature_of_link(config: Config, tenure: str, asked: int | None, place: int | None) -> str:
    return signature(config.secret_key, "move link", tenure, asked, place)[:OF_LINK]


def _signature_of_action(
    config: Config, table: Table, asked: int | None, action: Json | None
) -> str:
    return signature(config.secret_key, "move", table.game.id, asked, action)[:OF_ACTION]


class LinkedVote(NamedTuple):
    """A link's vote: the answer of a person at the table to a proposal, both in their present state."""

    table: Table
    person: Holder
    player_id: str
    proposal: Proposal
    answer: str
    """The answer: `agree` or `refuse`."""

    @property
    def agrees(self) -> bool:
        """Whether the answer agrees."""
        return ANSWERS[self.answer]

    @property
    def is_open(self) -> bool:
        """Whether the proposal can still be voted on."""
        return self.table.game.status == "running" and self.proposal.status == "open"

    @property
    def previous(self) -> str | None:
        """This person's answer so far; None if there is none."""
        votes = proposals.votes_on([self.proposal.key])[self.proposal.key]
        vote = votes.get(self.person.tenure)
        return next((name for name, agrees in ANSWERS.items() if agrees is vote), None)


def vote_link(config: Config, person: Holder, proposal: Proposal, answer: str) -> str:
    """The link that votes on a proposal with this answer."""
    signed = signature(config.secret_key, "vote", person.tenure, proposal.id, answer)
    return f"{config.public_url}/votes/{person.tenure}.{signed}.{proposal.id}.{answer}"


def read_vote_link(services: Services, token: str) -> LinkedVote:
    """The vote of a link. Raises NotFound if it is not signed, or if the seat has changed hands."""
    tenure, proposal_id, answer = _signed_parts(services.config, "vote", _VOTE, token)
    table, person, player_id = find_seated(tenure)
    _refuse_old(services, table)
    found = proposals.listed(table, Proposal.id == proposal_id)
    if not found:
        raise NotFound
    return LinkedVote(table, person, player_id, found[0], answer)


def table_link(config: Config, person: Person) -> str:
    """The link that shows this person's table, before, during and after the game."""
    asked = person.asked if isinstance(person, Holder) else 0
    signed = signature(config.secret_key, "table", person.tenure, asked)
    return f"{config.public_url}/tables/{person.tenure}.{signed}.{asked}"


def read_table_link(services: Services, token: str) -> tuple[Table, str]:
    """The table that a link shows, and the id of the player who sits there.

    Raises NotFound if it is not signed, and HandedOver if the seat has changed hands.
    """
    tenure, _ = _signed_parts(services.config, "table", _TABLE, token)
    table, _, player_id = find_person(tenure)
    _refuse_old(services, table)
    return table, player_id


class LinkedSeat(NamedTuple):
    """The seat of a link with one purpose, in its present state."""

    table: Table
    person: Holder
    player_id: str


def purpose_link(config: Config, purpose: SeatPurpose, tenure: str) -> str:
    """The link for this purpose, for the holder of this tenure."""
    signed = signature(config.secret_key, purpose, tenure)
    return f"{config.public_url}/{purpose}/{tenure}.{signed}.0"


def read_purpose_link(services: Services, purpose: SeatPurpose, token: str) -> LinkedSeat:
    """The seat of a link with this purpose.

    Raises NotFound if it is not signed, and HandedOver if the seat has changed hands.
    """
    (tenure,) = _signed_parts(services.config, purpose, _SEAT, token)
    found = LinkedSeat(*find_seated(tenure))
    _refuse_old(services, found.table)
    return found


class LinkedOffer(NamedTuple):
    """The invitation of a player, and the table to which its link leads."""

    game_id: str
    invitation_id: str


def offer_link(config: Config, game_id: str, invitation_id: str, player_id: str) -> str:
    """The link with which this invited player sits down."""
    signed = signature(config.secret_key, "offers", game_id, invitation_id, player_id)
    return f"{config.public_url}/offers/{game_id}.{signed}.{invitation_id}.{player_id}"


def read_offer_link(config: Config, token: str) -> tuple[LinkedOffer, str]:
    """The offer in a link, and the id of its player. Raises NotFound if it is not signed."""
    match = _OFFER.fullmatch(token)
    if match is None:
        raise NotFound
    game_id, signed, invitation_id, player_id = match.groups()
    if not is_same(
        signed, signature(config.secret_key, "offers", game_id, invitation_id, player_id)
    ):
        raise NotFound
    return LinkedOffer(game_id, invitation_id), player_id


class LinkedWebhook(NamedTuple):
    """The webhook that a link switches on, and the time since which it was off when the link was mailed (ms UTC)."""

    webhook_id: str
    off_at: int


def webhook_link(config: Config, webhook_id: str, off_at: int) -> str:
    """The link that switches on a webhook that was switched off at this time."""
    signed = signature(config.secret_key, "webhooks", webhook_id, off_at)
    return f"{config.public_url}/webhooks/{webhook_id}.{signed}.{off_at}"


def read_webhook_link(services: Services, token: str) -> LinkedWebhook:
    """The webhook of a link. Raises NotFound if it is not signed, or was mailed too long ago."""
    match = _WEBHOOK.fullmatch(token)
    if match is None:
        raise NotFound
    found = LinkedWebhook(match[1], int(match[3]))
    signed = signature(services.config.secret_key, "webhooks", *found)
    if not is_same(match[2], signed) or found.off_at + KEPT < services.now():
        raise NotFound
    return found


def seat_link(config: Config, tenure: str) -> str:
    """The link with which the former holder of this tenure takes the seat back."""
    return f"{config.public_url}/seats/{tenure}.{signature(config.secret_key, 'seat', tenure)}.0"


def read_seat_link(config: Config, token: str) -> HandedOver:
    """The seat that a link takes back. Raises NotFound if it is not signed, or if its tenure has not ended."""
    (tenure,) = _signed_parts(config, "seat", _SEAT, token)
    try:
        find_seated(tenure)
    except HandedOver as seat:
        return seat
    raise NotFound


def _signed_parts(config: Config, purpose: str, about: str, token: str) -> list[str]:
    """The tenure in a link and its other parts, as in the pattern `about`.

    Raises NotFound if it is not signed for this purpose.
    """
    match = re.fullmatch(rf"(t_[0-9A-Za-z]{{22}})\.([\w-]{{43}})\.{about}", token, re.ASCII)
    if match is None:
        raise NotFound
    tenure, signed, *parts = match.groups()
    values = (int(part) if part.isdigit() else part for part in parts)
    if not is_same(signed, signature(config.secret_key, purpose, tenure, *values)):
        raise NotFound
    return [tenure, *parts]
