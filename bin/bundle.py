"""Write openapi.yaml from docs/api/: one complete document for readers, sources by area for whoever changes it.

`document.yaml` is the beginning, up to the paths. Each other file is an area: its paths, and the components that
nothing else uses; `common.yaml` has the components that several areas use. The examples of each operation are a file in
`examples/`. All of it is joined as text, so that comments and line breaks stay as written. What every operation may
answer because of its request line and headers is added to each of them here, since no area differs in that.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "docs/api"
AREAS = (
    *("playing", "tables", "rulesets", "changes", "webhooks", "push", "time", "talk", "history"),
    *("people", "sign_in", "settings", "server", "page", "plain", "mail_links"),
)
"""The areas, in the order of their paths: first what a program needs first, last what is for people."""
KINDS = ("securitySchemes", "parameters", "headers", "responses", "schemas")
EVERYWHERE = {"414": "UriTooLongAnswer", "431": "HeadersTooLargeAnswer"}
"""The answers of every operation, by status."""
HEAD = "# Made by bin/bundle from the sources in docs/api/.\n"


def bundle(sources: Path = SOURCES) -> str:
    """The whole document. Raises ValueError if a name is there twice."""
    texts = {file.stem: file.read_text("utf-8") for file in sources.glob("*.yaml")}
    beginning = texts.pop("document")
    if texts.keys() != {*AREAS, "common"}:
        raise ValueError(f"areas without a place, or missing: {texts.keys() ^ {*AREAS, 'common'}}")
    parts = [sections(texts[area]) for area in ("common", *AREAS)]
    written = "\n".join(part["paths"].strip("\n") + "\n" for part in parts if "paths" in part)
    paths = re.sub(r"^ {6}responses:\n(?: {8}.*\n)+", with_answers, written, flags=re.M)
    components = "".join(f"  {kind}:\n{joined(kind, parts)}" for kind in KINDS)
    examples = "".join(indented(text) for text in example_texts(sources))
    return f"{HEAD}{beginning}paths:\n{paths}\ncomponents:\n{components}\n  examples:\n{examples}"


def with_answers(responses: re.Match[str]) -> str:
    """The answers of an operation, with those of every operation among them, in the order of their statuses."""
    head, *answers = re.split(r"^(?= {8}'\d{3}':)", responses[0], flags=re.M)
    added = [
        f"        '{status}': {{$ref: '#/components/responses/{name}'}}\n"
        for status, name in EVERYWHERE.items()
    ]
    return head + "".join(sorted(answers + added))


def sections(text: str) -> dict[str, str]:
    """The text below `paths:` and below each kind of component in an area."""
    found = re.split(r"^(paths|components):\n|^  (\w+):\n", text, flags=re.M)
    named = zip(found[1::3], found[2::3], found[3::3], strict=True)
    return {(part or kind): body for part, kind, body in named if part != "components"}


def joined(kind: str, parts: list[dict[str, str]]) -> str:
    """The components of a kind, by name."""
    entries: dict[str, str] = {}
    for part in parts:
        for name, entry in split(part.get(kind, "")):
            if name in entries:
                raise ValueError(f"{kind}: {name} is there twice")
            entries[name] = entry
    return "".join(entries[name] for name in sorted(entries))


def split(text: str) -> list[tuple[str, str]]:
    """The entries of a mapping that is indented by four, with their names."""
    found = re.split(r"^    (?=[\w.'-]+:)", text, flags=re.M)[1:]
    return [(entry.partition(":")[0].strip("'"), f"    {entry.rstrip()}\n") for entry in found]


def example_texts(sources: Path = SOURCES) -> list[str]:
    """Every example with its name, in the order of the names."""
    found: dict[str, str] = {}
    for file in sorted((sources / "examples").glob("*.yaml")):
        for entry in re.split(r"^(?=\S)", file.read_text("utf-8"), flags=re.M)[1:]:
            found[entry.partition(":")[0]] = entry
    return [found[name] for name in sorted(found)]


def indented(text: str) -> str:
    """Text as it stands four deeper."""
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(True))


if __name__ == "__main__":
    (ROOT / "openapi.yaml").write_text(bundle(), "utf-8")
