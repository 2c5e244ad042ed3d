"""Records the examples of openapi.yaml: `python -m tests.record_examples`.

A few people play through the API with a fixed clock and fixed random bytes. Requests and answers are kept if the
document refers to an example of that name, and replace the last part of the file. Names are
`<operationId>-request[-<variant>]`, `<operationId>-<status>[-<variant>]` and `problem-<type>`; the first value of each
name is used.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError

from bin import bundle
from service.core.database.database import db
from service.core.runtime.problems import HeadersTooLarge, UriTooLong
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND
from service.core.settings.config import ROOT, Config
from service.operations.commands.main import migrate_database
from service.operations.worker.analyses import Analyses
from service.web.app import create_app
from service.web.http.idempotency.stored_answers import Keeper
from service.web.serving import refusals
from tests.contract import CheckedClient, Json, document, operations, parsed
from tests.example_files import EXAMPLES, unless_changed, written
from tests.record_circles import about_circles, about_follows
from tests.record_daily import about_daily_deals
from tests.record_oauth import about_signing_in_elsewhere
from tests.record_people import about_accounts, about_strangers, about_the_uninvited, newcomer
from tests.record_players import about_players
from tests.record_sending import send
from tests.record_tables import (
    NONCE,
    about_a_live_table,
    about_lessons,
    about_playing,
    about_playing_again,
    about_tables,
    too_many_nonces,
    too_many_tables,
)
from tests.record_time import about_taking_back, about_time
from tests.record_webhooks import about_push, about_webhooks
from tests.support.thinking import in_turn

SHORT_TEXT = 300
"""The number of characters that are kept of a page."""
RULESETS = ("boomerang-auction", "caravan")
"""The rulesets shown in lists, so that a new ruleset changes no example."""
CONTRACTS = [
    f"get{each}-200"
    for each in ("Openapi", "OpenapiJson", "Playing", "PlayingJson", "Pages", "PagesJson")
]
"""The descriptions of the API, of which only the beginning is shown."""
VOCABULARY = ("hand", "row", "direction", "open", "trading", "dealt", "sold")
"""The part of a ruleset's vocabulary that is shown."""


class Ticking:
    """A clock that moves on a second each time it is read."""

    def __init__(self) -> None:
        self.at = 1_795_255_200_000

    def __call__(self) -> int:
        self.at += SECOND
        return self.at - SECOND


class Recorder:
    """Calls the API and keeps the examples that the document shows."""

    def __init__(self, app: Flask, clock: Ticking) -> None:
        self.app, self.clock = app, clock
        self._shown = set(re.findall(r"#/components/examples/([\w.-]+)", bundle.complete()))
        self.examples: Json = {}
        self.cookie = ""
        """The cookie of the last sign-in."""

    def keep(self, name: str, value: Any) -> None:
        """Keep a value if the document shows it and no other value has its name."""
        if name in self._shown:
            self.examples.setdefault(name, {"value": value})

    def call(
        self, name: str, who: Json | None = None, body: Any = None, variant: str = "", **more: Any
    ) -> Any:
        """Send the request of an operation as `who`; `more` has `query`, `headers` and the parameters of the path.

        Returns the body of the answer.
        """
        operation = next(each for each in operations() if each.name == name)
        suffix = f"-{variant}" if variant else ""
        if isinstance(body, dict):
            self.keep(f"{name}-request{suffix}", body)
        client = self.app.test_client(use_cookies=False)
        answer = send(client, operation, who, body, **more)
        return self.answered(f"{name}-{answer.status_code}{suffix}", answer)

    def analyse(self) -> None:
        """Have all analyses worked out."""
        worker = Analyses(self.app.extensions["tegami"], in_turn)
        with self.app.app_context():
            for _ in range(100):
                worker.step()

    def call_plain(self, method: str, path: str) -> None:
        """Send a request that the document does not describe, without checks."""
        client = FlaskClient(self.app, self.app.response_class)
        self.answered("", client.open(path, method=method))

    def answered(self, name: str, answer: Any) -> Any:
        """Keep and return the body of an answer."""
        if "Set-Cookie" in answer.headers:
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        told = parsed(answer.mimetype, answer.get_data()) if answer.get_data() else None
        if answer.mimetype == "application/problem+json":
            name = "problem-" + told["type"].rpartition("/")[2]
            del told["request_id"]
        if answer.mimetype == "text/html":
            name = "page-200"
        if told:
            self.keep(name, shortened(name, told))
        return told


BEGINNINGS = {
    "getRecord-200": ("events", 4),
    "getRulesetExample-200": ("steps", 2),
    "getAnalysis-200": ("decisions", 1),
    "listPuzzles-200": ("puzzles", 2),
}
"""How many of which items of a response are shown."""


def shortened(name: str, told: Any) -> Any:
    """The part of a long answer that is shown as the example."""
    if name == "page-200":
        told = re.sub(r"\.[0-9a-f]{12}\.", ".0123456789ab.", told)  # names made of contents
        return told[:SHORT_TEXT].rpartition("\n")[0] + "\n"
    if name in CONTRACTS:
        return {"openapi": told["openapi"], "servers": told["servers"], "tags": told["tags"]}
    if name == "getRecordSchema-200":
        return {key: told[key] for key in ("$schema", "$id", "title", "description")}
    if name == "getExample-200":
        return told.partition("\n\n")[0] + "\n"
    if name == "listRulesets-200":
        return {"rulesets": [each for each in told["rulesets"] if each["slug"] in RULESETS]}
    if name == "getRuleset-200":
        vocabulary = {
            group: {name: entries[name] for name in VOCABULARY if name in entries}
            for group, entries in told["vocabulary"].items()
        }
        return {**told, "vocabulary": vocabulary}
    if name == "problem-unknown-ruleset":
        return {**told, "may": [slug for slug in told["may"] if slug in RULESETS]}
    if name == "getWords-200":
        return dict(sorted(told.items())[:3])
    if name in BEGINNINGS:
        part, most = BEGINNINGS[name]
        return {**told, part: told[part][:most]}
    return told


def record() -> Json:
    """Every example, by name."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Ticking()
        recorder = Recorder(fresh_app(Path(folder), clock), clock)
        tell_all(recorder)
    return dict(sorted(recorder.examples.items()))


def tell_all(recorder: Recorder) -> None:
    """Call every operation of the API, as a few people who play, talk and change their accounts."""
    people = [guest(recorder, name) for name in ("Aki", "Bo", "Cleo", "Dan")]
    about_rulesets(recorder)
    about_people(recorder)
    about_accounts(recorder)
    game = about_tables(recorder, people)
    about_playing(recorder, game, people)
    about_talk(recorder, people)
    names_refused(recorder, people[1])
    too_many_nonces(recorder, people[0], people[2])
    too_many_tables(recorder, people[1])
    about_time(recorder, people)
    about_playing_again(recorder, people, game)
    about_strangers(recorder)
    about_refusals(recorder, people[0])
    about_repetitions(recorder, people[1])
    recorder.call("getSecurityTxt")
    about_webhooks(recorder, people[2])
    about_push(recorder)
    about_lessons(recorder, people[3])
    rest = {"time_zone": "Europe/Berlin", "days": [6, 7]}
    recorder.call("openGame", people[3], {"ruleset": "caravan", "rest": rest})
    about_taking_back(recorder, people)
    live = [guest(recorder, name) for name in ("Emi", "Finn", "Gus")]
    about_a_live_table(recorder, [*live, people[3]])
    about_the_rest(recorder)
    deep = {"depth": "deep"}
    recorder.call("askForAnalysis", people[1], deep, variant="deep", game_id=game["id"])


def about_the_rest(recorder: Recorder) -> None:
    """Call the operations of later areas, as people of their own."""
    about_players(recorder, guest(recorder, "Mika"), guest(recorder, "Noor"))
    about_signing_in_elsewhere(recorder)
    ana, ben = guest(recorder, "Ana"), guest(recorder, "Ben")
    about_follows(recorder, ana, ben)
    about_circles(recorder, ana, ben)
    about_daily_deals(recorder, guest(recorder, "Olga"), guest(recorder, "Pat"))


def fresh_app(folder: Path, clock: Ticking, database: str = "") -> Flask:
    """The application with an empty database; `/crash` and `/busy` fail."""
    config = Config(
        data_dir=folder,
        database_url=database or f"sqlite:///{folder / 'tegami.sqlite3'}",
        secret_key=bytes(32),
        signing_key=bytes(32),
        push_key=bytes(range(32, 64)),
        public_url="https://tegami.example",
        contact="post@tegami.example",
        hash_memory=8,
        hash_rounds=1,
        hash_lanes=1,
    )
    migrate_database(config)
    app = create_app(config, Runtime(clock, random.Random(2459).randbytes))
    app.test_client_class = CheckedClient
    app.add_url_rule("/crash", view_func=lambda: 1 / 0)
    app.add_url_rule("/busy", view_func=busy)
    return app


def busy() -> Any:
    """The error of a locked database."""
    raise OperationalError("SELECT 1", {}, Exception("database is locked"))


def guest(recorder: Recorder, name: str) -> Json:
    """A new player with a token."""
    body = {"name": name, "token": "my bot", "scopes": ["talk", "account"]}
    made: Json = recorder.call("makePlayer", body=body, variant="token")
    return made


def about_rulesets(recorder: Recorder) -> None:
    """Requests that need no sign-in."""
    recorder.call("listRulesets")
    recorder.call("getRuleset", slug="caravan")
    recorder.call("getRuleset", slug="whist")
    recorder.call("getRulesetPicture", slug="joretsu")
    recorder.call("getRulesetExample", slug="joretsu")
    recorder.call("getWords", wanted="en")
    recorder.call("getProblem", slug="stale")
    for contract in CONTRACTS:
        recorder.call(contract.removesuffix("-200"))
    recorder.call("getExample", file_name="bot.py")
    recorder.call("getHealth")
    recorder.call("getReadiness")
    a_worker_beats(recorder)
    recorder.call("getReadiness")
    recorder.call("getKey")
    recorder.call("getRecordSchema")


def a_worker_beats(recorder: Recorder) -> None:
    """The heartbeat of a worker, without which the server is not ready."""
    beat = sqlalchemy.text("INSERT INTO heartbeats (name, at) VALUES ('worker', :at)")
    with recorder.app.app_context(), db.engine.begin() as connection:
        connection.execute(beat, {"at": recorder.clock.at})


def about_people(recorder: Recorder) -> None:
    """A player is created, changes their name and signs in again."""
    rin = guest(recorder, "Rin")
    made = newcomer(recorder, "りん")
    recorder.call("signIn", body={"key": made["key"]})
    recorder.call("getMe", rin)
    recorder.call("changeMe", rin, {"name": "Rin Ito"})
    recorder.call("makeLink", rin, variant="token")
    wish = {"label": "reads my turns", "scopes": ["read"], "expires_in_days": 90}
    reader = recorder.call("makeToken", rin, wish)
    recorder.call("openGame", reader, {"ruleset": "caravan"}, variant="reader")
    recorder.call("listTokens", rin)
    about_feeds(recorder, rin)


def about_feeds(recorder: Recorder, who: Json) -> None:
    """Give a calendar to somebody who is waited for."""
    wish = {"ruleset": "caravan", "house": 1, "start": "full", "nonce": None, "pace": "steady"}
    recorder.call("openGame", who, wish, variant="feeds")
    feed = recorder.call("makeFeed", who, {"label": "phone"})["feed"]
    secret = feed["turns"].split("/")[-2]
    recorder.call("listFeeds", who)
    recorder.call("getTurnsFeed", secret=secret)
    recorder.call("getDeadlines", secret=secret)


def about_talk(recorder: Recorder, people: list[Json]) -> None:
    """Players and a spectator talk, take notes, mute, block and report."""
    aki, bo, cleo, dan = people
    wish = {"ruleset": "caravan", "start": "full", "nonce": None, "seating": "order"}
    game = recorder.call("openGame", aki, wish, variant="talk")
    at, block = {"game_id": game["id"]}, {"game": game["id"], "tenure": game["tenure"]}
    recorder.call("takeSeat", bo, {}, variant="talk", **at)
    once = {"channel": "seats", "text": "Good luck!", "once": NONCE}
    said = recorder.call("postMessage", bo, once, **at)
    recorder.call("postMessage", bo, once, **at)
    aside = {"channel": "spectators", "text": "Who will win?"}
    heard = recorder.call("postMessage", dan, aside, variant="aside", **at)
    recorder.call("listMessages", aki, query={"channel": "seats"}, **at)
    recorder.call("getTalk", aki, **at)
    recorder.call("listUnread", aki)
    recorder.call("putMark", aki, {"channel": "seats", "number": 1}, **at)
    for query in ({"channel": "spectators"}, {}):
        recorder.call("listMessages", aki, query=query, **at)
    recorder.call("reportMessage", aki, {"why": "This is spam."}, message_id=said["id"], **at)
    recorder.call("putNotes", aki, {"text": "Bo likes nines."}, **at)
    recorder.call("getNotes", aki, **at)
    for _ in range(2):
        muted = recorder.call("makeMute", aki, {"tenure": said["tenure"]}, **at)
        recorder.call("makeBlock", cleo, {"game": game["id"], "message": heard["id"]})
        recorder.call("makeBlock", bo, block, variant="tenure")
    recorder.call("listMutes", aki, **at)
    recorder.call("listBlocks", cleo)
    recorder.call("postMessage", bo, {**aside, "channel": "seats"}, variant="muted", **at)
    recorder.call("hideMessage", aki, message_id=said["id"], **at)
    recorder.call("liftMute", aki, mute_id=muted["id"], **at)
    table = recorder.call("openGame", cleo, wish, variant="talk")
    recorder.call("takeSeat", dan, {}, variant="blocked", game_id=table["id"])
    guests_aside(recorder, dan, at)


def names_refused(recorder: Recorder, bo: Json) -> None:
    """A name like that of somebody at the same table, and a link."""
    for name in ("AKI", "bo.example"):
        recorder.call("changeMe", bo, {"name": name}, variant="refused")


def guests_aside(recorder: Recorder, guest: Json, at: Json) -> None:
    """A message with the `once` of another; the refusal for a guest when only registered players may talk."""
    for text in ("Nice.", "Nice!"):
        said = {"channel": "spectators", "text": text, "once": NONCE}
        recorder.call("postMessage", guest, said, variant="other", **at)
    services = recorder.app.extensions["tegami"]
    strict = replace(services.config, guests_talk=False)
    recorder.app.extensions["tegami"] = replace(services, config=strict)
    aside = {"channel": "spectators", "text": "Hello?"}
    recorder.call("postMessage", guest, aside, variant="guest", **at)
    recorder.app.extensions["tegami"] = services


def about_refusals(recorder: Recorder, who: Json) -> None:
    """Requests that are refused."""
    as_json = {"Content-Type": "application/json"}
    recorder.call("getMe")
    recorder.call("getUnsubscribe", query={"link": "cut-off"})
    recorder.call("signIn", body={"key": "A" * 43}, variant="wrong")
    recorder.call("makePlayer", body="{", headers=as_json)
    recorder.call("makePlayer", body={"name": "", "age": 7}, variant="wrong")
    recorder.call("makePlayer", body="name=Aki", headers={"Content-Type": "text/plain"})
    recorder.call("makePlayer", body=" " * 65_537, headers=as_json)
    recorder.call("makePlayer", body={"name": "Eve"}, headers={"Sec-Fetch-Site": "cross-site"})
    recorder.call("leavePlain")
    recorder.call("listGames", query={"limit": 0})
    recorder.call("openGame", who, {"ruleset": "whist"}, variant="wrong")
    recorder.call("openGame", who, {"ruleset": "caravan", "players": 3}, variant="wrong")
    options = {"ruleset": "caravan", "options": {"joker": "three"}}
    recorder.call("openGame", who, options, variant="wrong")
    for _ in range(21):
        recorder.call("exportMe", who, variant="again")
    about_the_uninvited(recorder)
    recorder.call_plain("put", "/api/me")
    recorder.call_plain("get", "/api/game")
    recorder.call_plain("get", "/crash")
    recorder.call_plain("get", "/busy")


def about_repetitions(recorder: Recorder, who: Json) -> None:
    """Requests with an `Idempotency-Key` that are no repetitions, or repeat a request that was never answered; requests
    that are too long.
    """
    for kind in (UriTooLong, HeadersTooLarge):
        recorder.keep(f"problem-{kind.slug}", refusals.document(kind))
    key = {"Idempotency-Key": NONCE}
    recorder.call("makeToken", who, {"label": "x"}, variant="key", headers={"Idempotency-Key": "1"})
    for label in ("x", "y"):
        recorder.call("makeToken", who, {"label": label}, variant="key", headers=key)
    with recorder.app.app_context():
        scope = f"tokens.make_token {who['player']['id']}"
        Keeper(scope, NONCE + "0").claim(sha256(b'{"label":"x"}').digest())
    key = {"Idempotency-Key": NONCE + "0"}
    recorder.call(
        "makeToken",
        who,
        '{"label":"x"}',
        variant="key",
        headers={**key, "Content-Type": "application/json"},
    )


def main() -> None:
    """Rewrite docs/api/examples and openapi.yaml; examples in which only ids and times differ stay as they are."""
    old = document()["components"]["examples"]
    files: Json = {}
    for name, new in record().items():
        operation = name.partition("-")[0]
        files.setdefault(operation, {})[name] = unless_changed(old.get(name), new)
    for stale in EXAMPLES.glob("*.yaml"):
        stale.unlink()
    for operation, examples in files.items():
        (EXAMPLES / f"{operation}.yaml").write_text(written(examples), encoding="utf-8")
    subprocess.run([ROOT / "bin/bundle"], check=True)
    document.cache_clear()


if __name__ == "__main__":
    main()
