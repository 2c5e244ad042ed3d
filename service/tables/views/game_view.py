"""What a viewer is shown of a table: the one place where rows, the engine's view and words become a response.

Apart from who is waiting and the viewer's legal actions, all of it comes from the engine's `view`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from rules.kernel import Change, Foreseen, Json, JsonValue, Obstacle, State, Turn
from service.core.runtime.time_and_random import rfc3339
from service.core.settings.release import release
from service.core.words.pieces import worded
from service.core.words.words import Phrases, Reader, json_key, phrases
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import GameRow, Holder, Person, Table
from service.people.names import harmless
from service.tables.clocks import paces
from service.tables.play import nudges
from service.tables.play.house_levels import known_level
from service.tables.play.leaving import Held
from service.tables.play.proposals import open_proposals
from service.tables.views import clock_view, lesson_view, polling, proposals_view
from service.tables.views.face_down import face_down
from service.tables.views.people_names import Named, bare_name, name_in_text, program_words

MOST_SAID = 6
"""So many values that there are instead are named."""


class Viewer(NamedTuple):
    """Who is looking: a player or nobody, the language, the shortest poll interval in s, the invitation if they may
    have it.
    """

    player_id: str | None
    language: str
    poll_after: float
    invitation: Json | None = None
    held: Held | None = None
    """The seat that the viewer used to hold."""
    by_mail: bool = False
    """Whether this is for a mail, in which names are shown as `harmless` does."""
    now: int = 0
    """When they look (ms UTC)."""


class Version(NamedTuple):
    """What a table was when it was shown: its revision, the digest of its log, and when something happened last.

    A database that was restored or has lost some comes to the same revision with another log.
    """

    revision: int
    head: bytes | None
    logged_at: int | None


def etag(version: Version, who: str | None, language: str, key: bytes, now: int) -> str:
    """The tag of a response that can be polled: equal tags mean equal bodies. It reveals nothing else.

    The game's revision rises with all that anybody is shown.
    `who` is the tenure of the viewer, or what else they are shown more for; `key` the public key under which the head
    in it is signed.
    """
    quiet = polling.quietness(now, version.logged_at)
    past = version.head.hex() if version.head else "-"
    seen = f"{version.revision} {past} {who or '-'} {language} {key.hex()} {quiet} {release()}"
    return f'"{hashlib.sha256(seen.encode()).hexdigest()[:20]}"'


class GameAnswer:
    """One table for one viewer. `state` is None before the start."""

    def __init__(
        self, table: Table, state: State | None, viewer: Viewer, heads: HeadSigner
    ) -> None:
        self.table, self.state, self.viewer = table, state, viewer
        self._heads = heads
        self.game = table.game
        self.words = phrases(viewer.language, self.game.ruleset, self.game.version)
        self.me = table.person(viewer.player_id)
        self.seat: int | None = self.me.seat if self.me else None

    @property
    def asked(self) -> int | None:
        """The question that the viewer is asked."""
        return self.me.asked if isinstance(self.me, Holder) else None

    @cached_property
    def names(self) -> list[str]:
        """The names of `table.people` as they stand in sentences, where programs are said to be programs."""
        return self.names_of(self.table.people)

    def names_of(self, people: Iterable[Named]) -> list[str]:
        """The same of others who sit or sat there, in the order of `people`."""
        return [self.as_read(name_in_text(person, self.words)) for person in people]

    def bare_names_of(self, people: Iterable[Named]) -> list[str]:
        """Their names alone, for a history: what they are stands beside it once."""
        return [self.as_read(bare_name(person, self.words)) for person in people]

    def as_read(self, name: str) -> str:
        """A name as the viewer reads it."""
        return harmless(name) if self.viewer.by_mail else name

    @property
    def reader(self) -> Reader:
        """For whom the present table is worded."""
        return Reader(self.names, self.seat)

    @property
    def etag(self) -> str:
        """The tag of `whole`."""
        held, game, viewer = self.viewer.held, self.game, self.viewer
        who = self.me.tenure if self.me else held and f"seat {held.seat} until {held.until}"
        version = Version(game.revision, game.head, game.logged_at)
        return etag(version, who, viewer.language, self._heads.public_key, viewer.now)

    def whole(self) -> Json:
        """Game in openapi.yaml."""
        game, table, legal = self.game, self.table, self.legal()
        return {
            **summary_of(game, self.words),
            "starts_at": game.starts_at and rfc3339(game.starts_at),
            "options": game.options,
            "seating": game.seating,
            "start": game.start,
            "host": table.host and table.host.tenure,
            "level": known_level(game.level),
            "seats": [self.person(person) for person in table.people],
            "seat": self.seat,
            "tenure": self.me and self.me.tenure,
            "waiting": self.waiting(),
            "number": game.number,
            "head": game.head and game.head.hex(),
            "head_signature": game.head and self._heads.sign(game.id, game.number, game.head).hex(),
            "commitment": table.commitment,
            "nonces": table.nonces,
            "asked": self.asked,
            "view": self.view(),
            "legal": legal,
            "result": self.result(),
            "lesson": lesson_view.shown(game, self.words, self.reader, legal),
            **self.time(),
            "invitation": self.viewer.invitation if self.me and is_for_friends(game) else None,
            "poll_after": polling.poll_after(self.viewer.poll_after, game, self.viewer.now),
        }

    def time(self) -> Json:
        """The pace, the pause and the open proposals."""
        game, table, held, who = self.game, self.table, self.viewer.held, self.viewer.player_id
        asked = (
            proposals_view.worded(table, open_proposals(table), self.words, self.reader, who)
            if game.asking
            else []
        )
        return {
            "pace": paces.shown(paces.loaded(game.pace), self.words),
            "takeover": game.takeover,
            "paused": clock_view.paused(game),
            "proposals": asked,
            "held": held and {"seat": held.seat, "back": held.may_return},
        }

    @property
    def seated(self) -> Iterable[tuple[Person, str]]:
        """People with their names as they stand in sentences."""
        return zip(self.table.people, self.names, strict=True)

    def person(self, person: Person) -> Json:
        """One of the seats."""
        return {
            "tenure": person.tenure,
            "seat": person.seat,
            "name": self.as_read(bare_name(person, self.words)),
            "house": person.is_house,
            "program": program(person, self.words),
            "you": person is self.me,
            "waiting": isinstance(person, Holder) and person.waiting,
            "away": vacation(person),
            **clock_view.unreachable(self.game, person),
            # of those who can, or could before the start, bring a nonce
            "nonce_missing": (
                self.game.lesson is None  # its shuffles are fixed
                and not person.is_house
                and person.nonce is None
                and person.began in (None, 1)
            ),
            **clock_view.clock_of(self.game, person),
        }

    def waiting(self) -> list[Json]:
        """The seats that the game waits for."""
        who = self.viewer.player_id
        return [
            {
                "seat": holder.seat,
                "since": rfc3339(holder.since),
                "due": clock_view.due(self.game, holder.due),
                "nudge_from": (at := nudges.nudge_from(self.table, holder, who)) and rfc3339(at),
            }
            for holder in self.table.holders
            if holder.waiting
        ]

    def view(self) -> Json | None:
        """The engine's view, with words."""
        if self.state is None:
            return None
        view = self.table.ruleset.view(self.state, self.seat)
        stopped = self.stopped_at(self.game.number, self.state)
        return self.worded_view(view, self.reader, self.state, stopped=stopped)

    def stopped_at(self, number: int, state: State) -> bool:
        """Whether the game ended outside the rules with this event, in a state that knows nothing of it."""
        is_last = self.game.is_over and number == self.game.number
        return is_last and self.table.ruleset.result(state) is None

    def worded_view(
        self, view: Json, reader: Reader, state: State | None = None, *, stopped: bool = False
    ) -> Json:
        """A view of the engine with words; `reader` knows who held the seats then, in this `state`.

        Where the game has `stopped` nothing is asked any more.
        """
        ruleset = self.table.ruleset
        turn = None if state is None else ruleset.turn(state)
        worded = worded_view(view, self.words, reader, turn)
        if stopped:
            worded |= {"prompt": {}, "prompt_words": self.words.say("page.turn.over")}
        return self._with_face_down(view, worded, reader)

    def worded_moment(self, view: Json, kind: str, reader: Reader) -> Json:
        """The table at a moment, with words; what was sealed lies where it lay before, and everybody knows it."""
        return self._with_face_down(view, worded_moment(view, kind, self.words, reader), reader)

    def _with_face_down(self, view: Json, worded: Json, reader: Reader) -> Json:
        if found := face_down(self.table.ruleset, view, self.game.players):
            worded["face_down"] = [worded_face_down(each, self.words, reader) for each in found]
        return worded

    def legal(self) -> list[Json]:
        """The viewer's legal actions, each with words that say what it will do."""
        if self.state is None or self.seat is None or self.game.is_over:
            return []
        legal = self.table.ruleset.legal(self.state, self.seat)
        return [{"action": action, "words": self.choice(action)} for action in legal]

    def choice(self, action: Json) -> str:
        """An action that the viewer may choose, in words that name what lies beside."""
        if self.state is None or self.seat is None:
            return self.action(action)
        return self.action({**action, **self.state.beside(self.seat, action)})

    def action(self, action: Json) -> str:
        """An action in words; the table may have gone on since."""
        return self.words.say_most_specific(f"action.{action['type']}", action, self.reader)

    def preview(self, foreseen: Foreseen) -> Json:
        """Preview in openapi.yaml: what an action will change."""
        return {
            "zones": [self._change(each, worded_zone) for each in foreseen.zones],
            "facts": [self._change(each, worded_fact) for each in foreseen.facts],
        }

    def why_not(self, found: Obstacle | None) -> Json:
        """WhyNot in openapi.yaml: why something cannot be chosen."""
        if found is None:
            return {"why": None, "words": self.words.say("why.nothing")}
        if not found.general:
            said = self.words.say_most_specific(f"why.{found.why}", found.fields, self.reader)
            return {"why": found.why, "words": said}
        fields = dict(found.fields)
        if "types" in fields:
            said = self.words.listed([self.words.say(f"type.{each}") for each in fields["types"]])
            fields["types"] = said
        if "may" in fields:
            fields["values"] = self._values(fields["parameter"], fields["may"])
        words = self.words.say(f"why.{found.why}", fields, self.reader)
        return {"why": found.why, "words": words}

    def _values(self, parameter: str, values: list[JsonValue]) -> str:
        """The first of the values that a parameter may have, in words."""
        words = self.words
        said = [words.get(f"value.{parameter}.{json_key(each)}") for each in values[:MOST_SAID]]
        named = [
            worded or (words.card(each) if isinstance(each, str) else json_key(each))
            for worded, each in zip(said, values, strict=False)
        ]
        if len(values) > MOST_SAID:
            return words.say("list.comma").join([*named, "…"])
        return words.listed(named)

    def _change(self, change: Change, worded: Callable[[Json, Phrases, Reader], Json]) -> Json:
        return {
            name: part and worded(part, self.words, self.reader)
            for name, part in change._asdict().items()
        }

    def result(self) -> Json | None:
        """How the game ended, with words."""
        if self.game.result is None:
            return None
        result = self.game.result
        key = "result.winners" if result["winners"] else "result.nobody"
        winners = self.words.say(key, {"winners": result["winners"]}, self.reader)
        lost = [seat for seat in range(len(result["scores"])) if seat not in result["winners"]]
        # A game of two ends when somebody resigns: whoever did not win is the one who did.
        reason = self.words.say(f"reason.{result['reason']}", {"seat": lost}, self.reader)
        scores = [
            None if s is None else self.words.say("score", {"score": s}) for s in result["scores"]
        ]
        ahead = lead(result)
        said = [reason, winners]
        if ahead is not None:
            said.append(self.words.say("result.ahead", {"value": ahead}))
        return {**result, "words": " ".join(said), "score_words": scores}

    def _message(self, line: Json) -> str:
        return self.words.most_specific(f"line.{line['line']}", line)

    def lines(self, state: State, past: tuple[int | None, Reader] | None = None) -> list[Json]:
        """What the last event of `state` made happen, as the viewer may know it.

        `past` is the seat whose view it is seen from, and who held the seats at that time.
        """
        seat, reader = past or (self.seat, self.reader)
        shown = self.table.ruleset.lines(state, seat)
        return [{**line, **worded(self.words, self._message(line), line, reader)} for line in shown]


def is_for_friends(game: GameRow) -> bool:
    """Whether its people may let others see it: a lesson is its learner's alone."""
    return game.private and game.lesson is None


def lead(result: Json) -> int | None:
    """By how much the only winner has won, if their score is the highest or the lowest of all."""
    winners: list[int] = result["winners"]
    scores: list[int] = [score for score in result["scores"] if score is not None]
    if len(winners) != 1 or len(scores) != len(result["scores"]):
        return None
    won = scores[winners[0]]
    others = [score for seat, score in enumerate(scores) if seat != winners[0]]
    if min(others) <= won <= max(others):
        return None
    return min(abs(won - other) for other in others)


def worded_view(view: Json, words: Phrases, reader: Reader, turn: Turn | None = None) -> Json:
    """A view of the engine with words; without a `turn` the question is worded as for those who are asked."""
    return _worded(view, words, reader, prompt_words(view, words, reader, turn))


def worded_moment(view: Json, kind: str, words: Phrases, reader: Reader) -> Json:
    """What is shown of a moment (rules/kernel/moments.py), with words: nothing is asked then."""
    return _worded({**view, "prompt": {}}, words, reader, words.say(f"moment.{kind}"))


def _worded(view: Json, words: Phrases, reader: Reader, asked: str) -> Json:
    say, phase = words.say_most_specific, view["phase"]
    return {
        "phase": phase,
        "phase_words": say(f"phase.{phase}", {}),
        "prompt": view["prompt"],
        "prompt_words": asked,
        "committed": view["committed"],
        "zones": [worded_zone(zone, words, reader) for zone in view["zones"]],
        "facts": [worded_fact(fact, words, reader) for fact in view["facts"]],
    }


def prompt_words(view: Json, words: Phrases, reader: Reader, turn: Turn | None) -> str:
    """The question; for those who are not asked, who is: as the question has it if it names just these."""
    key, fields = f"prompt.{view['phase']}", view["prompt"]
    key = words.most_specific(key if key in words.messages else f"phase.{view['phase']}", fields)
    if turn is not None and turn.waiting and reader.seat not in turn.waiting + turn.optional:
        named = {fields[name] for name, kind in words.formats(key).items() if kind == "seat"}
        if not set(turn.waiting) <= named <= {*turn.waiting, *turn.optional}:
            waited = [words.called(reader.names[seat]) for seat in turn.waiting]
            return words.say("page.turn.waiting", {"names": words.listed(waited)})
    return words.say(key, fields, reader)


def worded_zone(zone: Json, words: Phrases, reader: Reader) -> Json:
    """A zone with its words. It says whose it is as facts do, and as it did before."""
    of = {"of": zone["seat"]} if "seat" in zone else {}
    return {**zone, **of, "words": words.say_most_specific(f"zone.{zone['name']}", zone, reader)}


def worded_face_down(lying: Json, words: Phrases, reader: Reader) -> Json:
    """Cards that lie face down, with the words of their zone."""
    zone = {**lying, "name": lying["zone"], "seat": lying["of"]}
    return {**lying, "words": lying["zone"] and worded_zone(zone, words, reader)["words"]}


def worded_fact(fact: Json, words: Phrases, reader: Reader) -> Json:
    """A fact with its words; `short` are words for showing it beside its subject.

    A seat's own sealed choice is worded like the action.
    """
    key = f"fact.{fact['name']}"
    if key not in words.messages:
        key = f"action.{fact['name']}"
    long = words.most_specific(key, fact)
    worded = {**fact, "words": words.say(long, fact, reader)}
    if words.has_variant_with(key, "short"):
        short = words.most_specific(key, {**fact, "short": 1})
        if short != long and (said := words.say(short, fact, reader)) != worded["words"]:
            worded["short"] = said
    return worded


def program(person: Person, words: Phrases) -> Json | None:
    """What is said of a house player, and of a program that plays for a person; None for people who play."""
    if person.house_name is None and not person.program:
        return None
    return {
        "level": known_level(person.house_level) if person.house_name else None,
        "version": person.house_version,
        "words": program_words(person, words),
    }


def vacation(person: Person) -> Json | None:
    """The present, next or last vacation of somebody at the table, as planned."""
    if person.away_from is None or person.away_until is None:
        return None
    return {"begins_at": rfc3339(person.away_from), "ends_at": rfc3339(person.away_until)}


def summary_of(game: GameRow, words: Phrases) -> Json:
    """What the lobby and the table both show of a game."""
    return {
        "id": game.id,
        "revision": game.revision,
        "status": game.status,
        "ruleset": {"slug": game.ruleset, "version": game.version, "name": words.say("name")},
        "players": game.players,
        "private": game.private,
        "created_at": rfc3339(game.created_at),
        "started_at": game.started_at and rfc3339(game.started_at),
        "ended_at": game.ended_at and rfc3339(game.ended_at),
    }
