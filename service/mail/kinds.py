"""Every kind of mail: who renders it, whether it still matters, how it can be stopped. A new kind is a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from service.api.common import Tools
from service.mail import accounts, before_start, games, invitations, proposals, turn
from service.mail.letter import Letter
from service.mail.looks import still_asked

Renderer = Callable[[Tools, Any], Letter | None]
Look = Callable[[Tools, Any], bool]


def always(_kit: Tools, _row: Any) -> bool:
    """It does not come too late."""
    return True


class Kind(NamedTuple):
    """A kind of mail. `render` and `matters` read the database in a fresh snapshot and change nothing."""

    render: Renderer
    """The letter as it is to be sent now, from the row of the outbox; None: there is nothing to say any more."""
    matters: Look = always
    """A quick look, before rendering and again directly before the text is sent: is the row of interest yet?"""
    stop: Literal["", "player", "address"] = ""
    """Whether it can be stopped: by its player (this kind, this game, all), or as an invitation by its reader."""
    requested: bool = False
    """Somebody has just asked for it: it is tried even where mail was refused, and so can be verified anew."""


KINDS: dict[str, Kind] = {
    "turn": Kind(turn.turn, still_asked, stop="player"),
    "reminder": Kind(turn.reminder, still_asked, stop="player"),
    "proposal": Kind(proposals.proposal, proposals.unanswered, stop="player"),
    "over": Kind(games.over, stop="player"),
    "told": Kind(games.told, stop="player"),
    "taken-over": Kind(games.taken_over, stop="player"),
    "before-start": Kind(before_start.before_start, stop="player"),
    "invitation": Kind(invitations.invite, invitations.stands, stop="address"),
    "offer": Kind(invitations.offer, invitations.stands, stop="player"),
    "nudge": Kind(turn.nudge, still_asked, stop="player"),
    "verify": Kind(accounts.verify, requested=True),
    "known-address": Kind(accounts.known_address),
    "address-changed": Kind(accounts.address_changed),
    "sign-in": Kind(accounts.sign_in, accounts.fresh, requested=True),
    "reset": Kind(accounts.reset, accounts.fresh, requested=True),
}
"""By the name in `outbox.kind`."""
