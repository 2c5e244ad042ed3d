"""Flask's JSON, made by orjson from dicts as bytes."""

from __future__ import annotations

import orjson
from flask import Response
from flask.json.provider import JSONProvider


class OrjsonProvider(JSONProvider):
    """A JSON provider that writes responses with orjson."""

    def dumps(self, obj: object, **kwargs: object) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **kwargs: object) -> object:
        return orjson.loads(s)

    def response(self, *args: object, **kwargs: object) -> Response:
        body = orjson.dumps(self._prepare_response_obj(args, kwargs))
        return Response(body, mimetype="application/json")
