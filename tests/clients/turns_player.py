"""Plays any number of games with one poll: `GET /me/turns` says which of them wait, most urgent first.

It reads the document as data: each call is checked against the parameters, the body and the statuses that are
described there, so that it plays only by what the document promises.
"""

import argparse
import http.client
import json
import random
import sys
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import jsonschema_rs
import yaml


class Document:
    """The operations of openapi.yaml."""

    def __init__(self, loaded):
        self.loaded = loaded
        self.operations = {}
        for path, item in loaded["paths"].items():
            for method, operation in item.items():
                if isinstance(operation, dict):
                    self.operations[operation["operationId"]] = method.upper(), path, operation

    def schema(self, media):
        """A schema of the document, together with the components that it refers to."""
        return {**media["schema"], "components": self.loaded["components"]}

    def follow(self, node):
        while "$ref" in node:
            target = self.loaded
            for key in node["$ref"].removeprefix("#/").split("/"):
                target = target[key]
            node = target
        return node

    def check_body(self, operation, body):
        media = operation["requestBody"]["content"]["application/json"]
        jsonschema_rs.Draft202012Validator(self.schema(media)).validate(body)

    def check_answer(self, operation, status, content_type, body):
        answers = operation["responses"]
        answer = answers.get(str(status)) or (answers.get("default") if status >= 400 else None)
        if answer is None:
            raise ValueError(f"{operation['operationId']} does not answer {status}")
        content = self.follow(answer).get("content", {})
        if body is not None:
            media = content[content_type]
            jsonschema_rs.Draft202012Validator(self.schema(media)).validate(body)


class Api:
    """One connection that is kept open, with checks on both sides."""

    def __init__(self, server, document):
        self.document, self.token = document, None
        self.connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)

    def call(self, name, body=None, query=None, headers=None, **values):
        """Status, headers and body of the answer."""
        method, path, operation = self.document.operations[name]
        sent = dict(headers or {})
        if body is not None:
            self.document.check_body(operation, body)
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        target = path.format(**values) + (f"?{urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body)
        status, headers, raw = self.exchange(method, target, data, sent)
        told = json.loads(raw) if raw else None
        kind = headers.get("Content-Type", "").partition(";")[0]
        self.document.check_answer(operation, status, kind, told)
        return status, headers, told

    def exchange(self, method, target, data, headers):
        for last in (False, True):
            try:
                self.connection.request(method, target, data, headers)
                answer = self.connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (http.client.RemoteDisconnected, ConnectionError):
                self.connection.close()  # an idle connection may have been closed; repeating is safe
                if last:
                    raise
        raise AssertionError


def main():
    options = arguments()
    document = yaml.load(Path(options.spec).read_bytes(), yaml.CSafeLoader)
    api = Api(options.server, Document(document))
    body = {"name": options.name, "language": "en", "token": "first", "scopes": ["account"]}
    api.token = api.call("makePlayer", body)[2]["token"]["secret"]
    change_token(api)
    for game_id in options.game or [lobby(api, options)]:
        status, _, answer = api.call("takeSeat", {}, game_id=game_id)
        if status != 201:
            sys.exit(f"no seat: {answer['title']}")
        print(json.dumps({"game": game_id}), flush=True)
    results = play(api, random.Random(options.seed), time.monotonic() + options.patience)
    print(json.dumps(results))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--spec", required=True)
    parser.add_argument(
        "--game", action="append", help="sit down at this game; by default at the newest open table"
    )
    parser.add_argument("--ruleset", default="boomerang-auction")
    parser.add_argument("--name", default="Turns")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--patience", type=float, default=60, help="seconds for all games")
    return parser.parse_args()


def change_token(api):
    """Play with a second token, and revoke the first."""
    first = api.call("listTokens")[2]["tokens"][0]
    wish = {"label": "second", "scopes": ["read", "play", "account"]}
    api.token = api.call("makeToken", wish)[2]["token"]["secret"]
    api.call("revokeToken", token_id=first["id"])


def lobby(api, options):
    """The newest open table."""
    query = {"status": "open", "ruleset": options.ruleset, "limit": 1}
    games = api.call("listGames", query=query)[2]["games"]
    return games[0]["id"] if games else sys.exit("no open table")


def play(api, chance, until):
    """Answer every waiting game until all are over; returns the results by id."""
    tag, wait, idle = None, 0, 0
    while time.monotonic() < until:
        headers = {"If-None-Match": tag} if tag else None
        status, head, answer = api.call("listTurns", headers=headers)
        if status == 200:
            tag, wait = head["ETag"], answer["poll_after"]
            for turn in answer["turns"]:
                answer_turn(api, turn, chance)
        idle = 0 if status == 200 and answer["turns"] else idle + 1
        if idle % 10 == 9 and not unfinished(api):  # no turn tells that a game has ended
            return results(api)
        time.sleep(wait)
    sys.exit("out of patience")


def answer_turn(api, turn, chance):
    """Answer one question with any legal action; if the table has moved on, the next poll will say so."""
    game_id = turn["game"]["id"]
    game = api.call("getGame", game_id=game_id)[2]
    if game["legal"]:
        action = chance.choice(game["legal"])["action"]
        api.call("postAction", {"asked": game["asked"], "action": action}, game_id=game_id)


def mine(api, status):
    return api.call("listGames", query={"mine": "true", "status": status})[2]["games"]


def unfinished(api):
    return mine(api, "open") or mine(api, "running")


def results(api):
    games = [api.call("getGame", game_id=game["id"])[2] for game in mine(api, "over")]
    return {game["id"]: game["result"] for game in games}


if __name__ == "__main__":
    main()
