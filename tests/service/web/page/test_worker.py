"""The service worker: always asked for anew, and what it keeps belongs to one version and to nobody."""

from __future__ import annotations

import html
import json
import re

from tests.support.cast import sqlite_only

pytestmark = sqlite_only


def version(client):
    """What the worker keeps."""
    first = client.get("/service-worker.js").text.partition("\n")[0]
    found = re.fullmatch(r"self\.VERSION = (\{.*\});", first)
    assert found
    return json.loads(found[1])


def test_browsers_always_ask_whether_there_is_another_one(client):
    answer = client.get("/service-worker.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    headers = {"If-None-Match": answer.headers["ETag"]}
    assert client.get("/service-worker.js", headers=headers).status_code == 304


def test_what_it_keeps_is_there_and_is_named_by_its_content(client):
    kept = version(client)
    for path in (kept["shell"], *kept["files"]):
        assert re.fullmatch(r"/\w+\.[0-9a-f]{12}\.\w+", path)
        answer = client.get(path)
        assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"]


def test_the_document_without_a_connection_needs_nothing_but_what_is_kept(client):
    kept = version(client)
    shell = html.unescape(client.get(kept["shell"]).text)
    named = set(re.findall(r'"(/\w+\.[0-9a-f]{12}\.\w+)"', shell))
    assert named == set(kept["files"])


def test_it_has_the_files_of_the_page(client):
    """But for the manifest, which is of no use without a connection."""
    page = html.unescape(client.get("/").text)
    named = set(re.findall(r'"(/\w+\.[0-9a-f]{12}\.(?:js|css|json))"', page))
    assert named == set(version(client)["files"])
