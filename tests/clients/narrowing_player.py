"""Plays one game with `requests`: chooses step by step as a person would, and polls as cheaply as possible.

`legal` is narrowed by type and then by the declared parameters, in order, as the document describes it. Polls bring the
ETag along and respect `poll_after`; now and then an answer is sent a second time, to check that this is harmless.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

import requests
import yaml


class Api(requests.Session):
    """A session that knows the document's operations by name."""

    def __init__(self, server, document):
        super().__init__()
        self.headers["Accept-Language"] = "ja, en;q=0.5"
        self.root = server.rstrip("/")
        self.operations = {
            operation["operationId"]: (method, path)
            for path, item in document["paths"].items()
            for method, operation in item.items()
            if isinstance(operation, dict)
        }

    def call(self, name, body=None, headers=None, **values):
        """The answer to an operation."""
        method, path = self.operations[name]
        url = self.root + path.format(**values)
        return self.request(method, url, json=body, headers=headers, timeout=30)


class Follower:
    """A game as it was last seen, and the time of the next poll."""

    def __init__(self, api, game_id):
        self.api, self.game_id = api, game_id
        self.tag, self.game, self.unchanged = None, None, 0

    def look(self):
        """The game, and whether it is new."""
        headers = {"If-None-Match": self.tag} if self.tag else None
        answer = self.api.call("getGame", headers=headers, game_id=self.game_id)
        if answer.status_code == 304:
            self.unchanged += 1
            return self.game, False
        answer.raise_for_status()
        self.tag, self.game = answer.headers["ETag"], answer.json()
        return self.game, True


def narrow(legal, types, choose):
    """One action, chosen by type and then parameter by parameter; `types` are the ruleset's actions."""
    left = agreeing([each["action"] for each in legal], "type", choose)
    for parameter in types[left[0]["type"]]["parameters"]:
        left = agreeing(left, parameter["name"], choose)
    if len(left) != 1:
        sys.exit(f"the declared parameters leave {len(left)} actions")
    return left[0]


def agreeing(actions, name, choose):
    """The `actions` with the value of `name` that `choose` picks; "" stands for those without one."""
    groups = {}
    for action in actions:
        groups.setdefault(json.dumps(action[name]) if name in action else "", []).append(action)
    return groups[choose(list(groups))]


def main():
    options = arguments()
    api = Api(options.server, yaml.load(Path(options.spec).read_bytes(), yaml.CSafeLoader))
    chance = random.Random(options.seed)
    made = api.call("makePlayer", {"name": options.name, "token": "narrowing_player"}).json()
    api.headers["Authorization"] = f"Bearer {made['token']['secret']}"
    nonce = f"{chance.getrandbits(128):032x}"
    game = sit_down(api, options, nonce)
    print(json.dumps({"game": game["id"]}), flush=True)
    types = api.call("getRuleset", slug=game["ruleset"]["slug"]).json()["actions"]
    follower = Follower(api, game["id"])
    result = play(follower, types, chance, time.monotonic() + options.patience)
    if nonce not in [brought["nonce"] for brought in follower.game["nonces"]]:
        sys.exit("our nonce was not used")
    print(json.dumps(result | {"unchanged": follower.unchanged}, ensure_ascii=False))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--spec", required=True)
    parser.add_argument("--game", help="sit down at this game; by default a table is opened")
    parser.add_argument("--ruleset", default="boomerang-auction")
    parser.add_argument("--name", default="絞り込み")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--patience", type=float, default=60, help="seconds for the whole game")
    return parser.parse_args()


def sit_down(api, options, nonce):
    if options.game:
        answer = api.call("takeSeat", {"nonce": nonce}, game_id=options.game)
    else:
        ruleset = api.call("getRuleset", slug=options.ruleset).json()
        shortest = ruleset["lengths"][str(ruleset["players"][0])][0]["options"]
        wish = {"ruleset": options.ruleset, "options": shortest}
        answer = api.call("openGame", wish | {"start": "full"})
    if answer.status_code != 201:
        sys.exit(f"no seat: {answer.text}")
    if options.game:
        return answer.json()
    # Only now is the commitment known that the server cannot change any more.
    return api.call("putNonce", {"nonce": nonce}, game_id=answer.json()["id"]).json()


def play(follower, types, chance, until):
    """Answer every question, until the game is over."""
    while time.monotonic() < until:
        game, new = follower.look()
        if game["status"] == "over":
            return game["result"]
        if new and game["legal"]:
            act(follower, game, narrow(game["legal"], types, chance.choice), chance.random() < 0.5)
        else:
            time.sleep(game["poll_after"])
    sys.exit("out of patience")


def act(follower, game, action, twice):
    """Post an answer; if `twice`, repeat it as after a lost connection."""
    body = {"asked": game["asked"], "action": action}
    answer = follower.api.call("postAction", body, game_id=follower.game_id)
    if answer.status_code == 409:
        return  # the table has moved on; the next poll shows the new state
    if answer.status_code != 201:
        sys.exit(f"refused: {answer.text}")
    if twice:
        again = follower.api.call("postAction", body, game_id=follower.game_id)
        if again.status_code != 200 or again.json()["number"] != answer.json()["number"]:
            sys.exit(f"the repeated answer was not recognised: {again.text}")


if __name__ == "__main__":
    main()
