"""A viewer's view of a table: only in this module do rows, the engine's view and words become a response.

Apart from who has to act and from the viewer's legal actions, all of it comes from the engine's `view`.
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
from service.log.table_rows.rests import Rest
from service.log.table_rows.table import GameRow, Holder, Person, Table
from service.people.names import harmless
from service.tables.clocks import paces, polling
from service.tables.play import nudges, take_back
from service.tables.play.daily_deals import answers
from service.tables.play.house_levels import known_level
from service.tables.play.leaving import Held
from service.tables.play.proposals import open_proposals
from service.tables.views import clock_view, proposals_view
from service.tables.views.face_down import face_down
from service.tables.views.people_names import Named, bare_name, name_in_text, program_words
from service.tables.views.rulesets import lesson_view
from service.tables.views.worded_view import worded_face_down, worded_fact, worded_zone

MOST_SAID = 6
"""The most alternatives that a message lists."""


class Viewer(NamedTuple):
    """The viewer, a player or nobody, with their language and the shortest poll interval in seconds.

    The invitation key is included if the viewer may see it.
    """

    player_id: str | None
    language: str
    poll_after: float
    invitation: Json | None = None
    held: Held | None = None
    """The seat that the viewer used to hold."""
    by_mail: bool = False
    """Whether the view is for an email, in which `harmless` changes names."""
    now: int = 0
    """The time of viewing (ms UTC)."""


class Version(NamedTuple):
    """A table's state when it was shown: its revision, the digest of its log, and the time of the last event.

    A database that was restored, or has lost rows, can reach the same revision with another log.
    """

    revision: int
    head: bytes | None
    logged_at: int | None
    rest: Json | None
    """The rest times of the table; the time decides which rest is the next one."""


def etag(version: Version, who: str | None, language: str, key: bytes, now: int) -> str:
    """The ETag of a response that can be polled: equal tags mean equal bodies. It reveals nothing else.

    The game's revision rises with everything that anybody is shown. `who` is the viewer's tenure, or another reason why
    the viewer is shown more; `key` is the public key under which the head in the response is signed.
    """
    quiet = polling.quietness(now, version.logged_at)
    past = version.head.hex() if version.head else "-"
    seen = f"{version.revision} {past} {who or '-'} {language} {key.hex()} {quiet} {release()}"
    if (rest := Rest.of(version.rest)) is not None:
        seen += f" {next(rest.since(now))}"
    return f'"{hashlib.sha256(seen.encode()).hexdigest()[:20]}"'


class GameAnswer:
    """The response about a table for one viewer. `state` is None before the start."""

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
        """The number of the viewer's question; None if the viewer has none."""
        return self.me.asked if isinstance(self.me, Holder) else None

    @cached_property
    def names(self) -> list[str]:
        """The names of `table.people` for use in sentences, with programs marked as such."""
        return self.names_of(self.table.people)

    def names_of(self, people: Iterable[Named]) -> list[str]:
        """The names of other people who sit or sat there, in the order of `people`."""
        return [self.as_read(name_in_text(person, self.words)) for person in people]

    def bare_names_of(self, people: Iterable[Named]) -> list[str]:
        """The names of people alone, for a history, which says once whether each is a person or a program."""
        return [self.as_read(bare_name(person, self.words)) for person in people]

    def as_read(self, name: str) -> str:
        """A name in the form in which this viewer reads it."""
        return harmless(name) if self.viewer.by_mail else name

    @property
    def reader(self) -> Reader:
        """The reader for whom the present table is put into words."""
        return Reader(self.names, self.seat)

    @property
    def etag(self) -> str:
        """The ETag of the response `whole`."""
        held, game, viewer = self.viewer.held, self.game, self.viewer
        who = self.me.tenure if self.me else held and f"seat {held.seat} until {held.until}"
        version = Version(game.revision, game.head, game.logged_at, game.rest)
        return etag(version, who, viewer.language, self._heads.public_key, viewer.now)

    def whole(self) -> Json:
        """The complete response (Game in openapi.yaml)."""
        game, table, legal = self.game, self.table, self.legal()
        return {
            **summary_of(game, self.words),
            "starts_at": game.starts_at and rfc3339(game.starts_at),
            "options": self.table.ruleset.filled(game.players, game.options),
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
            "take_back": take_back.shown(table, self.me),
            "result": self.result(),
            "lesson": lesson_view.shown(game, self.words, self.reader, legal),
            "deal": game.deal,
            **self.time(),
            "invitation": self.viewer.invitation if self.me and is_for_friends(game) else None,
            "poll_after": polling.poll_after(self.viewer.poll_after, game, self.viewer.now),
        }

    def time(self) -> Json:
        """The members with the pace, the rest, the pause and the open proposals."""
        game, table, held, who = self.game, self.table, self.viewer.held, self.viewer.player_id
        asked = (
            proposals_view.worded(table, open_proposals(table), self.words, self.reader, who)
            if game.asking
            else []
        )
        return {
            "pace": paces.shown(paces.loaded(game.pace), self.words, game.rest),
            **clock_view.next_rest(game, self.viewer.now),
            **clock_view.live(table),
            "takeover": game.takeover,
            "paused": clock_view.paused(game),
            "proposals": asked,
            "held": held and {"seat": held.seat, "back": held.may_return},
        }

    @property
    def seated(self) -> Iterable[tuple[Person, str]]:
        """The people and house players at the table, each with a name for use in sentences."""
        return zip(self.table.people, self.names, strict=True)

    def person(self, person: Person) -> Json:
        """A person or house player at the table, as the API shows them."""
        return {
            "tenure": person.tenure,
            "seat": person.seat,
            "name": self.as_read(bare_name(person, self.words)),
            "house": person.is_house,
            "program": program(person, self.words),
            "you": person is self.me,
            "waiting": isinstance(person, Holder) and person.waiting,
            "away": clock_view.vacation(person),
            **clock_view.unreachable(self.game, person),
            # only people who can, or before the start could, bring a nonce
            "nonce_missing": (
                not self.game.alone  # the shuffles of this game are fixed
                and not person.is_house
                and person.nonce is None
                and person.began in (None, 1)
            ),
            **clock_view.clock_of(self.game, person),
        }

    def waiting(self) -> list[Json]:
        """The seats that have to act, with their deadlines (Wait in openapi.yaml)."""
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
        """The engine's view with words; None before the start."""
        if self.state is None:
            return None
        view = self.table.ruleset.view(self.state, self.seat)
        stopped = self.stopped_at(self.game.number, self.state)
        return self.worded_view(view, self.reader, self.state, stopped=stopped)

    def stopped_at(self, number: int, state: State) -> bool:
        """Whether the game ended outside the rules with this event, in a state that does not know of the end."""
        is_last = self.game.is_over and number == self.game.number
        return is_last and self.table.ruleset.result(state) is None

    def worded_view(
        self, view: Json, reader: Reader, state: State | None = None, *, stopped: bool = False
    ) -> Json:
        """A view of the engine with words. `reader` knows who held the seats in this `state`.

        If the game has `stopped`, nobody has a question any more.
        """
        ruleset = self.table.ruleset
        turn = None if state is None else ruleset.turn(state)
        worded = worded_view(view, self.words, reader, turn)
        if stopped:
            worded |= {"prompt": {}, "prompt_words": self.words.say("page.turn.over")}
        return self._with_face_down(view, worded, reader)

    def worded_moment(self, view: Json, kind: str, reader: Reader) -> Json:
        """The table at a moment, with words. Sealed choices lie where they lay before, but everybody sees them."""
        return self._with_face_down(view, worded_moment(view, kind, self.words, reader), reader)

    def _with_face_down(self, view: Json, worded: Json, reader: Reader) -> Json:
        if found := face_down(self.table.ruleset, view, self.game.players):
            worded["face_down"] = [worded_face_down(each, self.words, reader) for each in found]
        return worded

    def legal(self) -> list[Json]:
        """The viewer's legal actions, each with words about its effect."""
        if self.state is None or self.seat is None or self.game.is_over or self.comes_later:
            return []
        legal = self.table.ruleset.legal(self.state, self.seat)
        return [{"action": action, "words": self.choice(action)} for action in legal]

    @property
    def comes_later(self) -> bool:
        """Whether the viewer has to wait for house players to answer first."""
        return isinstance(self.me, Holder) and answers.come_first(self.table, self.me)

    def choice(self, action: Json) -> str:
        """An action that the viewer may choose, in words that refer to the cards next to it."""
        if self.state is None or self.seat is None:
            return self.action(action)
        return self.action({**action, **self.state.beside(self.seat, action)})

    def action(self, action: Json) -> str:
        """An action in words, independent of the present table."""
        return self.words.say_most_specific(f"action.{action['type']}", action, self.reader)

    def preview(self, foreseen: Foreseen) -> Json:
        """The changes that an action will cause (Preview in openapi.yaml)."""
        return {
            "zones": [self._change(each, worded_zone) for each in foreseen.zones],
            "facts": [self._change(each, worded_fact) for each in foreseen.facts],
        }

    def why_not(self, found: Obstacle | None) -> Json:
        """The reason why something cannot be chosen (WhyNot in openapi.yaml)."""
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
        """The first few possible values of a parameter, in words, joined into one text."""
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
        """The result of the game with words; None before the end."""
        if self.game.result is None:
            return None
        result = self.game.result
        key = "result.winners" if result["winners"] else "result.nobody"
        winners = self.words.say(key, {"winners": result["winners"]}, self.reader)
        lost = [seat for seat in range(len(result["scores"])) if seat not in result["winners"]]
        # When somebody resigns, a game for two ends: the one who did not win has resigned.
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
        """The lines about the last event of `state`, as the viewer may know them.

        `past` is the seat whose view is used, together with the holders of the seats at that time.
        """
        seat, reader = past or (self.seat, self.reader)
        shown = self.table.ruleset.lines(state, seat)
        return [{**line, **worded(self.words, self._message(line), line, reader)} for line in shown]


def is_for_friends(game: GameRow) -> bool:
    """Whether the game's people may let others see it; nobody but its player may see a lesson or a daily deal."""
    return game.private and not game.alone


def lead(result: Json) -> int | None:
    """The lead of a single winner whose score is the highest or the lowest of all; None if there is no such winner."""
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
    """A view of the engine with words; without a `turn`, the question is worded for the seats that have to
    answer it.
    """
    return _worded(view, words, reader, prompt_words(view, words, reader, turn))


def worded_moment(view: Json, kind: str, words: Phrases, reader: Reader) -> Json:
    """A moment (rules/kernel/moments.py) with words; nobody has a question then."""
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
    """The question in words.

    For readers who need not answer, it says who has to, in the question's own words if these name exactly these seats.
    """
    key, fields = f"prompt.{view['phase']}", view["prompt"]
    key = words.most_specific(key if key in words.messages else f"phase.{view['phase']}", fields)
    if turn is not None and turn.waiting and reader.seat not in turn.waiting + turn.optional:
        named = {fields[name] for name, kind in words.formats(key).items() if kind == "seat"}
        if not set(turn.waiting) <= named <= {*turn.waiting, *turn.optional}:
            waited = [words.called(reader.names[seat]) for seat in turn.waiting]
            return words.say("page.turn.waiting", {"names": words.listed(waited)})
    return words.say(key, fields, reader)


def program(person: Person, words: Phrases) -> Json | None:
    """The description of a house player, or of a program that plays for a person; None for people who play
    themselves.
    """
    if person.house_name is None and not person.program:
        return None
    return {
        "level": known_level(person.house_level) if person.house_name else None,
        "version": person.house_version,
        "words": program_words(person, words),
    }


def summary_of(game: GameRow, words: Phrases) -> Json:
    """The parts of a game that the lobby and the table both show."""
    return {
        "id": game.id,
        "revision": game.revision,
        "status": game.status,
        "ruleset": {"slug": game.ruleset, "version": game.version, "name": words.say("name")},
        "players": game.players,
        "private": game.private,
        "rated": game.rated,
        "created_at": rfc3339(game.created_at),
        "started_at": game.started_at and rfc3339(game.started_at),
        "ended_at": game.ended_at and rfc3339(game.ended_at),
    }
