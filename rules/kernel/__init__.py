"""The kernel: the parts of every ruleset, and the contract that it fulfils. The kernel knows no game.

Games, the service and players import from here:

    ruleset.py       the contract: what the service, tests and searches may ask of a game
    looks.py         how a game is shown
    lessons.py       the first moves of a game, as somebody who learns it may make them
    puzzles.py       positions in which one action is far better than all others
    mind.py          house players' assumptions about hidden cards and sensible play
    states.py        states: a class for each phase, with its actions and their effects
    turns.py         what can happen now, and how a game ended
    lines.py         what is told about events, and to whom
    parts.py         the deals, rounds and tricks of a game
    declarations.py  who sees which field; views follow from that
    moments.py       events at which the table stops until they have been seen
    actions.py       parameters of actions: their kinds and values, who knows them, JSON Schemas
    vocabulary.py    every zone, fact, prompt and line of a game: its members, and who sees it
    refusals.py      the events that are refused, and why
    score_entries.py the origin of scores
    standing.py      the orders that players can leave
    taking_back.py   what anybody has learned from an action that may be taken back
    values.py        values as JSON has them
    randomness.py    the requirements on a random generator
    information_sets.py  the positions that a seat cannot tell apart: its blind state
    worlds.py        positions that fit a blind state
    foresight.py     the changes by an action that its seat can know before playing it
    obstacles.py     why something cannot be chosen now
    proof.py         the proof that nobody learns more than the declarations say; for tests alone

A module imports only modules of lower layers, which pyproject.toml lists.
"""

from __future__ import annotations

from rules.kernel.actions import Param, Taken, action_schema, is_declared
from rules.kernel.declarations import (
    Marked,
    Place,
    Viewer,
    everyone,
    fact,
    inner,
    owner,
    owner_until_over,
    sealed,
    size,
    zone,
)
from rules.kernel.foresight import Change, Foreseen, foresee
from rules.kernel.lines import Only, only
from rules.kernel.looks import Area, Cover, Daily, Length, Looks, Spot, token
from rules.kernel.mind import Address, Dealt, Hidden, Mind
from rules.kernel.obstacles import Draft, Obstacle, Touched, obstacle
from rules.kernel.parts import Heading, Part, part
from rules.kernel.randomness import Random, one_of, shuffled
from rules.kernel.refusals import Illegal, Invalid
from rules.kernel.ruleset import Option, Ruleset
from rules.kernel.score_entries import Entry, entry, lines_of
from rules.kernel.standing import Standing
from rules.kernel.states import Sealed, State, phase, table
from rules.kernel.taking_back import only_chosen, turned
from rules.kernel.turns import OVER, Chance, Result, Turn, all_seats, waits_for
from rules.kernel.values import Action, Array, Json, JsonValue, plain, same, text
from rules.kernel.vocabulary import Vocabulary
from rules.kernel.worlds import Worlds

__all__ = [
    "OVER",
    "Action",
    "Address",
    "Area",
    "Array",
    "Chance",
    "Change",
    "Cover",
    "Daily",
    "Dealt",
    "Draft",
    "Entry",
    "Foreseen",
    "Heading",
    "Hidden",
    "Illegal",
    "Invalid",
    "Json",
    "JsonValue",
    "Length",
    "Looks",
    "Marked",
    "Mind",
    "Obstacle",
    "Only",
    "Option",
    "Param",
    "Part",
    "Place",
    "Random",
    "Result",
    "Ruleset",
    "Sealed",
    "Spot",
    "Standing",
    "State",
    "Taken",
    "Touched",
    "Turn",
    "Viewer",
    "Vocabulary",
    "Worlds",
    "action_schema",
    "all_seats",
    "entry",
    "everyone",
    "fact",
    "foresee",
    "inner",
    "is_declared",
    "lines_of",
    "obstacle",
    "one_of",
    "only",
    "only_chosen",
    "owner",
    "owner_until_over",
    "part",
    "phase",
    "plain",
    "same",
    "sealed",
    "shuffled",
    "size",
    "table",
    "text",
    "token",
    "turned",
    "waits_for",
    "zone",
]
