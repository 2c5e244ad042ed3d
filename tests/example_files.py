"""The files of examples in docs/api/examples: how they are written, and which parts differ in every recording."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from service.core.settings.config import ROOT
from tests.contract import Json

EXAMPLES = ROOT / "docs/api/examples"
WIDTH = 96
"""Shorter values are written on one line."""
_MASKS = {
    r"\.?[0-9A-Za-z_-]{40,}\.[0-9A-Za-z_-]{4,8}\.[0-9A-Za-z_-]{43}": "<mailed key>",
    r"\b[a-z]_[0-9A-Za-z]{16,32}\b": "<id>",
    r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z": "<time>",
    r"\b[0-9a-f]{32,128}\b": "<digits>",
    r"\b(tgm_)?[0-9A-Za-z_-]{43}\b": "<key>",
}


def masked(value: Any) -> Any:
    """`value` without the parts that differ in every recording: ids, times, digests, keys."""
    if isinstance(value, dict):
        return {key: masked(each) for key, each in value.items()}
    if isinstance(value, list):
        return [masked(each) for each in value]
    if isinstance(value, str):
        for pattern, mask in _MASKS.items():
            value = re.sub(pattern, mask, value)
    return value


def unless_changed(old: Any, new: Any) -> Any:
    """`old`, unless `new` says something different."""
    return old if masked(old) == masked(new) else new


class _Dumper(yaml.SafeDumper):
    """YAML without aliases, and with quotes around strings that look like numbers."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    style = "|" if "\n" in value else "'" if re.match(r"[-+.0-9]", value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _collection(dumper: yaml.SafeDumper, value: Any) -> yaml.Node:
    tag, represent = (
        ("map", dumper.represent_mapping)
        if isinstance(value, dict)
        else ("seq", dumper.represent_sequence)
    )
    short = len(json.dumps(value, ensure_ascii=False)) < WIDTH
    return represent(f"tag:yaml.org,2002:{tag}", value, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(dict, _collection)
_Dumper.add_representer(list, _collection)


class _Named(dict[str, Any]):
    """Examples by name, each on separate lines."""


_Dumper.add_representer(
    _Named,
    lambda dumper, value: dumper.represent_mapping(
        "tag:yaml.org,2002:map", value.items(), flow_style=False
    ),
)


def written(examples: Json) -> str:
    """A file of examples."""
    named = _Named(examples)
    text = yaml.dump(named, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=116)
    return text.removesuffix(
        "...\n"
    )  # the end of a document, after a text that keeps its last lines
