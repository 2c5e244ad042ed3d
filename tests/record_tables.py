"""The examples of openapi.yaml about invitations, rematches and nudges."""

from __future__ import annotations

from typing import Any

from service.core.units import DAY
from tests.contract import Json


def about_invitations(recorder: Any, host: Json) -> None:
    """A player with a verified address invites somebody by mail."""
    game = recorder.call("openGame", host, {"ruleset": "caravan"}, variant="inviting")
    at = {"game_id": game["id"]}
    wish = {"address": "friend@example.org", "language": "ja"}
    for _ in range(2):
        made = recorder.call("makeInvitation", host, wish, **at)
    recorder.call("listInvitations", host, **at)
    recorder.call("takeInvitationBack", host, invitation_id=made["id"], **at)
    recorder.call("leaveSeat", host, tenure_id=game["tenure"], **at)


def about_playing_again(recorder: Any, people: list[Json], over: Json) -> None:
    """A rematch of three players: one declines, house players join, and the host starts early."""
    aki, bo, cleo, _ = people
    wish = {"address": "friend@example.org"}
    nonce = {"nonce": "5a8c2f0e91d34b7766e0a1b2c3d4e5f6"}
    game = recorder.call("makeRematch", aki, nonce, game_id=over["id"])
    at = {"game_id": game["id"]}
    recorder.call("makeInvitation", aki, wish, **at)
    told = recorder.call("listMyInvitations", cleo)
    recorder.call("declineInvitation", cleo, invitation_id=told["invitations"][0]["id"])
    recorder.call("makeRematch", bo, {}, game_id=over["id"])
    recorder.call("startGame", aki, {"house": True}, **at)
    recorder.call("nudge", bo, **at)
    recorder.clock.at += DAY
    recorder.call("nudge", bo, **at)
