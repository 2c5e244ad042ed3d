"""Many small cases as one test for pytest, which takes longer to prepare a test than these take to run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

Test = Callable[..., None]


@contextmanager
def case(name: object) -> Iterator[None]:
    """A block whose failures name this case."""
    try:
        yield
    except BaseException as failed:
        failed.add_note(f"in this case: {name}")
        raise


def in_one_go(
    names: str,
    cases: Iterable[Any] | Mapping[str, Any],
    ids: Callable[[Any], object] = lambda each: each,
) -> Callable[[Test], Test]:
    """A decorator like `pytest.mark.parametrize`, but pytest sees one test, whose fixtures all cases share.

    The test ends with the first case that fails, named by `ids`, or by its key if `cases` is a mapping.
    """
    given = [name.strip() for name in names.split(",")]
    named = cases.items() if isinstance(cases, Mapping) else ((ids(each), each) for each in cases)
    known = list(named)
    assert known, "there are cases"

    def decorate(test: Test) -> Test:
        def run(**fixtures: Any) -> None:
            for name, each in known:
                values = [each] if len(given) == 1 else each
                with case(name):
                    test(**fixtures, **dict(zip(given, values, strict=True)))

        update_wrapper(run, test)
        del run.__wrapped__
        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in given]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
