"""Runs tests against a mutant: in a child of this process, on a copy of the clone, so that nothing is left in the tree.

The copy's files are never changed either: the child imports the changed module from memory. This process imports other
people's packages that the tests need, which takes longest, once; our own modules are imported again in each child.
"""

from __future__ import annotations

import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

OURS = ("benchmarks", "rules", "service", "tests", "conftest")
LEAST, FACTOR = 10, 4
"""The seconds for which a child may compute: a minimum, and a multiple of the tests' time on the unchanged module."""
PATIENCE = 10
"""The multiple of that time that may pass in all, because other processes may be at work as well."""


class Reach(NamedTuple):
    """Which tests came to which lines of the unchanged modules, and how long each took."""

    lines: dict[str, dict[int, set[str]]]
    """The tests by module and line; a line that only an import reaches has no tests."""
    seconds: dict[str, float]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from memory."""

    def __init__(self, module: str, source: str) -> None:
        self._name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._package = module.endswith("/__init__.py")
        self._path = str(Path(module).resolve())
        self._source = source

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        places = [str(Path(self._path).parent)] if self._package else None
        return importlib.util.spec_from_file_location(
            fullname, self._path, loader=self, submodule_search_locations=places
        )

    def exec_module(self, module: Any) -> None:
        exec(compile(self._source, self._path, "exec"), module.__dict__)


class _Chosen:
    """Runs these tests, the quickest first; without any, all that need neither PostgreSQL nor other processes."""

    def __init__(self, tests: Iterable[str] = (), seconds: dict[str, float] | None = None) -> None:
        self._tests = set(tests)
        self._seconds = seconds or {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if self._wanted(item)]
        items.sort(key=lambda item: self._seconds.get(item.nodeid, 0))

    def _wanted(self, item: Any) -> bool:
        if self._tests:
            return item.nodeid in self._tests
        params = getattr(getattr(item, "callspec", None), "params", {})
        return (
            "postgresql" not in params.values()
            and not {"server", "running", "page"} & set(item.fixturenames)
            and not any(map(item.get_closest_marker, ("own_database", "browser")))
        )


class _Recorder:
    """Tells coverage which test is running, and times the tests."""

    def __init__(self, coverage: Any) -> None:
        self._coverage = coverage
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logfinish(self) -> None:
        self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] += report.duration


class Copy:
    """A copy of the clone in a temporary folder, in which tests run."""

    def __init__(self, clone: Path, folder: Path) -> None:
        self._clone, self._folder = clone, folder
        self.root = folder / "clone"
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=clone, check=True, capture_output=True).stdout
        for name in filter(None, names.decode().split("\0")):
            if (clone / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(clone / name, self.root / name)
        (folder / "shared").mkdir()

    def reach(self, modules: Iterable[str], paths: Iterable[str]) -> Reach:
        """Run all the tests in `paths` on the unchanged modules. Raises RuntimeError if one fails."""
        answer = self._folder / "reach.json"
        files = list(modules)
        code = self._child(lambda: _reach(files, list(paths), answer), 3600)
        if code != 0:
            raise RuntimeError(f"The tests fail without a mutant:\n{self._said()}")
        found = json.loads(answer.read_text())
        _preload(found["imported"])
        lines = {
            module: {int(line): set(tests) - {""} for line, tests in by_line.items()}
            for module, by_line in found["lines"].items()
        }
        return Reach(lines, found["seconds"])

    def passes(self, module: str, source: str, tests: set[str], seconds: dict[str, float]) -> bool:
        """Whether all these tests pass if the module has this source. A test that takes too long does not pass."""
        paths = sorted({test.partition("::")[0] for test in tests})

        def run() -> int:
            sys.meta_path.insert(0, _Changed(module, source))
            return _pytest(paths, _Chosen(tests, seconds))

        limit = LEAST + FACTOR * sum(seconds[test] for test in tests)
        return self._child(run, limit) == 0

    def _said(self) -> str:
        return (self._folder / "said").read_text(errors="replace")[-4000:]

    def _child(self, run: Callable[[], int], limit: float) -> int:
        child = os.fork()
        if child == 0:
            self._settle()
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))
            try:
                code = run()
            except BaseException:  # noqa: BLE001  the child must not go on as its parent
                traceback.print_exc()
                code = 70
            sys.stdout.flush()
            os._exit(code)
        return _waited(child, limit * PATIENCE)

    def _settle(self) -> None:
        """Make this process import from the copy, write to a file, and lead its own group."""
        os.setsid()
        said = os.open(self._folder / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(self.root)
        os.environ |= {
            "CI": "1",  # Hypothesis tries the same examples every time
            "TEGAMI_IN_FULL": "everything",  # a mutant is judged by the full proof
            "TEGAMI_TEST_FOLDER": str(self._folder / "shared"),
            "TMPDIR": str(self._folder),
            "PYTHONPATH": str(self.root),
        }
        sys.path[:] = [str(self.root)] + [
            path for path in sys.path if Path(path).resolve() != self._clone
        ]
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]


def _reach(modules: list[str], paths: list[str], answer: Path) -> int:
    from coverage import Coverage  # here, because it comes with mutmut alone

    files = {str(Path(module).resolve()): module for module in modules}
    coverage = Coverage(data_file=None, config_file=False, include=list(files))
    recorder = _Recorder(coverage)
    before = set(sys.modules)
    coverage.start()
    code = _pytest(paths, _Chosen(), recorder)
    coverage.stop()
    lines = {module: coverage.get_data().contexts_by_lineno(file) for file, module in files.items()}
    imported = [name for name in sys.modules if name not in before]
    answer.write_text(
        json.dumps({"lines": lines, "seconds": recorder.seconds, "imported": imported})
    )
    return code


def _pytest(paths: list[str], *plugins: object) -> int:
    import pytest  # here, because this process must not import it before the copy is made

    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:warnings"]
    return int(pytest.main([*quiet, *paths], plugins=list(plugins)))


def _preload(names: Iterable[str]) -> None:
    """Import other people's packages, so that the children need not."""
    for name in names:
        if name.partition(".")[0] not in (*OURS, "pytest", "_pytest"):
            with suppress(Exception):  # then each child imports it for itself
                importlib.import_module(name)
    gc.freeze()  # or every child would look through all of it for garbage


def _waited(child: int, limit: float) -> int:
    ends = time.monotonic() + limit
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            break
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -signal.SIGKILL
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the child left behind
    return code
