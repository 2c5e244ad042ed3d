"""The last release, unpacked from the history of this repository, with its application in a separate process.

It runs with the packages installed here; a release with other requirements would need its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Self
from zipfile import ZipFile

import pytest

from service.core.database.schema import Revisions, revisions_in
from service.core.settings.config import ROOT
from tests.support.shared_folder import one_at_a_time, shared_folder

LAST = "c8682b036ff0c822f92c26c79dbc1fe80f7d5f67"
"""The commit of the last release. `python -m tests.release_tables` records how it uses the tables."""
EARLIER = "b0e2fd8a0b2f18fde3b68a86602cf5b6c6522cce"
"""The commit of a release some migrations earlier."""
NO_HISTORY = "the history of this clone does not reach back to that release: git fetch --unshallow"
"""The reason for skipping a test."""
PARTS = ("Procfile", "rules", "service", "web", "docs", "examples", "openapi.yaml")

_PROGRAM = """
import json, sys
from {module} import create_app
client = create_app().test_client(use_cookies=False)
print("ready", file=sys.__stdout__, flush=True)
for line in sys.stdin:
    method, path, headers, body = json.loads(line)
    answer = client.open(path, method=method, headers=headers, json=body)
    told = [answer.status_code, answer.get_json(silent=True)]
    print(json.dumps(told), file=sys.__stdout__, flush=True)
"""
"""A program that answers requests given as lines."""

Json = dict[str, Any]


class Answer(NamedTuple):
    """A release's response."""

    status: int
    body: Any


class EarlierRelease(NamedTuple):
    """An unpacked release."""

    root: Path

    @classmethod
    def unpacked(cls, ref: str) -> Self:
        """The release at a commit, shared by all processes of a test run.

        Skips the test if the clone lacks the history.
        """
        root = shared_folder() / f"release-{ref[:8]}"
        with one_at_a_time(root.with_suffix(".lock")):
            if not root.exists():
                found = ["git", "-C", str(ROOT), "cat-file", "-e", f"{ref}^{{commit}}"]
                if subprocess.run(found, capture_output=True, check=False).returncode:
                    pytest.skip(NO_HISTORY)
                packed = ["git", "-C", str(ROOT), "archive", "--format=zip", ref, *PARTS]
                archive = subprocess.run(packed, capture_output=True, check=True).stdout
                with ZipFile(BytesIO(archive)) as files:
                    files.extractall(root)
        return cls(root)

    @property
    def revisions(self) -> Revisions:
        """The migrations of this release."""
        (folder,) = self.root.glob("service/**/migrations/versions")
        return revisions_in(folder)

    @property
    def module(self) -> str:
        """The module in which its application is made."""
        found = re.search(r"'([\w.]+):create_app", (self.root / "Procfile").read_text("utf-8"))
        assert found
        return found[1]


class EarlierProcess:
    """The application of a release, running in a separate process until the end of the block."""

    def __init__(self, release: EarlierRelease, environment: Mapping[str, str], log: Path) -> None:
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM.format(module=release.module)],
                cwd=release.root,
                env={**os.environ, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._log = log

    def __enter__(self) -> Self:
        assert self._line() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, method: str, path: str, headers: Json, body: Any = None) -> Answer:
        """The response to a request."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps([method, path, headers, body]) + "\n")
        self._process.stdin.flush()
        return Answer(*json.loads(self._line()))

    def _line(self) -> str:
        assert self._process.stdout
        found = self._process.stdout.readline().strip()
        assert found, self._log.read_text(errors="replace")[-3000:]
        return found
