"""1 The presets, and the rules A to H that can be chosen one by one."""

from __future__ import annotations

from rules.kernel import Json, Option

LETTERS = "ABCDEFGH"
PRESETS = {"base": "", "advanced": "ABC", "maniac": "ABCDE", "masochist": LETTERS}
"""The rules that each preset puts in force (1); with `custom` they are chosen one by one."""


def options(players: int) -> dict[str, Option]:
    """1 A preset, and the rules that `custom` puts in force."""
    own = {letter: Option((False, True), False) for letter in LETTERS}
    return {"preset": Option((*PRESETS, "custom"), "base"), **own}


def in_force(chosen: Json) -> str:
    """1 The letters of the rules in force: those of the preset, or those chosen with `custom`."""
    own = "".join(letter for letter in LETTERS if chosen[letter])
    return PRESETS.get(chosen["preset"], own)
