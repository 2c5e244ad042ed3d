"""The changes in a later contract that break clients of an earlier one.

A client sends what the old document allows, so the new one has to accept all of that. It reads what the old document
describes, so every new response has to fit that. Both are the same question in two directions: does everything that
fits one schema also fit the other? Where that is hard to decide, the answer is no.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
LOWEST = ("minimum", "minLength", "minItems", "minProperties")
HIGHEST = ("maximum", "maxLength", "maxItems", "maxProperties")
SAME = ("pattern", "format", "uniqueItems", "propertyNames", "not")
NOTES = {"description", "title", "examples", "example", "default", "summary"}


def breaking(old: Json, new: Json) -> list[str]:
    """The places in `new` that break clients written for `old`, with the reasons."""
    old, new = stripped(old), stripped(new)
    before, after = _operations(old), _operations(new)
    both = Both(old, new)
    found = [f"{name}: the operation is gone" for name in before.keys() - after.keys()]
    for name in before.keys() & after.keys():
        found += [f"{name}: {each}" for each in _operation(both, before[name], after[name])]
    return sorted(found)


def stripped(document: Any) -> Any:
    """The document without descriptions for people and without examples."""
    if isinstance(document, list):
        return [stripped(each) for each in document]
    if not isinstance(document, dict):
        return document
    return {
        key: {name: stripped(each) for name, each in value.items()}
        if key in {"properties", "schemas", "parameters", "headers"} and isinstance(value, dict)
        else stripped(value)
        for key, value in document.items()
        if key not in NOTES
    }


def _operations(document: Json) -> dict[str, Json]:
    return {
        item[method]["operationId"]: {
            **item[method],
            "at": f"{method.upper()} {path}",
            "parameters": item.get("parameters", []) + item[method].get("parameters", []),
        }
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item
    }


class Both:
    """The two documents, with cached answers about them; each difference is reported once."""

    def __init__(self, old: Json, new: Json) -> None:
        self.old, self.new = old, new
        touched = _touched(old, new)
        self.sent = Fit(old, new, touched)
        self.answered = Fit(new, old, touched)
        self.gone = Gone(old, new)


def _touched(old: Json, new: Json) -> set[str]:
    """The references to components that differ, or that refer to such components."""
    texts = [
        {
            f"#/components/{kind}/{name}": json.dumps(each, sort_keys=True)
            for kind, members in document["components"].items()
            for name, each in members.items()
        }
        for document in (old, new)
    ]
    found = {name for name in texts[0].keys() | texts[1].keys() if _differs(name, *texts)}
    more = found
    while more:
        held = [f'"{name}"' for name in more]
        more = {
            name
            for text in texts
            for name, each in text.items()
            if name not in found and any(other in each for other in held)
        }
        found = found | more
    return found


def _differs(name: str, old: dict[str, str], new: dict[str, str]) -> bool:
    return old.get(name) != new.get(name)


def _operation(both: Both, before: Json, after: Json) -> Iterator[str]:
    if before["at"] != after["at"]:
        yield f"it is at {after['at']}, no longer at {before['at']}"
    for way in before.get("security", []):
        if way not in after.get("security", []):
            yield f"{json.dumps(way)} is not enough any more"
    yield from _parameters(both, before, after)
    yield from _body(both, before.get("requestBody"), after.get("requestBody"))
    for status, answer in before["responses"].items():
        if status in after["responses"]:
            later = _followed(both.new, after["responses"][status])
            earlier = _followed(both.old, answer)
            yield from _answer(both, status, _without_moved(earlier, after), later)
        elif status < "400":
            yield f"{status} is gone"


def _without_moved(answer: Json, after: Json) -> Json:
    """A response without the media types that another operation now describes, which are still sent."""
    content = {
        k: each
        for k, each in answer.get("content", {}).items()
        if k not in after.get("x-moved", {})
    }
    return {**answer, "content": content}


def _parameters(both: Both, before: Json, after: Json) -> Iterator[str]:
    def named(document: Json, operation: Json) -> dict[tuple[str, str], Json]:
        found = [_followed(document, each) for each in operation["parameters"]]
        return {(each["in"], each["name"]): each for each in found}

    earlier, later = named(both.old, before), named(both.new, after)
    for place, name in earlier.keys() - later.keys():
        if place != "header":  # unknown ones are ignored
            yield f"the parameter {name} is gone"
    for key, parameter in later.items():
        known = earlier.get(key)
        if parameter.get("required") and not (known or {}).get("required"):
            yield f"the parameter {key[1]} is required"
        if known is not None:
            fits = both.sent.misfits(known["schema"], parameter["schema"])
            yield from (f"the parameter {key[1]}{each}" for each in fits)


def _body(both: Both, before: Json | None, after: Json | None) -> Iterator[str]:
    if after is None:
        if before is not None:
            yield "it takes no body any more"
        return
    if after.get("required") and not (before or {}).get("required"):
        yield "the body is required"
    for kind, media in (before or {"content": {}})["content"].items():
        if kind not in after["content"]:
            yield f"it does not take {kind} any more"
        else:
            fits = both.sent.misfits(media["schema"], after["content"][kind]["schema"])
            yield from (f"the body{each}" for each in fits)


def _answer(both: Both, status: str, before: Json, after: Json) -> Iterator[str]:
    for name, header in before.get("headers", {}).items():
        if _followed(both.old, header).get("required") and name not in after.get("headers", {}):
            yield f"{status} has no {name} any more"
    for kind, media in before.get("content", {}).items():
        if kind not in after.get("content", {}):
            yield f"{status} is not {kind} any more"
            continue
        later = after["content"][kind]["schema"]
        yield from (f"{status}{each}" for each in both.answered.misfits(later, media["schema"]))
        yield from (f"{status}{each}" for each in both.gone.fields(media["schema"], later))


def _followed(document: Json, node: Json) -> Json:
    while "$ref" in node:
        target: Any = document
        for key in node["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        node = {**target, **{key: each for key, each in node.items() if key != "$ref"}}
    return node


class Fit:
    """Whether everything that fits a schema of one document fits a schema of another."""

    def __init__(self, sub: Json, sup: Json, touched: set[str]) -> None:
        self._sub, self._sup, self._touched = sub, sup, touched
        self._seen: set[tuple[str, str]] = set()

    def misfits(self, sub: Json, sup: Json, at: str = "") -> list[str]:
        """The parts of a value that may fit `sub` but not `sup`."""
        pair = json.dumps(sub, sort_keys=True), json.dumps(sup, sort_keys=True)
        if pair in self._seen or self._is_same(*pair):
            return []  # told, or being looked at: schemas may hold themselves
        self._seen.add(pair)
        sub, sup = _followed(self._sub, sub), _followed(self._sup, sup)
        parts = sub.get("anyOf", sub.get("oneOf"))
        if parts is not None:
            rest = {key: each for key, each in sub.items() if key not in {"anyOf", "oneOf"}}
            return [
                each
                for part in parts
                for each in self.misfits({**rest, **_followed(self._sub, part)}, sup, at)
            ]
        choices = sup.get("anyOf", sup.get("oneOf"))
        if choices is not None:
            return self._choice(sub, sup, choices, at)
        return [*self._plain(sub, sup, at), *self._object(sub, sup, at), *self._array(sub, sup, at)]

    def _is_same(self, sub: str, sup: str) -> bool:
        return sub == sup and self._touched.isdisjoint(re.findall(r'"(#/[^"]+)"', sub))

    def _choice(self, sub: Json, sup: Json, choices: list[Json], at: str) -> list[str]:
        rest = {key: each for key, each in sup.items() if key not in {"anyOf", "oneOf"}}
        tried = []
        for each in choices:
            inner = Fit(self._sub, self._sup, self._touched)
            inner._seen = set(self._seen)
            found = inner.misfits(sub, {**rest, **_followed(self._sup, each)}, at)
            if not found:
                return []
            tried.append(found)
        values = _values(sub)
        if values and len(values) > 1:  # each value may fit another choice
            return [
                each
                for value in values
                for each in self._choice({"const": value}, sup, choices, at)
            ]
        return [f"{at}: is of a new kind ({min(tried, key=len)[0].strip(': ')})"]

    def _plain(self, sub: Json, sup: Json, at: str) -> Iterator[str]:
        values, allowed = _values(sub), _values(sup)
        if allowed is not None:
            new = [each for each in values or [] if each not in allowed]
            if values is None or new:
                yield f"{at}: has other values ({new or 'any'})"
            return
        kinds, known = _types(sub), _types(sup)
        if known and not kinds:
            yield f"{at}: may be anything"
        elif known and not kinds <= known | ({"integer"} if "number" in known else set()):
            yield f"{at}: may be {'/'.join(sorted(kinds - known))}"
        if values is None:
            yield from self._bounds(sub, sup, at)

    def _bounds(self, sub: Json, sup: Json, at: str) -> Iterator[str]:
        for key in LOWEST:
            if key in sup and sub.get(key, sup[key] - 1) < sup[key]:
                yield f"{at}: {key} is {sub.get(key)}, not {sup[key]}"
        for key in HIGHEST:
            if key in sup and sub.get(key, sup[key] + 1) > sup[key]:
                yield f"{at}: {key} is {sub.get(key)}, not {sup[key]}"
        for key in SAME:
            if key in sup and sub.get(key) != sup[key]:
                yield f"{at}: {key} is {sub.get(key)}, not {sup[key]}"

    def _object(self, sub: Json, sup: Json, at: str) -> Iterator[str]:
        for name in sup.get("required", []):
            if name not in sub.get("required", []):
                yield f"{at}.{name}: may be missing"
        for name, schema in sup.get("properties", {}).items():
            if name in sub.get("properties", {}):
                yield from self.misfits(sub["properties"][name], schema, f"{at}.{name}")
        if sup.get("additionalProperties") is False:
            known = sup.get("properties", {}).keys()
            yield from (
                f"{at}.{name}: is unknown" for name in sub.get("properties", {}).keys() - known
            )
        others = sup.get("additionalProperties")
        if isinstance(others, dict) and isinstance(sub.get("additionalProperties"), dict):
            yield from self.misfits(sub["additionalProperties"], others, f"{at}.*")

    def _array(self, sub: Json, sup: Json, at: str) -> Iterator[str]:
        if "items" in sup and "array" in _types(sub):
            yield from self.misfits(sub.get("items", {}), sup["items"], f"{at}[]")


class Gone:
    """Fields that clients could read and that responses no longer have, required or not."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old, self._new = old, new
        self._seen: set[str] = set()

    def fields(self, old: Json, new: Json, at: str = "") -> Iterator[str]:
        """The lost fields of this schema and of everything inside it."""
        pair = json.dumps([old, new], sort_keys=True)
        if pair in self._seen:
            return  # told
        self._seen.add(pair)
        old, new = _followed(self._old, old), _followed(self._new, new)
        later = _members(self._new, new)
        for name, schema in _members(self._old, old).items():
            if name not in later:
                yield f"{at}.{name}: is gone"
            else:
                yield from self.fields(schema, later[name], f"{at}.{name}")
        if "items" in old:
            yield from self.fields(old["items"], new.get("items", {}), f"{at}[]")


def _members(document: Json, schema: Json) -> Json:
    """The properties of an object, or of any of its alternatives."""
    found = dict(schema.get("properties", {}))
    for each in schema.get("anyOf", schema.get("oneOf", [])):
        found |= _members(document, _followed(document, each))
    return found


def _values(schema: Json) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


def _types(schema: Json) -> set[str]:
    """The types that a value may have; an integer is a number as well."""
    kinds = schema.get("type", [])
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    if not found and (values := _values(schema)):
        names = {str: "string", bool: "boolean", int: "integer", type(None): "null"}
        found = {names.get(type(each), "object") for each in values}
    return found
