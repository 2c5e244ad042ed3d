"""How a person of the town lives: when they look, how they play, when they are away, and when they leave for good."""

from __future__ import annotations

import html
import random
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import rules
from tests.support.cast import Person
from tests.support.clock import DAY, MINUTE
from tests.support.post_office import moves, part
from tests.test_by_mail import SEAT, WAY

if TYPE_CHECKING:
    from tests.endurance.weeks.world import World

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney")
PACES: tuple[Any, ...] = (
    *("daily", "daily", "relaxed", "steady", "weekly", "none"),
    {"kind": "decision", "seconds": 6 * 3600},
    {"kind": "reserve", "reserve": 86_400, "increment": 7200, "cap": 172_800},
)
QUIET = (None, None, "22:00-07:00", "23:30-06:15", "20:00-08:00")
LOOKS = (7, 9, 12, 15, 18, 20, 22)
"""The hours at which somebody may look, by the clock on the wall."""
MOST_MOVES = 40
"""The most moves in one game and visit."""
GAMES = rules.slugs()


class Life:
    """One person."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.rng = random.Random(f"{world.run.seed} {number}")
        self.person = Person(world.app, f"Player{number}")
        self.address = f"{self.person.name.lower()}@example.org"
        self.zone = ZoneInfo(ZONES[number % len(ZONES)])
        self.looks = sorted(self.rng.sample(LOOKS, self.rng.choice([1, 2, 2, 3])))
        self.keenness = self.rng.choice([0.97, 0.9, 0.8, 0.5])
        self.by_mail = self.rng.random() < 0.3
        self.wanted = self.rng.choice([1, 2, 2, 3])
        """The number of games that they like to have at a time."""
        self.quiet = self.rng.choice(QUIET)
        self.gone_at = world.now + (self.rng.randint(2, 40) * DAY if number % 12 == 5 else 10**15)
        self.away: list[tuple[int, int]] = []
        """Their vacations, as they remember them."""
        self.saw: dict[str, list[int]] = {}
        """When they last looked at each game."""
        self.read = 0
        """The number of letters that they have read."""
        self.next_visit = self._later(world.now)

    def settle(self) -> None:
        """Set the time zone, and what they want to be told."""
        digest = self.rng.choice([None, None, None, "08:00", "19:30"])
        language = self.rng.choice(["en", "ja"])
        wish = {"quiet": self.quiet, "digest": digest, "language": language}
        path, zone = "/api/me/settings", {"time_zone": self.zone.key}
        assert self.person.send("PATCH", path, json=wish | zone).status_code == 200

    def local(self, at: int) -> datetime:
        """The time on their clock on the wall."""
        return datetime.fromtimestamp(at / 1000, self.zone)

    def is_away(self, at: int) -> bool:
        """Whether they are on vacation."""
        return any(begins <= at < ends for begins, ends in self.away)

    def visit(self) -> None:
        """Look, and do what there is to do."""
        now = self.world.now
        self.next_visit = self._later(now)
        if now >= self.gone_at or self.is_away(now) or self.rng.random() > self.keenness:
            return
        self.world.run.count("visits")
        letters = [each.mail for each in self.world.letters[self.address][self.read :]]
        self.read += len(letters)
        self._take_seats_back(letters)
        if self.by_mail:
            self._follow(letters)
        self._answer_all()
        self._vote()
        self._do_something_else()
        self._find_games()

    def _later(self, now: int) -> int:
        """The next time at which they may look."""
        local = self.local(now)
        hours = [(day, hour) for day in (0, 1) for hour in self.looks]
        for days, hour in hours:
            wall = datetime.combine(local.date() + timedelta(days), datetime.min.time(), self.zone)
            at = int(wall.replace(hour=hour).timestamp() * 1000) + self.rng.randrange(90) * MINUTE
            if at > now + 90 * MINUTE:
                return at
        raise AssertionError("there is one tomorrow")

    def _answer_all(self) -> None:
        for turn in self.person.get("/api/me/turns")["turns"]:
            if self.rng.random() < 0.97:
                self._play(turn["game"]["id"])

    def _play(self, game_id: str) -> None:
        game = self.person.game(game_id)
        self._saw(game_id)
        for _ in range(MOST_MOVES):
            if not game["legal"]:
                return
            action = self.rng.choice(game["legal"])["action"]
            game = self.person.answer(game, action)["game"]
            self.world.run.count("moves")

    def _saw(self, game_id: str) -> None:
        self.saw.setdefault(game_id, []).append(self.world.now)

    def _follow(self, letters: list[EmailMessage]) -> None:
        """Play by a link of each mail that has some, in a browser that is not signed in."""
        page = self.world.app.test_client(use_cookies=False)
        page.environ_base["HTTP_ACCEPT"] = "text/html"
        for mail in letters:
            offered_ = moves(mail)
            path = self.rng.choice(offered_) if offered_ else None
            for _ in range(9):
                if not path:
                    break
                shown = page.get(path)
                assert shown.status_code in {200, 409, 410}, (shown.status_code, path)
                if '<form method="post">' in shown.text:
                    done = page.post(path)
                    assert done.status_code in {200, 409, 410}, (done.status_code, path)
                    self.world.run.count("moves by mail", done.status_code == 200)
                    break
                ways = [html.unescape(way) for way in WAY.findall(shown.text)]
                path = self.rng.choice(ways) if ways else None

    def _take_seats_back(self, letters: list[EmailMessage]) -> None:
        for mail in letters:
            found = SEAT.search(part(mail))
            if found and self.rng.random() < 0.7:
                path = found[0].removeprefix("http://localhost")
                page = self.world.app.test_client(use_cookies=False)
                assert page.get(path).status_code in {200, 404, 409, 410}, path
                done = page.post(path)
                assert done.status_code in {200, 404, 409, 410}, (done.status_code, path)
                self.world.run.count("seats taken back", done.status_code == 200)

    def _vote(self) -> None:
        for game in self._running():
            path = f"/api/games/{game}/proposals"
            for made in self.person.get(path)["proposals"]:
                if made["asks_you"]:
                    agrees = self.rng.random() < 0.8
                    vote = self.person.send(
                        "POST", f"{path}/{made['id']}/votes", json={"agrees": agrees}
                    )
                    assert vote.status_code in {200, 409}, vote.text
                    self.world.run.count("votes")

    def _running(self) -> list[str]:
        games = self.person.get("/api/games?mine=true&status=running&limit=50")["games"]
        return [game["id"] for game in games if game["yours"]]

    def _do_something_else(self) -> None:
        """Do something else now and then: resign, propose, or plan a vacation."""
        dice = self.rng.random()
        games = self._running() if dice < 0.05 else []
        if games and dice < 0.012:
            path = f"/api/games/{self.rng.choice(games)}/resignation"
            done = self.person.send("POST", path, json={"for_good": self.rng.random() < 0.3})
            assert done.status_code == 200, done.text
            self.world.run.count("resignations")
        elif games:
            path = f"/api/games/{self.rng.choice(games)}/proposals"
            wish = self.rng.choice(
                [{"kind": "pause", "seconds": 172_800}, {"kind": "close", "outcome": "draw"}]
            )
            done = self.person.send("POST", path, json=wish)
            assert done.status_code in {201, 409}, done.text
            self.world.run.count("proposals", done.status_code == 201)
        elif 0.05 < dice < 0.062:
            self._plan_vacation()

    def _plan_vacation(self) -> None:
        first = self.local(self.world.now).date() + timedelta(self.rng.randint(2, 6))
        last = first + timedelta(self.rng.randint(0, 11))
        wish = {"first": first.isoformat(), "last": last.isoformat()}
        done = self.person.send("POST", "/api/me/vacations", json=wish)
        assert done.status_code in {201, 409, 422}, done.text
        if done.status_code == 201:
            ends = self._midnight(last + timedelta(1))
            self.away.append((self._midnight(first), ends))
            self.world.run.count("vacations")

    def _midnight(self, day: date) -> int:
        return int(datetime(day.year, day.month, day.day, tzinfo=self.zone).timestamp() * 1000)

    def _find_games(self) -> None:
        """Sit down at somebody's table, or open one, if they have too few games."""
        mine = self.person.get("/api/games?mine=true&limit=50")["games"]
        going = [game for game in mine if game["status"] != "over" and game["yours"]]
        if len(going) >= self.wanted:
            return
        for table in self.person.get("/api/games?status=open")["games"]:
            if self.rng.random() < 0.8:
                done = self.person.send("POST", f"/api/games/{table['id']}/seats", json={})
                assert done.status_code in {201, 409}, done.text
                if done.status_code == 201:
                    return
        self._open()

    def _open(self) -> None:
        slug = self.rng.choice(GAMES)
        ruleset = rules.load(slug)
        players = self.rng.choice(sorted(ruleset.players)[:3])
        settled = ruleset.looks.lengths(players)[0].options
        options = {name: settled[name] for name in ruleset.options(players) if name in settled}
        if ruleset.live(players, ruleset.settle(players, options)):
            return  # everybody would have to be online at once
        house = 1 if players > 2 and self.rng.random() < 0.2 else 0
        wish = {"ruleset": slug, "players": players, "options": options, "nonce": None}
        wish |= {"pace": self.rng.choice(PACES), "takeover": self.rng.choice([1, 2, 3])}
        self.person.post("/api/games", wish | {"house": house, "start": "full"})
        self.world.run.count("tables")
