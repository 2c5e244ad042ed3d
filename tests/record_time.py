"""The examples of openapi.yaml about time, proposals and seats that change hands."""

from __future__ import annotations

from typing import Any

from tests.contract import Json


def about_time(recorder: Any, people: list[Json]) -> None:
    """A table with a clock: two players resign, one returns, and there are proposals."""
    aki, bo, cleo, dan = people
    recorder.call("listPaces")
    wish = {
        "ruleset": "boomerang-auction",
        "seating": "order",
        "start": "full",
        "nonce": None,
        "pace": "daily",
    }
    at = {"game_id": recorder.call("openGame", aki, wish, variant="time")["id"]}
    recorder.call("takeSeat", bo, {}, variant="apart", **at)  # they have blocked somebody there
    for who in (bo, cleo):
        recorder.call("takeSeat", who, {"anyway": True}, variant="time", **at)
    recorder.call("getClock", aki, **at)
    asked(recorder, aki, bo, at)
    recorder.call("resign", cleo, **at)
    recorder.call("comeBack", dan, **at)
    recorder.call("makeProposal", dan, {"kind": "substitute", "seat": 2}, "substitute", **at)
    recorder.call("comeBack", cleo, **at)
    recorder.call("resign", cleo, **at)
    recorder.call("resign", bo, {"for_good": True}, "good", **at)
    recorder.call("makeProposal", cleo, {"kind": "substitute", "seat": 1}, "elsewhere", **at)


def asked(recorder: Any, aki: Json, bo: Json, at: Json) -> None:
    """A proposal is made, repeated, agreed to and withdrawn."""
    pause = {"kind": "pause", "seconds": 604_800}
    game = recorder.call("makeProposal", aki, pause, **at)
    recorder.call("makeProposal", bo, pause, variant="again", **at)
    about = {"proposal_id": game["proposals"][0]["id"], **at}
    recorder.call("postVote", bo, {"agrees": True}, **about)
    recorder.call("listProposals", bo, **at)
    recorder.call("withdrawProposal", bo, **about)
