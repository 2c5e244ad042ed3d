"""The results of games, stored so that a later run continues with the next deals.

They are in a file of the project, with a line for each pairing and effort. Another version of the house players may
choose differently, so its games are played again. If it is known to choose the same in some games, the lines of these
games get the number of the new version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.strength.games import Game, Pairing, effort_of
from rules.players.house import VERSION


class Tally(NamedTuple):
    """The result of the games of a pairing in which one seat had this effort for each decision."""

    pairing: Pairing
    effort: str
    deals: int = 0
    """The number of deals that were played, usually with all rotations of the seats."""
    games: int = 0
    won: float = 0.0
    """The parts of the wins that went to that seat."""


class Results:
    """The results in a file, for this version of the house players."""

    def __init__(self, path: Path, version: str = VERSION) -> None:
        self._path, self._version = path, version
        self._tallies: dict[tuple[Pairing, str], Tally] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            entry = json.loads(line)
            if entry.pop("version") == version:
                pairing = Pairing(*(entry.pop(field) for field in Pairing._fields))
                self._tallies[pairing, entry["effort"]] = Tally(pairing, **entry)

    def __iter__(self) -> Iterator[Tally]:
        return iter(sorted(self._tallies.values()))

    def of(self, pairing: Pairing, effort: str) -> Tally:
        """The result of a pairing."""
        return self._tallies.get((pairing, effort), Tally(pairing, effort))

    def add(self, game: Game, won: float) -> None:
        """Add a game that was played, and write the result at once."""
        tally = self.of(game.pairing, effort_of(game.level))
        self._tallies[tally.pairing, tally.effort] = tally._replace(
            deals=max(tally.deals, game.deal + 1), games=tally.games + 1, won=tally.won + won
        )
        whole = self._path.with_suffix(".new")
        whole.write_text("".join(map(self._line, self)), "utf-8")
        whole.replace(self._path)

    def _line(self, tally: Tally) -> str:
        entry = {"version": self._version, **tally.pairing._asdict(), **tally._asdict()}
        del entry["pairing"]
        return json.dumps(entry | {"won": round(tally.won, 2)}) + "\n"
