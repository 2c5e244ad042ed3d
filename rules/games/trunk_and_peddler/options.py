"""1 The presets, and the rules A to H that can be chosen one by one."""

from __future__ import annotations

from rules.kernel import Json, Option

LETTERS = "ABCDEFGH"
PRESETS = {"base": "", "advanced": "ABC", "maniac": "ABCDE", "masochist": LETTERS}
"""1 The letters of the rules that each preset puts in force; with `custom` they are chosen one by one."""


def options(players: int) -> dict[str, Option]:
    """1 The options: a preset, and each rule that `custom` can put in force."""
    own = {letter: Option((False, True), False) for letter in LETTERS}
    return {"preset": Option((*PRESETS, "custom"), "base"), **own}


def in_force(chosen: Json) -> str:
    """1 The letters of the rules in force: the preset's rules or, with `custom`, the chosen ones."""
    own = "".join(letter for letter in LETTERS if chosen[letter])
    return PRESETS.get(chosen["preset"], own)
