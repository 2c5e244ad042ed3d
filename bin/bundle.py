"""Writing the contract from docs/api/: complete documents for readers, from sources by area for editors.

`document.yaml` is the beginning, up to the paths. Each other file is an area: its paths, and the components that
nothing else uses; `common.yaml` has the components that several areas use, and `usual.yaml` the response that stands
for everything for which any operation may be refused. The examples of each operation are a file in `examples/`. All of
it is joined as text, so that comments and line breaks stay as they are written.

Three documents are made, each complete in itself, because it contains every component to which something in it refers:

* `openapi.yaml`, the API: an operation lists the responses that are special to it, and `default` describes the others;
* `docs/openapi-playing.yaml`: the part of it that a program needs to play;
* `docs/openapi-pages.yaml`: the addresses of pages, and of the links in mails.

Each also exists as JSON, in `docs/`.

In the sources, each operation lists every response that it gives. `complete` returns a document of all operations, for
the tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "docs/api"
OF_API = (
    *(
        "playing",
        "tables",
        "rulesets",
        "daily",
        "ratings",
        "players",
        "changes",
        "webhooks",
        "push",
        "time",
        "orders",
        "talk",
        "history",
        "analysis",
        "puzzles",
    ),
    *("people", "circles", "series", "sign_in", "oauth", "settings", "server"),
)
OF_PAGES = ("page", "plain", "mail_links")
AREAS = (*OF_API, *OF_PAGES)
"""The areas in the order of their paths: first those that a program needs, last those for people."""
SHARED = ("common", "usual")
KINDS = ("securitySchemes", "parameters", "headers", "responses", "schemas")
EVERYWHERE = {"414": "UriTooLongAnswer", "431": "HeadersTooLargeAnswer"}
"""The responses that every operation gives, by status."""
USUAL = "UsualAnswer"
"""The component to which `default` refers."""
ABOUT_PLAYING = (
    *("Five requests", "Words", "Actions", "The question", "Polling", "Changes", "Waiting"),
    *("Languages", "Errors", "Repeating", "Compatibility"),
)
"""The headings of the introduction that are kept in the document for playing programs."""
HEAD = "# Made by bin/bundle from the sources in docs/api/.\n"
API, PLAYING, PAGES = "openapi.yaml", "docs/openapi-playing.yaml", "docs/openapi-pages.yaml"
LONGEST_EXAMPLE = 4950
"""The most characters of an example that the document for playing programs keeps."""
REPEATED = (
    "problem-",
    "postAction-20",
    "takeSeat-20",
    "openGame-20",
    "listGames-20",
    "listRulesets-20",
    "listTurns-20",
)
"""The beginnings of the names of examples that the document for playing programs leaves out: one example of a game is
enough, and problems can be told apart by their types.
"""
Components = dict[str, dict[str, str]]
"""The text of each component, by kind and name."""


class Source(NamedTuple):
    """Everything that is written in docs/api/."""

    beginning: str
    paths: dict[str, str]
    """The text of the paths, by area."""
    components: Components


def documents(sources: Path = SOURCES) -> dict[str, str]:
    """The text of each document, by the file to which it is written. Raises ValueError if a name occurs twice, or an
    area is unknown or missing.
    """
    source = read(sources)
    api = shortened("".join(source.paths[area] for area in OF_API), source.components)
    pages = "".join(source.paths[area] for area in OF_PAGES)
    about_playing = introduced(source.beginning, playing_introduction)
    few = with_few_examples(source.components)
    about_pages = introduced(source.beginning, lambda _: PAGES_INTRODUCTION)
    return {
        API: made(source.beginning, api, source.components),
        PLAYING: made(about_playing, fewer_examples(only_tagged(api, "playing"), few), few),
        PAGES: made(about_pages, pages, source.components),
    }


def complete(sources: Path = SOURCES) -> str:
    """The text of one document in which every operation lists all its responses. Raises ValueError like `documents`."""
    source = read(sources)
    components = {kind: dict(entries) for kind, entries in source.components.items()}
    return made(source.beginning, "".join(source.paths[area] for area in AREAS), components)


def read(sources: Path) -> Source:
    """The sources. Raises ValueError if a name occurs twice, or an area is unknown or missing."""
    texts = {file.stem: file.read_text("utf-8") for file in sources.glob("*.yaml")}
    beginning = texts.pop("document")
    if texts.keys() != {*AREAS, *SHARED}:
        raise ValueError(f"areas without a place, or missing: {texts.keys() ^ {*AREAS, *SHARED}}")
    parts = {area: sections(texts[area]) for area in (*SHARED, *AREAS)}
    written = {area: parts[area].get("paths", "").strip("\n") + "\n" for area in AREAS}
    paths = {
        area: re.sub(r"^ {6}responses:\n(?: {8}.*\n)+", with_answers, text, flags=re.M)
        for area, text in written.items()
    }
    components = {kind: joined(kind, parts.values()) for kind in KINDS}
    return Source(beginning, paths, {**components, "examples": examples(sources)})


def with_answers(responses: re.Match[str]) -> str:
    """The responses of an operation, with those that every operation gives, in the order of their statuses."""
    head, *answers = re.split(r"^(?= {8}'\d{3}':)", responses[0], flags=re.M)
    added = [
        f"        '{status}': {{$ref: '#/components/responses/{name}'}}\n"
        for status, name in EVERYWHERE.items()
    ]
    return head + "".join(sorted(answers + added))


def shortened(paths: str, components: Components) -> str:
    """The paths with operations that list only their special responses; `default` stands for the usual refusals."""
    usual = set(schemas_of(components["schemas"]["UsualProblem"]))
    folded = {
        name
        for name, text in components["responses"].items()
        if "Problem" in schemas_of(text) and set(schemas_of(text)) <= usual
    }

    def short(responses: re.Match[str]) -> str:
        answers = re.split(r"^(?= {8}'\d{3}':)", responses[0], flags=re.M)
        told = [
            each for each in answers if not (set(refs(each)) & {("responses", n) for n in folded})
        ]
        return "".join(told) + f"        default: {{$ref: '#/components/responses/{USUAL}'}}\n"

    return re.sub(r"^ {6}responses:\n(?: {8}.*\n)+", short, paths, flags=re.M)


def schemas_of(text: str) -> list[str]:
    """The names of the schemas to which a text refers."""
    return [name for kind, name in refs(text) if kind == "schemas"]


def refs(text: str) -> list[tuple[str, str]]:
    """The components to which a text refers, as pairs of kind and name."""
    return re.findall(r"#/components/(\w+)/([\w.-]+)", text)


def only_tagged(paths: str, tag: str) -> str:
    """The operations with this tag, each path with the parts that its operations share."""
    found = []
    for path in re.split(r"^(?=  /)", paths, flags=re.M)[1:]:
        shared, *operations = re.split(r"^(?=    (?:get|post|put|patch|delete):)", path, flags=re.M)
        chosen = [each for each in operations if f"tags: [{tag}]" in each]
        if chosen:
            found.append((shared + "".join(chosen)).rstrip("\n") + "\n")
    return "\n".join(found)


def with_few_examples(components: Components) -> Components:
    """The components, whose responses have no more examples than `fewer_examples` leaves."""
    few = {name: each for name, each in components["examples"].items() if is_short(name, each)}
    kept = {**components, "examples": few}
    answers = {name: fewer_examples(each, kept) for name, each in components["responses"].items()}
    return {**kept, "responses": answers}


def is_short(name: str, example: str) -> bool:
    """Whether an example is short, and shows something that no other example does."""
    return len(example) <= LONGEST_EXAMPLE and not name.startswith(REPEATED)


def fewer_examples(text: str, components: Components) -> str:
    """The text, with only the first short example of each body, if there is one."""

    def first(found: re.Match[str]) -> str:
        kept = [
            line
            for line in found[2].splitlines(True)
            if all(name in components["examples"] for _, name in refs(line))
        ]
        return f"{found[1]}examples:\n{kept[0]}" if kept else ""

    return re.sub(r"(?m)^( +)examples:\n((?:\1  [\w-]+: \{\$ref: .*\}\n)+)", first, text)


def introduced(beginning: str, change: Callable[[str], str]) -> str:
    """The beginning, with its introduction replaced by the result of `change`."""
    written = re.compile(r"(?<=  description: \|\n)(?:    .*\n|\n)+")
    return written.sub(lambda found: change(found[0]), beginning, count=1)


def playing_introduction(written: str) -> str:
    """The sections of the introduction that are about playing."""
    first, *parts = re.split(r"^(?=    #+ )", written, flags=re.M)
    about = [each for each in parts if each.split("\n")[0].strip("# ") in ABOUT_PLAYING]
    return f"{first}{PLAYING_INTRODUCTION}\n{''.join(about)}"


PLAYING_INTRODUCTION = """\
    This is a part of the contract: what a program needs to play. The whole of it is at `/openapi.yaml`.
"""
PAGES_INTRODUCTION = """\
    The addresses of the server's own pages, of those that need no scripts, and of the links in emails. Programs do
    not need them: the API is described at `/openapi.yaml`, errors and limits included.
"""


def made(beginning: str, paths: str, components: Components) -> str:
    """A document of these paths, with every component to which they refer."""
    beginning = with_tags(beginning, set(re.findall(r"^      tags: \[([\w-]+)\]", paths, re.M)))
    needed = closure(f"{beginning}{paths}", components)
    needed |= {
        ("securitySchemes", name)
        for name in components["securitySchemes"]
        if f"{{{name}: [" in paths or (name == "oauth" and "/oauth/token:" in paths)
    }
    parts = [
        f"  {kind}:\n"
        + "".join(
            components[kind][name] for name in sorted(components[kind]) if (kind, name) in needed
        )
        for kind in (*KINDS, "examples")
    ]
    told = paths.strip("\n")
    return f"{HEAD}{beginning}paths:\n{told}\n\ncomponents:\n{''.join(parts[:-1])}\n{parts[-1]}"


def closure(text: str, components: Components) -> set[tuple[str, str]]:
    """The components to which a text refers, and those to which these do. Raises KeyError if one is missing."""
    found = set[tuple[str, str]]()
    left = refs(text)
    while left:
        kind, name = each = left.pop()
        if each not in found:
            found.add(each)
            left += refs(components[kind][name])
    return found


def with_tags(beginning: str, used: set[str]) -> str:
    """The beginning, without the tags that no operation has."""
    kept = re.compile(r"^  - name: ([\w-]+)\n    description: .*\n", re.M)
    return kept.sub(lambda found: found[0] if found[1] in used else "", beginning)


def sections(text: str) -> dict[str, str]:
    """The text below `paths:` and below each kind of component in an area."""
    found = re.split(r"^(paths|components):\n|^  (\w+):\n", text, flags=re.M)
    named = zip(found[1::3], found[2::3], found[3::3], strict=True)
    return {(part or kind): body for part, kind, body in named if part != "components"}


def joined(kind: str, parts: Iterable[dict[str, str]]) -> dict[str, str]:
    """The components of a kind, by name. Raises ValueError if a name occurs twice."""
    entries: dict[str, str] = {}
    for part in parts:
        for name, entry in split(part.get(kind, "")):
            if name in entries:
                raise ValueError(f"{kind}: {name} is there twice")
            entries[name] = entry
    return entries


def split(text: str) -> list[tuple[str, str]]:
    """The entries of a mapping that is indented by four spaces, each with its name."""
    found = re.split(r"^    (?=[\w.'-]+:)", text, flags=re.M)[1:]
    return [(entry.partition(":")[0].strip("'"), f"    {entry.rstrip()}\n") for entry in found]


def examples(sources: Path = SOURCES) -> dict[str, str]:
    """Every example, by its name."""
    found: dict[str, str] = {}
    for file in sorted((sources / "examples").glob("*.yaml")):
        for entry in re.split(r"^(?=\S)", file.read_text("utf-8"), flags=re.M)[1:]:
            found[entry.partition(":")[0]] = indented(entry)
    return found


def indented(text: str) -> str:
    """The text, indented by four more spaces."""
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(True))


def as_json(text: str) -> str:
    """The document as JSON."""
    import yaml  # the tests have this package; a script that only makes the YAML needs nothing but Python

    return json.dumps(yaml.load(text, yaml.CSafeLoader), ensure_ascii=False, separators=(",", ":"))


def json_file(name: str) -> str:
    """The path of a document as JSON."""
    return f"docs/{Path(name).stem}.json"


if __name__ == "__main__":
    for name, text in documents().items():
        (ROOT / name).write_text(text, "utf-8")
        (ROOT / json_file(name)).write_text(as_json(text), "utf-8")
