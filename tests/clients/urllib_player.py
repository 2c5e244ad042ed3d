"""Plays one game with only the standard library, by choosing random entries of `legal`.

It finds its paths in the document by operationId, and knows nothing else about the server and nothing about the rules.
The document is read without a YAML library: a path is indented by two spaces, an operationId is below its method.
"""

import argparse
import json
import random
import re
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


class Api:
    """The operations of the document, by their names."""

    def __init__(self, server, document):
        self.server, self.operations, self.token = server.rstrip("/"), {}, None
        path = method = None
        for line in document.splitlines():
            if found := re.fullmatch(r"  (/\S*):", line):
                path = found[1]
            elif found := re.fullmatch(r"    (get|post|patch|delete):", line):
                method = found[1].upper()
            elif found := re.fullmatch(r"      operationId: (\w+)", line):
                self.operations[found[1]] = method, path

    def call(self, name, body=None, **values):
        """Status and body of the answer, including errors."""
        method, path = self.operations[name]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path.format(**values), data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)


def main():
    options = arguments()
    api = Api(options.server, Path(options.spec).read_text(encoding="utf-8"))
    chance = random.Random(options.seed)
    _, made = api.call("makePlayer", {"name": options.name, "token": "urllib_player"})
    api.token = made["token"]["secret"]
    game = sit_down(api, options)
    print(json.dumps({"game": game["id"]}), flush=True)
    print(json.dumps(play(api, game["id"], chance, time.monotonic() + options.patience)))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--spec", required=True)
    parser.add_argument("--game", help="sit down at this game; by default a table is opened")
    parser.add_argument("--ruleset", default="boomerang-auction")
    parser.add_argument("--name", default="Urllib")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=60, help="seconds for the whole game")
    return parser.parse_args()


def sit_down(api, options):
    if options.game:
        status, game = api.call("takeSeat", {}, game_id=options.game)
    else:
        status, game = api.call("openGame", shortest(api, options.ruleset))
    if status != 201:
        sys.exit(f"no seat: {game['title']}")
    return game


def shortest(api, slug):
    """The request for a table of the shortest usual length."""
    _, ruleset = api.call("getRuleset", slug=slug)
    players = ruleset["players"][0]
    usual = ruleset["lengths"][str(players)][0]["options"]
    return {"ruleset": slug, "players": players, "options": usual, "start": "full", "nonce": None}


def play(api, game_id, chance, until):
    """Answer every question with any legal action, until the game is over."""
    while time.monotonic() < until:
        status, game = api.call("getGame", game_id=game_id)
        if status != 200:
            time.sleep(1)
        elif game["status"] == "over":
            return game["result"]
        elif game["legal"]:
            action = chance.choice(game["legal"])["action"]
            api.call("postAction", {"asked": game["asked"], "action": action}, game_id=game_id)
        else:
            time.sleep(game["poll_after"])
    sys.exit("out of patience")


if __name__ == "__main__":
    main()
