"""Golden playthroughs: everything that anybody is shown of a stored game after every event, as it was when stored.

    python -m tests.rules.golden_views [SLUG …]

writes them again, next to the stored games. A playthrough is text, so that a diff reads as what changes for whom. After
each event it has the changes of a spectator's view, then those of each seat's view, where they differ from it: `!` is
for everybody, a number for a seat, and `-` for parts that are no longer shown. A long list of legal actions is stored
by its number, first, last, and digest; `question` is the digest of what a seat is asked.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import rules
from rules.kernel import Json, Ruleset, State, Viewer
from tests.rules.store_games import compact, paths_of, read

LONG = 150
"""The number of characters above which a list of legal actions is stored by its digest."""

Seen = dict[str, str]
"""What a viewer is shown: name of each part → its JSON text."""
Look = Callable[[Ruleset, State, Viewer], Seen]


def golden(path: Path) -> Path:
    """The path of the playthrough of a stored game."""
    return path.with_suffix(".views")


def playthrough(log: Json, look: Look | None = None) -> str:
    """The text of a playthrough; `look` is `seen` unless given."""
    ruleset = rules.load(log["ruleset"], log["version"])
    state = ruleset.initial(log["players"], log["options"])
    before: dict[Viewer, Seen] = {}
    look = look or seen
    text = list(_changes(look, ruleset, state, before))
    for number, event in enumerate(log["events"], 1):
        state = ruleset.act(state, event)
        text += [f"{number} {compact(event)}", *_changes(look, ruleset, state, before)]
    return "\n".join([*text, ""])


def _changes(
    look: Look, ruleset: Ruleset, state: State, before: dict[Viewer, Seen]
) -> Iterator[str]:
    """The changes for each viewer; `before`, which everybody was shown before, is updated."""
    public = look(ruleset, state, None)
    for viewer in (None, *range(state.players)):
        shown = public if viewer is None else _apart(look(ruleset, state, viewer), public)
        old, name = before.get(viewer, {}), "!" if viewer is None else viewer
        yield from (f"  {name} {part} -" for part in old if part not in shown)
        yield from (
            f"  {name} {part} {text}"
            for part, text in shown.items()
            if old.get(part) != text or part.startswith("line")
        )
        before[viewer] = shown


def _apart(shown: Seen, public: Seen) -> Seen:
    """The parts that a seat is shown differently from a spectator; `hidden` for those that only spectators
    are shown.
    """
    other = {part: text for part, text in shown.items() if public.get(part) != text}
    return other | {part: "hidden" for part in public if part not in shown}


def seen(ruleset: Ruleset, state: State, viewer: Viewer) -> Seen:
    """All that a viewer is shown, in parts that change one by one."""
    view = ruleset.view(state, viewer)
    parts: dict[str, object] = {name: view[name] for name in ("phase", "prompt", "committed")}
    parts |= _named("zone", view["zones"]) | _named("fact", view["facts"])
    parts |= {f"line {n}": line for n, line in enumerate(ruleset.lines(state, viewer))}
    texts = {part: compact(value) for part, value in parts.items()}
    legal = ruleset.legal(state, viewer)
    if legal and viewer is not None:
        texts["legal"] = _shortened(legal)
        texts["question"] = digest(compact(ruleset.question(state, viewer)))
    return texts


def _named(kind: str, entries: list[Json]) -> dict[str, object]:
    """Zones or facts by name and place; those with one name and place are numbered."""
    found: dict[str, object] = {}
    for entry in entries:
        where = [str(entry[key]) for key in ("seat", "of", "index") if key in entry]
        name = " ".join([kind, entry["name"], *where])
        same = sum(part == name or part.startswith(f"{name} #") for part in found)
        found[f"{name} #{same}" if same else name] = {
            key: value for key, value in entry.items() if key not in ("name", "seat", "of", "index")
        }
    return found


def _shortened(legal: list[Json]) -> str:
    text = compact(legal)
    if len(text) <= LONG:
        return text
    return f"{len(legal)} {compact([legal[0], legal[-1]])} {digest(text)}"


def digest(text: str) -> str:
    """Enough of a digest to tell any two texts apart that a change could make."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def main(slugs: list[str]) -> None:
    for slug in slugs or rules.slugs():
        for path in paths_of(rules.load(slug)):
            golden(path).write_text(playthrough(read(path)), encoding="utf-8")
        print(slug, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
