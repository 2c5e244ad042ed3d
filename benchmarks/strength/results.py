"""What was won of the games that were played, so that a later run goes on with it.

A file of the project holds it: a line for each pairing and level, with a rotation of the seats for each deal. Another
version of the house players may choose differently: its games are played anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.strength.games import Game, Pairing, effort_of
from rules.players.house import VERSION

Key = tuple[Pairing, str]
Rotations = list[list[float | None]]
"""By deal, then by the seat that searches; None for a game that was not played to the end."""


class Results:
    """The games of this version of the house players in a file."""

    def __init__(self, path: Path, version: str = VERSION) -> None:
        self._path, self._version = path, version
        self._won: dict[Key, Rotations] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            entry = json.loads(line)
            if entry["version"] == version:
                pairing = Pairing(entry["ruleset"], entry["seats"], entry["against"])
                self._won[pairing, entry["effort"]] = entry["won"]

    def won(self, game: Game) -> float | None:
        """The part of the win that went to the seat that is measured; None if the game was not played."""
        rotations = self._won.get((game.pairing, effort_of(game.level)), [])
        return rotations[game.deal][game.seat] if game.deal < len(rotations) else None

    def of(self, games: Iterable[Game]) -> Iterator[tuple[Game, float]]:
        """Those of these games that were played."""
        for game in games:
            won = self.won(game)
            if won is not None:
                yield game, won

    def add(self, game: Game, won: float) -> None:
        """A game that was played; it is written at once."""
        rotations = self._won.setdefault((game.pairing, effort_of(game.level)), [])
        while len(rotations) <= game.deal:
            rotations.append([None] * game.pairing.players)
        rotations[game.deal][game.seat] = won
        self._write()

    def _write(self) -> None:
        lines = [self._line(key, won) for key, won in sorted(self._won.items())]
        whole = self._path.with_suffix(".new")
        whole.write_text("".join(lines), "utf-8")
        whole.replace(self._path)

    def _line(self, key: Key, won: Rotations) -> str:
        (slug, players, against), effort = key
        entry = {
            "version": self._version,
            "ruleset": slug,
            "seats": players,
            "against": against,
            "effort": effort,
            "won": won,
        }
        return json.dumps(entry) + "\n"
