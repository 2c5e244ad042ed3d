"""Begin a new version of a game: set the present one aside as a complete copy, and raise the number.

    python -m tests.rules.new_version NAME

copies the folder `rules/games/NAME/`, words and page of rules included, to `v<N>/` inside it, where N is the version up
to now, and lets the copied modules import each other there. The table of who sees what and the rare states are copied
in the same way. Then the rules, words and page in the folder itself can be changed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_VERSION = re.compile(r"(?m)^(    version=)([0-9]+)(,)$")
COPIED = ("*.py", "words.*.po", "page.*.md", "page.examples.toml", "page.turn.json")


def set_aside(game: Path, package: str = "rules.games") -> int:
    """Copy the game in the folder `game` of `package` to `v<N>` inside it, and raise its version; returns N."""
    ruleset = game / "__init__.py"
    source = ruleset.read_text("utf-8")
    declared = _VERSION.search(source)
    if declared is None:
        raise LookupError(f"{ruleset} declares no version")
    number = int(declared[2])
    older = game / f"v{number}"
    older.mkdir()
    for path in sorted(path for pattern in COPIED for path in game.glob(pattern)):
        (older / path.name).write_text(moved(path, package, game.name, number), "utf-8")
    ruleset.write_text(_VERSION.sub(rf"\g<1>{number + 1}\g<3>", source), "utf-8")
    return number


def set_audience_aside(tests: Path, number: int) -> None:
    """Copy the table of who sees what and the rare states from the folder of the game's tests to `v<N>` inside it."""
    older = tests / f"v{number}"
    older.mkdir()
    for path in (tests / name for name in ("audience.py", "rare.py")):
        if path.exists():
            text = moved(path, "rules.games", tests.name, number)
            (older / path.name).write_text(text, "utf-8")


def moved(path: Path, package: str, name: str, number: int) -> str:
    """The text of a file in which imports of the game's modules lead to its folder `v<N>`."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return text
    return re.sub(rf"\b{re.escape(package)}\.{name}\b", f"{package}.{name}.v{number}", text)


def main(name: str) -> None:
    number = set_aside(ROOT / "rules/games" / name)
    set_audience_aside(ROOT / "tests/rules/games" / name, number)
    print(f"version {number} is in rules/games/{name}/v{number}; now change version {number + 1}")


if __name__ == "__main__":
    main(*sys.argv[1:])
