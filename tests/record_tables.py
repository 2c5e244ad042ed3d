"""The examples of openapi.yaml about tables: opened, played, invited to, and played again."""

from __future__ import annotations

from typing import Any

from service.core.runtime.units import DAY
from service.log.events import MOST_NONCES
from service.tables.before_start import table_setup
from tests.contract import Json

PUZZLING = "trunk-and-peddler"
"""A ruleset that has puzzles."""
NONCE = "5a8c2f0e91d34b7766e0a1b2c3d4e5f6"


def about_tables(recorder: Any, people: list[Json]) -> Json:
    """A table is opened, filled and started, with some refused requests; returns the game."""
    aki, bo, cleo, dan = people
    wish = {"ruleset": "boomerang-auction", "seating": "order"}
    game = recorder.call("openGame", aki, wish)
    at = {"game_id": game["id"]}
    recorder.call("startGame", aki, **at)
    recorder.call("takeSeat", bo, {"nonce": NONCE}, **at)
    table = recorder.call(
        "takeSeat", aki, {"house": True, "level": "strong"}, variant="house", **at
    )
    recorder.call("takeSeat", dan, {}, **at)
    recorder.call("takeSeat", bo, {}, **at)
    recorder.call("takeSeat", bo, {"house": True}, **at)
    house = table["seats"][-1]["tenure"]
    recorder.call(
        "postAction", aki, {"asked": 0, "action": {"type": "pass"}}, variant="early", **at
    )
    recorder.call("leaveSeat", aki, tenure_id=house, **at)
    recorder.call("takeSeat", cleo, {}, **at)
    recorder.call("putNonce", aki, {"nonce": NONCE[::-1]}, **at)
    recorder.call("putNonce", aki, {"nonce": NONCE}, variant="other", **at)
    about_a_private_table(recorder, dan)
    recorder.call("listGames", dan, query={"status": "open"})
    started: Json = recorder.call("startGame", aki, **at)
    recorder.call("takeSeat", dan, {}, **at)
    return started


def about_a_private_table(recorder: Any, host: Json) -> None:
    """A table is opened with all options."""
    wish = {
        "ruleset": "caravan",
        "players": 2,
        "options": {"joker": "one"},
        "private": True,
        "seating": "random",
        "start": "full",
        "house": 0,
        "level": "normal",
        "pace": {"kind": "reserve", "reserve": 259_200, "increment": 43_200, "cap": 604_800},
        "takeover": 3,
        "nonce": None,
    }
    private = recorder.call("openGame", host, wish, variant="full")
    recorder.call("makeInvitationKey", host, game_id=private["id"])
    recorder.call("getInvitationCode", host, game_id=private["id"])
    recorder.call("openGame", host, {"ruleset": "boomerang-auction"})


def about_a_live_table(recorder: Any, people: list[Json]) -> None:
    """Fill a live table, at which somebody says that they are there."""
    host, *others = people[:3]
    wish = {"ruleset": "2459n", "players": 3, "options": {"tempo": "live", "minutes": 3}}
    at = {"game_id": recorder.call("openGame", host, wish)["id"]}
    for each in others:
        recorder.call("takeSeat", each, {}, **at)
    recorder.call("confirmReady", host, **at)
    recorder.call("makeLiveWish", people[3], slug="2459n")
    recorder.call("listLiveWishes", people[3])
    recorder.call("endLiveWish", people[3], slug="2459n")


def about_playing(recorder: Any, game: Json, people: list[Json]) -> None:
    """Play a few actions of every kind, then the first legal action until the end."""
    aki, bo, _, dan = people
    at = {"game_id": game["id"]}
    recorder.call("getGame", aki, **at)
    recorder.call("getGame", variant="spectator", **at)
    recorder.call("listTurns", aki)
    recorder.call("getRecord", aki, **at)
    recorder.call("listDeals", aki, **at)
    move = {"asked": game["asked"], "action": game["legal"][2]["action"]}
    wrong = {**move, "action": {"type": "bid", "cards": ["5h"]}}
    recorder.call("postAction", aki, wrong, variant="wrong", **at)
    recorder.call("postAction", dan, move, **at)
    recorder.call("previewAction", aki, move, **at)
    touch = {"asked": game["asked"], "chosen": {"picked": ["2s"]}, "touched": {"card": "5s"}}
    recorder.call("explainObstacle", aki, touch, **at)
    recorder.call("postAction", aki, move, **at)
    recorder.call("postAction", aki, move, **at)
    recorder.call("postAction", aki, wrong, variant="wrong", **at)
    recorder.call("postAction", bo, {**move, "asked": 1}, variant="old", **at)
    recorder.call("listChanges", aki)
    finish(recorder, people, at)
    recorder.call("listChanges", aki, query={"after": 0, "limit": 2}, variant="changes")
    recorder.call("listChanges", aki, query={"after": 1000})
    recorder.call("streamChanges", aki, query={"after": 0, "limit": 2})
    recorder.call("listEvents", aki, **at, query={"limit": 6})
    recorder.call("listViews", aki, **at, query={"after": 3, "limit": 1})
    recorder.call("getView", aki, **at, number=4, query={"show": "all"})
    about_the_end(recorder, aki, at)


def about_the_end(recorder: Any, aki: Json, at: Json) -> None:
    """Ask everything that can be asked about a game that is over."""
    recorder.call("getGame", aki, variant="over", **at)
    recorder.call("listDeals", aki, **at)
    recorder.call("askForAnalysis", aki, **at)
    recorder.analyse()
    recorder.call("getAnalysis", aki, **at)
    about_puzzles(recorder, aki, at)
    recorder.call("getRecord", aki, **at)
    recorder.call("listRecords", query={"ruleset": "boomerang-auction", "limit": 1})


def about_puzzles(recorder: Any, player: Json, at: Json) -> None:
    """Solve a puzzle, and look at a decision of a finished game."""
    (first, *_) = recorder.call("listPuzzles", player, slug=PUZZLING)["puzzles"]
    puzzle = recorder.call("getPuzzle", player, puzzle_id=first["id"])
    at_puzzle = {"puzzle_id": puzzle["id"]}
    told = recorder.call("answerPuzzle", None, {"action": None}, variant="shown", **at_puzzle)
    best = told["solution"]["choices"][0]["action"]
    recorder.call("answerPuzzle", player, {"action": best}, **at_puzzle)
    decision = recorder.call("getAnalysis", player, **at)["decisions"][0]["number"]
    shown = recorder.call("getGamePuzzle", player, **at, number=decision)
    answer = {"action": shown["legal"][0]["action"]}
    recorder.call("answerGamePuzzle", player, answer, **at, number=decision)


def finish(recorder: Any, people: list[Json], at: Json) -> None:
    """Play to the end."""
    for _ in range(50):
        for who in people[:3]:
            game = recorder.call("getGame", who, variant="meanwhile", **at)
            if game["status"] == "over":
                return
            if game["legal"]:
                move = {"asked": game["asked"], "action": game["legal"][0]["action"]}
                recorder.call("postAction", who, move, variant="meanwhile", **at)
    raise RuntimeError("the game did not end")


def too_many_nonces(recorder: Any, host: Json, guest: Json) -> None:
    """Bring one nonce more than a table can take, over hours: nobody may sit down there as often in one hour."""
    hours = 0
    game = recorder.call("openGame", host, {"ruleset": "caravan"}, variant="nonces")
    at = {"game_id": game["id"]}
    for number in range(1, MOST_NONCES + 1):
        if number % table_setup.AT_A_TABLE.most == 0:
            hours += 1
            recorder.clock.at += table_setup.AT_A_TABLE.window
        seated = recorder.call("takeSeat", guest, {"nonce": NONCE}, variant="nonces", **at)
        if "tenure" in seated:
            recorder.call("leaveSeat", guest, tenure_id=seated["tenure"], **at)
    recorder.call("leaveSeat", host, tenure_id=game["tenure"], **at)
    recorder.clock.at -= hours * table_setup.AT_A_TABLE.window


def too_many_tables(recorder: Any, host: Json) -> None:
    """Open one table more than anybody may have."""
    for _ in range(11):
        recorder.call("openGame", host, {"ruleset": "boomerang-auction"}, variant="many")


def about_invitations(recorder: Any, host: Json) -> None:
    """Let a player with a verified address invite somebody by mail."""
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
    recorder.call("makeRematch", aki, {"nonce": NONCE}, game_id=over["id"])
    game = recorder.call("makeRematch", aki, game_id=over["id"])
    at = {"game_id": game["id"]}
    recorder.call("makeInvitation", aki, wish, **at)
    told = recorder.call("listMyInvitations", cleo)
    recorder.call("declineInvitation", cleo, invitation_id=told["invitations"][0]["id"])
    recorder.call("makeRematch", bo, {"anyway": True}, game_id=over["id"])  # blocked
    recorder.call("startGame", aki, {"house": True, "level": "easy"}, **at)
    recorder.call("nudge", bo, **at)
    recorder.clock.at += DAY
    recorder.call("nudge", bo, **at)


def about_lessons(recorder: Any, learner: Json) -> None:
    """Let somebody begin a lesson, begin another one at a later step, and leave it."""
    recorder.call("beginLesson", learner, {}, slug="boomerang-auction")
    later = recorder.call(
        "beginLesson", learner, {"step": 2}, variant="later", slug="boomerang-auction"
    )
    recorder.call("leaveLesson", learner, game_id=later["id"])
