"""What a caller is shown of a table: the one place where rows, the engine's view and words become an answer.

Besides who is waiting and one's own legal actions, all that is told of the game comes from the engine's `view`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from rules.kernel import Json, State
from service import paces, times
from service.config import RELEASE
from service.outside import rfc3339
from service.seats import Held
from service.table import Table
from service.waits import pace_of
from service.words import Phrases, phrases

SLOWER = {"open": 1, "running": 1, "over": 30}
"""How much more seldom than a running game it is worth while to ask again."""


class Viewer(NamedTuple):
    """Who asks: a player or nobody, in which language; how often; and the invitation for those who may have it."""

    player_id: str | None
    language: str
    poll_after: float
    invitation: Json | None = None
    held: Held | None = None
    """The seat that the viewer gave up."""


def etag(revision: int, tenure: str | None, language: str) -> str:
    """The tag of an answer that can be polled: equal tag, equal body for each viewer. It tells nothing but change."""
    seen = f"{revision} {tenure or '-'} {language} {RELEASE}"
    return f'"{hashlib.sha256(seen.encode()).hexdigest()[:20]}"'


class GameAnswer:
    """One table for one viewer. `state` is None before the start."""

    def __init__(self, table: Table, state: State | None, viewer: Viewer) -> None:
        self.table, self.state, self.viewer = table, state, viewer
        self.game = table.game
        self.words = phrases(viewer.language, self.game.ruleset)
        self.me = table.person(viewer.player_id)
        self.seat: int | None = self.me.seat if self.me else None

    @cached_property
    def names(self) -> list[str]:
        """How people are called, in the order of `table.people`: house players are numbered."""
        return people_names(self.table.people, self.words)

    @property
    def etag(self) -> str:
        """The tag of `whole`."""
        held = self.viewer.held
        who = self.me.tenure if self.me else held and f"seat {held.seat} until {held.until}"
        return etag(self.game.revision, who, self.viewer.language)

    def whole(self) -> Json:
        """The Game of openapi.yaml."""
        game, table = self.game, self.table
        return {
            **summary_of(game, self.words),
            "options": game.options,
            "seating": game.seating,
            "start": game.start,
            "host": table.host and table.host.tenure,
            "seats": [self.person(person, name) for person, name in self.seated],
            "seat": self.seat,
            "tenure": self.me and self.me.tenure,
            "waiting": self.waiting(),
            "number": game.number,
            "revision": game.revision,
            "head": game.head and game.head.hex(),
            "commitment": table.commitment,
            "nonces": table.nonces,
            "asked": self.me and self.me.asked,
            "view": self.view(),
            "legal": self.legal(),
            "result": self.result(),
            **self.time(),
            "invitation": self.viewer.invitation if self.me and game.private else None,
            "poll_after": self.viewer.poll_after * SLOWER[game.status],
        }

    def time(self) -> Json:
        """The pace, and what the table has agreed on or is asked to."""
        game, held, who = self.game, self.viewer.held, self.viewer.player_id
        asked = (
            times.proposals(self.table, self.words, self.names, who, ended=False)
            if game.asking
            else []
        )
        return {
            "pace": paces.shown(pace_of(game), self.words),
            "takeover": game.takeover,
            "paused": times.paused(game),
            "proposals": asked,
            "held": held and {"seat": held.seat, "back": held.back},
        }

    @property
    def seated(self) -> Iterable[tuple[Any, str]]:
        """People with their names."""
        return zip(self.table.people, self.names, strict=True)

    def person(self, person: Any, name: str) -> Json:
        """One of the seats."""
        return {
            "tenure": person.tenure,
            "seat": person.seat,
            "name": name,
            "house": person.player_id is None and not person.erased,
            "you": person is self.me,
            "waiting": bool(person.waiting),
            "away": vacation(person),
            **times.store(self.game, person),
        }

    def waiting(self) -> list[Json]:
        """The seats that the game waits for."""
        waiting = [person for person in self.table.people if person.waiting]
        return [
            {
                "seat": person.seat,
                "since": rfc3339(person.since),
                "due": times.due(self.game, person),
            }
            for person in waiting
        ]

    def view(self) -> Json | None:
        """The engine's view with words."""
        if self.state is None:
            return None
        view = self.table.ruleset.view(self.state, self.seat)
        say, phase = self.words.said, view["phase"]
        prompt = f"prompt.{phase}" if f"prompt.{phase}" in self.words.messages else f"phase.{phase}"
        return {
            "phase": phase,
            "phase_words": say(f"phase.{phase}", {}),
            "prompt": view["prompt"],
            "prompt_words": say(prompt, view["prompt"], self.names),
            "committed": view["committed"],
            "zones": [
                {**zone, "words": say(f"zone.{zone['name']}", zone, self.names)}
                for zone in view["zones"]
            ],
            "facts": [self.worded(fact) for fact in view["facts"]],
        }

    def worded(self, fact: Json) -> Json:
        """A fact with its words; `short` is for where it stands beside what it is about."""
        words, short = self.fact(fact), self.fact({**fact, "short": True})
        return {**fact, "words": words} | ({"short": short} if short != words else {})

    def fact(self, fact: Json) -> str:
        """A fact in words; a seat's own sealed choice reads like the action it is."""
        if f"fact.{fact['name']}" in self.words.messages:
            return self.words.said(f"fact.{fact['name']}", fact, self.names)
        return self.words.said(f"action.{fact['name']}", fact, self.names)

    def legal(self) -> list[Json]:
        """The caller's legal actions, each with what it will do."""
        if self.state is None or self.seat is None or self.game.status == "over":
            return []
        legal = self.table.ruleset.legal(self.state, self.seat)
        return [{"action": action, "words": self.action(action)} for action in legal]

    def action(self, action: Json) -> str:
        """An action in words."""
        return self.words.said(f"action.{action['type']}", action, self.names)

    def result(self) -> Json | None:
        """How the game ended, in words too."""
        if self.game.result is None:
            return None
        result = self.game.result
        names = [self.names[seat] for seat in result["winners"]]
        joined = self.words.listed(names)
        winners = self.words.say(
            "result.winners" if names else "result.nobody", {"winners": joined}
        )
        reason = self.words.say(f"reason.{result['reason']}")
        scores = [
            None if s is None else self.words.say("score", {"score": s}) for s in result["scores"]
        ]
        return {**result, "words": f"{reason} {winners}", "score_words": scores}

    def lines(
        self, state: State, past: tuple[int | None, Sequence[str]] | None = None
    ) -> list[Json]:
        """What the last event of `state` made happen, as the viewer may know it.

        `past`: through the eyes of which seat that was, and what people were called.
        """
        seat, names = past or (self.seat, self.names)
        told = self.table.ruleset.lines(state, seat)
        return [
            {**line, "words": self.words.said(f"line.{line['line']}", line, names)} for line in told
        ]


def vacation(person: Any) -> Json | None:
    """The present, next or last vacation of somebody at the table, as it was planned."""
    if person.away_from is None:
        return None
    return {"begins_at": rfc3339(person.away_from), "ends_at": rfc3339(person.away_until)}


def people_names(people: Iterable[Any], words: Phrases) -> list[str]:
    """Names in the order of `people`; house players are numbered, and who was erased has none."""
    names, house = [], 0
    for person in people:
        house += person.player_id is None and not person.erased
        nameless = "person.gone" if person.erased else "house.name"
        names.append(person.name or words.say(nameless, {"n": house}))
    return names


def summary_of(game: Any, words: Phrases) -> Json:
    """What the lobby and the table both tell of a game's row."""
    return {
        "id": game.id,
        "status": game.status,
        "ruleset": {"slug": game.ruleset, "version": game.version, "name": words.say("name")},
        "players": game.players,
        "private": game.private,
        "created_at": rfc3339(game.created_at),
        "started_at": game.started_at and rfc3339(game.started_at),
        "ended_at": game.ended_at and rfc3339(game.ended_at),
    }
