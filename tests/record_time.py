"""The examples of openapi.yaml about time, proposals and seats that change hands."""

from __future__ import annotations

from typing import Any

from tests.contract import Json


def about_time(recorder: Any, people: list[Json]) -> None:
    """Record a table with a clock: two players resign, one returns, and there are proposals."""
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
    orders(recorder, aki, at)
    asked(recorder, aki, bo, at)
    recorder.call("resign", cleo, **at)
    recorder.call("comeBack", dan, **at)
    recorder.call("makeProposal", dan, {"kind": "substitute", "seat": 2}, "substitute", **at)
    recorder.call("comeBack", cleo, **at)
    recorder.call("resign", cleo, **at)
    recorder.call("resign", bo, {"for_good": True}, "good", **at)
    recorder.call("makeProposal", cleo, {"kind": "substitute", "seat": 1}, "elsewhere", **at)


def orders(recorder: Any, aki: Json, at: Json) -> None:
    """An order is left at the first question, changed, listed and withdrawn."""
    recorder.call("changeOrders", aki, {"only_move": True}, **at)
    offered = recorder.call("getOrders", aki, **at)
    wish = {"asked": offered["asked"], "order": offered["offers"][0]["terms"]}
    made = recorder.call("makeOrder", aki, wish, **at)["order"]
    recorder.call("makeOrder", aki, {**wish, "asked": 0}, variant="stale", **at)
    again = {"order": {"name": made["order"]["name"], "until": {"times": 2}}}
    recorder.call("changeOrder", aki, again, order_id=made["id"], **at)
    recorder.call("listOrders", aki)
    recorder.call("withdrawOrder", aki, order_id=made["id"], **at)


def asked(recorder: Any, aki: Json, bo: Json, at: Json) -> None:
    """A proposal is made, repeated, agreed to and withdrawn."""
    pause = {"kind": "pause", "seconds": 604_800}
    game = recorder.call("makeProposal", aki, pause, **at)
    recorder.call("makeProposal", bo, pause, variant="again", **at)
    about = {"proposal_id": game["proposals"][0]["id"], **at}
    recorder.call("postVote", bo, {"agrees": True}, **about)
    recorder.call("listProposals", bo, **at)
    recorder.call("withdrawProposal", bo, **about)


def about_taking_back(recorder: Any, people: list[Json]) -> None:
    """Let one of two who choose at the same time change the choice and take it back, twice."""
    aki, bo, *_ = people
    wish = {"ruleset": "caravan", "start": "full", "nonce": None, "seating": "order"}
    at = {"game_id": recorder.call("openGame", aki, wish, variant="back")["id"]}
    recorder.call("takeSeat", bo, {"anyway": True}, variant="back", **at)
    game = recorder.call("getGame", aki, variant="back", **at)
    chosen = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    event = recorder.call("postAction", aki, chosen, variant="back", **at)["number"]
    possible = recorder.call("previewTakeBack", aki, query=f"event={event}", **at)
    change = {"event": event, "action": possible["game"]["legal"][1]["action"]}
    event = recorder.call("takeBack", aki, change, variant="change", **at)["number"]
    for _ in range(2):
        recorder.call("takeBack", aki, {"event": event}, **at)
