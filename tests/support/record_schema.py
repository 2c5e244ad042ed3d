"""Checking records against the JSON Schema of records."""

from __future__ import annotations

import functools
import json
from typing import Any

import jsonschema_rs

from service.core.settings.config import ROOT

FILE = ROOT / "docs/record.schema.json"
SCHEMA: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


@functools.cache
def _validator() -> Any:
    return jsonschema_rs.Draft202012Validator(SCHEMA, validate_formats=True)


def fits(record: Any) -> bool:
    """Whether the record fits it."""
    fitting: bool = _validator().is_valid(record)
    return fitting


def misfits(record: Any) -> list[str]:
    """The places where the record does not fit, with reasons."""
    found = _validator().iter_errors(record)
    return [f"{list(each.instance_path)}: {each.message[:200]}" for each in found]
