#!/usr/bin/env python3
"""A complete program that plays at Tegami tables. It needs only Python 3.11 or newer.

    python3 bot.py https://tegami.example --open boomerang-auction    # play one game against house players
    python3 bot.py https://tegami.example --sit g_… --sit g_…         # sit down at tables and play there
    python3 bot.py https://tegami.example                             # play wherever it has a seat, for ever

It learns of everything from one request that waits for news (GET /api/me/changes), answers every question with one of
the legal actions, repeats what got no answer, and keeps its token in a file. To let it play better, change `choose`.
"""

import argparse
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

WAIT = 30  # seconds for which the server may hold a request back until something happens


class Refused(Exception):
    """The server refused a request; `kind` is the last part of the type of its problem."""

    def __init__(self, problem):
        super().__init__(f"{problem['type']}: {problem.get('detail', problem['title'])}")
        self.kind = problem["type"].rpartition("/")[2]


class Api:
    """The requests, with the token. A request without a response is sent again, which changes nothing twice."""

    def __init__(self, server):
        self.server, self.headers = server.rstrip("/"), {}

    def call(self, method, path, body=None, **headers):
        """The headers and the body of the answer. Raises Refused, or OSError if there is none after five tries."""
        data = None if body is None else json.dumps(body).encode()
        headers |= self.headers | ({"Content-Type": "application/json"} if data else {})
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        pauses = iter((1, 4, 15, 60))
        while True:
            try:
                with urllib.request.urlopen(request, timeout=WAIT + 30) as answer:
                    return answer.headers, json.load(answer)
            except OSError as error:
                status = getattr(error, "code", 500)
                if status < 500 and status != 429:
                    raise Refused(json.load(error)) from None
                if (pause := next(pauses, None)) is None:
                    raise
                told = getattr(error, "headers", None) or {}
                time.sleep(float(told.get("Retry-After", pause)))

    def create(self, path, body):
        """The result of a POST, which creates it once even if the request has to be repeated."""
        return self.call("POST", path, body, **{"Idempotency-Key": secrets.token_urlsafe(24)})[1]


def sign_in(api, name, file):
    """Use the token in `file`; if there is none, become a player and keep the token and the way back there."""
    if not file.exists():
        made = api.create("/api/players", {"name": name, "token": "bot.py", "program": True})
        file.touch(mode=0o600)
        file.write_text(json.dumps({"token": made["token"]["secret"], "link": made["link"]}))
    api.headers["Authorization"] = f"Bearer {json.loads(file.read_text())['token']}"


def open_table(api, slug):
    """Open a table of the shortest usual length, with house players at all other places; the game's id."""
    ruleset = api.call("GET", f"/api/rulesets/{slug}")[1]
    players = ruleset["players"][0]
    options = ruleset["lengths"][str(players)][0]["options"]
    table = {"ruleset": slug, "players": players, "options": options, "house": players - 1}
    return api.create("/api/games", table | {"level": "easy", "start": "full", "nonce": None})["id"]


def choose(game):
    """One of the legal actions. `game["view"]` is the table as this seat may see it."""
    return random.choice(game["legal"])["action"]


def play(api, game_id):
    """Answer the present question to this seat, if any; returns whether the game is over after that."""
    try:
        game = api.call("GET", f"/api/games/{game_id}")[1]
        while game["legal"]:
            answer = {"asked": game["asked"], "action": choose(game)}
            game = api.call("POST", f"/api/games/{game_id}/actions", answer)[1]["game"]
    except Refused as refused:
        if refused.kind == "stale":  # the table has moved on
            return play(api, game_id)
        if refused.kind != "not-found":
            raise
        return True  # the table was closed, or its host has removed this player
    if game["status"] == "over":
        print(game["ruleset"]["name"], game_id, game["result"]["words"], sep=": ", flush=True)
    return game["status"] == "over"


def news(api, after):
    """The games in which something has happened that concerns this program, and where to go on."""
    if after is None:  # from here on nothing is missed
        after = api.call("GET", "/api/me/changes")[1]["next"]
        return {turn["game"]["id"] for turn in api.call("GET", "/api/me/turns")[1]["turns"]}, after
    headers, told = api.call("GET", f"/api/me/changes?after={after}", Prefer=f"wait={WAIT}")
    if not told["changes"] and "Preference-Applied" not in headers:
        time.sleep(told["poll_after"])  # too many programs wait already
    kinds = ("turn", "started", "ended", "removed")
    return {each["game"] for each in told["changes"] if each["kind"] in kinds}, told["next"]


def follow(api, wanted):
    """Play wherever something happens. Ends once all games of `wanted` are over; if there are none, never."""
    after, over = None, set()
    while not wanted or wanted - over:
        begins = after is None
        try:
            touched, after = news(api, after)
        except Refused as refused:
            if refused.kind != "changes-gone":
                raise
            after = None  # this program was away for more than 30 days
            continue
        touched |= wanted if begins else set()
        over |= {game_id for game_id in touched - over if play(api, game_id)}


def main():
    """Read the options, sign in, find tables, and play."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("server", help="such as https://tegami.example")
    parser.add_argument("--name", default="Bot", help="for a new player")
    parser.add_argument("--token-file", default="bot.json", type=Path)
    parser.add_argument("--open", action="append", default=[], metavar="RULESET")
    parser.add_argument("--sit", action="append", default=[], metavar="GAME")
    options = parser.parse_args()
    api = Api(options.server)
    try:
        sign_in(api, options.name, options.token_file)
        games = {open_table(api, slug) for slug in options.open}
        games |= {api.call("POST", f"/api/games/{each}/seats", {})[1]["id"] for each in options.sit}
        follow(api, games)
    except (Refused, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
