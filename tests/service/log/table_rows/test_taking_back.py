"""Taking back in random games of every ruleset: an undone action has no effect, and nobody sees anything of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.kernel import Json, Ruleset, State
from service.log import events
from service.log.event_log import fold
from service.log.table_rows.taking_back import MOST, Recent, Wish
from service.log.verification import verify_voids
from tests.rules.playouts import IDS, RULESETS, next_event

LONG = 110
"""Events of a game that are played here."""


class Log:
    """A game with take-backs; each event with the state before it."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.rng = ruleset, rng
        players = rng.choice(ruleset.players)
        self.start = self.state = ruleset.initial(players, {})
        self.events: list[Any] = [{"kind": "start", "number": 1}]
        self.before: dict[int, State] = {}
        self.recent, self.verified = Recent.of(None, 1), verify_voids.Recent()
        self.undone = set[str]()

    def play(self) -> None:
        """Play one event, or sometimes take something back."""
        event: Any = self.next()
        event |= {"number": len(self.events) + 1} | ({"by": "seat"} if "seat" in event else {})
        before, self.state = self.state, self.ruleset.apply(self.state, seen(event))
        self.before[event["number"]] = before
        self.recent = self.recent.after(self.ruleset, before, event, self.state)
        self.verified.note(before, event, self.state)
        self.events.append(event)
        if self.rng.random() < 0.3 and self.ruleset.result(self.state) is None:
            seat = self.rng.randrange(self.state.players)
            if wish := self.recent.of_seat(seat, 1):
                self.take_back(seat, wish)

    def next(self) -> Json:
        """The next event, at random."""
        return next_event(self.ruleset, self.state, self.rng.randrange)

    def take_back(self, seat: int, wish: Wish) -> None:
        """Undo it, and compare the state with the one before it, or without it."""
        with_it, why = self.state, "free" if wish.is_free else "agreed"
        for number in wish.undone:
            void: Any = events.void(seat, number, why)  # type: ignore[arg-type]  # just made
            void["number"] = len(self.events) + 1
            self.verified.check(void)
            self.state = self.verified.undo(self.ruleset, void)
            self.events.append(void)
        assert self.verified.is_whole
        number = len(self.events)
        self.recent = self.recent.without(wish.undone, number)
        gone = events.undone_in(self.events)
        assert fold(self.ruleset, self.start, self.events, gone) == self.state
        if wish.event in self.before and (why == "agreed" or wish.event == max(self.before)):
            assert self.state == self.before[wish.event], "the state before the event"
        self.undone.add(why)
        if wish.is_free:
            self.nobody_saw(seat, with_it)
        # a later choice, if it stands, was made in a state with this one
        self.before = {n: each for n, each in self.before.items() if n < wish.event}

    def nobody_saw(self, seat: int, with_it: State) -> None:
        """The undone action has shown others only that a choice was made, and its seat the choice itself."""
        assert self.ruleset.legal(self.state, seat)
        for viewer in (None, *range(self.state.players)):
            was, now = (self.ruleset.view(each, viewer) for each in (with_it, self.state))
            assert set(was["committed"]) - set(now["committed"]) == {seat}
            if viewer != seat:
                assert was | {"committed": None} == now | {"committed": None}
                was_legal, legal = (self.ruleset.legal(s, viewer) for s in (with_it, self.state))
                assert was_legal == legal, "nobody else is asked anything else"


def seen(event: Any) -> Json:
    """What the rules see of the log."""
    return {name: value for name, value in event.items() if name not in ("number", "by")}


@pytest.mark.parametrize("rules_of", RULESETS, ids=IDS)
def test_what_was_taken_back_never_was(rules_of: Ruleset) -> None:
    taken = set[str]()
    for seed in range(6):
        log = Log(rules_of, random.Random(seed))
        while len(log.events) < LONG and not rules_of.turn(log.state).over:
            log.play()
        taken |= log.undone
        if taken == {"free", "agreed"}:
            break
    assert taken, "something was taken back"


def test_of_many_actions_only_the_last_are_kept() -> None:
    recent = Recent(40, ())
    (boomerang,) = (each for each in RULESETS if each.slug == "boomerang-auction")
    state = boomerang.initial(3, {})
    log = Log(boomerang, random.Random(1))
    while not any(event["kind"] == "action" for event in log.events):
        log.play()
    for _ in range(3 * MOST):
        kept = recent.actions
        recent = recent._replace(actions=(*kept, *log.recent.actions)[-MOST:])
    assert len(recent.actions) <= MOST and recent.stored["number"] == 40
    assert Recent.of(recent.stored, 40) == recent
    assert Recent.of(recent.stored, 41).actions == (), "an older process has gone on"
    assert state is not None
