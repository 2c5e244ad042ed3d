"""Answering requests for the page's files from memory, before Flask.

A file named by its content never changes, so browsers may cache it for ever. Pictures keep their names, and may be
cached for a day. The source files are served for people to read; browsers do not need them. A file is compressed when
it is first requested in that encoding; files that every visit needs are compressed at the start.
"""

from __future__ import annotations

import functools
import hashlib
import html
import mimetypes
from collections.abc import Callable, Iterable
from pathlib import Path
from string import Template
from typing import NamedTuple
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
from werkzeug.http import parse_accept_header

import rules
from service.core.settings.config import ROOT
from service.core.settings.release import release
from service.core.words.words import LANGUAGES, phrases
from service.tables.drawing import stamps
from service.tables.drawing.html import STYLES
from service.tables.views.rulesets import shown_tables
from service.web.http.headers.compression import ENCODINGS, IDENTITY, accepted, in_form
from service.web.http.headers.headers import SECURITY_HEADERS
from service.web.http.routes import ROUTE
from service.web.page.files import reference
from service.web.page.files.joining import join_modules, join_sheets, reached
from service.web.page.files.kept_forms import KeptForms
from service.web.page.files.manifest import Colours, colours, manifest
from service.web.page.files.page_words import in_parts

WEB = ROOT / "web"
PICTURES = WEB / "base/pictures"
"""The folder of files that others refer to by address: icons, and the pictures that messengers show.

They are served from the root.
"""
WORKER = "/service-worker.js"
"""The address of the service worker, which stays the same: browsers look there for a new version."""
OFFLINE = Path(__file__).with_name("offline.html")
"""The page that the worker shows without a connection: the page without anything that a server would say about an
address.
"""
FILES = "files of the page"
"""The route under which requests for files of the page are counted."""
FOR_GOOD = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
ASK_EACH_TIME = "no-cache"
_PICTURES = (".svg", ".png")
_SAY_MORE = (
    "lobby/daily/daily_page.js",
    "lobby/finished_games.js",
    "lobby/new_table/new_table_page.js",
    "people/player_page/player_page.js",
    "lobby/waiting_room/invited_players.js",
    *(f"people/circles/{each}.js" for each in ("circle_members", "circle_page", "circle_talk")),
    *(
        f"people/circles/{each}.js"
        for each in ("follows", "join_circle", "people_page", "weeklies")
    ),
    "people/ratings/ratings_page.js",
    "people/series/series_page.js",
    "people/settings/live_wishes.js",
    "people/settings/settings_page.js",
    "people/sign_in/mailed_link_page.js",
    "rules_page/shortcuts_dialog.js",
    "table/replay/analysis.js",
    "talk/mute_block_report.js",
    "time/standing_orders.js",
)
"""The modules that few visits load, and whose words are loaded with them."""
_KEPT_LATER = ("waiting_room.js", "time_panel.js")
"""The files that are loaded later but belong to every table: a browser that has loaded them before gets them with a new
version.
"""
_COMPRESSED = {
    "application/json",
    "text/javascript",
    "text/css",
    "text/html",
    "image/svg+xml",
    "application/manifest+json",
}

mimetypes.add_type("application/manifest+json", ".webmanifest")


Form = Callable[[], bytes]
"""A function that makes the bytes of a file in one encoding."""


class PageFile(NamedTuple):
    """A file, uncompressed and compressed; the functions that make the compressed bytes are by encoding, the most
    compact first.
    """

    mimetype: str
    caching: str
    etag: str
    forms: dict[str, Form]


class Names(NamedTuple):
    """The addresses of files that are named by their content."""

    script: str
    """The modules of the page, except those that not every visit needs, which the page loads itself."""
    later: dict[str, str]
    """The files that are loaded later, by the name of the module for which they are loaded."""
    sheet: str
    """All style sheets of the page."""
    server_sheet: str
    """The style sheets of the pages that the server makes."""
    drawn_sheet: str
    """The additional style sheet of pages that draw a table."""
    words: dict[str, list[str]]
    """The page's own messages, by language: those that any visit may need, then the others."""
    tables: dict[str, str]
    """The miniature tables of all games, by language."""
    manifests: dict[str, str]
    """The web app manifests, by language."""
    stamps: str
    """The stamps of all games, in one file."""
    icon: str
    """The icon of the tab, as an address that contains the icon, so that it needs no request."""
    paper: Colours
    """The colour of the page in both themes, for the browser's frame."""


def names() -> Names:
    """The addresses with which pages refer to the files."""
    return _files()[0]


def compress(folder: Path) -> None:
    """Compress the files named by their content now, so that forked processes share them.

    It takes a second, and would otherwise delay the first visitor of each process. The results that take longest are
    cached in `folder`.
    """
    kept = KeptForms(folder / "compressed", _BROTLI)
    for file in _files()[1].values():
        if file.caching == FOR_GOOD:
            short = kept.of(file.forms["identity"](), file.forms["br"])
            file.forms["br"] = functools.partial(bytes, short)
            for form in file.forms.values():
                form()
    kept.forget_others()


_BROTLI = "br, quality 11"
"""The name for cached forms."""


@functools.cache
def _files() -> tuple[Names, dict[str, PageFile]]:
    """The addresses of the files, and all served files by path; made once in each process."""
    palette = _read("base/colours.css")
    later, paper = dict[str, str](), colours(palette, "paper")
    made = _made(later)
    modules = [_read(name) for name in reached("app.js", _read, *_SAY_MORE)]
    for language in LANGUAGES:
        first, more = in_parts(phrases(language).messages, modules)
        made[f"{language}.json"] = orjson.dumps(first).decode()
        made[f"{language}_more.json"] = orjson.dumps(more).decode()
        made[f"{language}_tables.json"] = orjson.dumps(shown_tables.pictures(language)).decode()
        made[f"{language}.webmanifest"] = manifest(language, paper)
    named = {name: _named(name, text) for name, text in made.items()}
    words = {each: [named[f"{each}.json"], named[f"{each}_more.json"]] for each in LANGUAGES}
    tables = {language: named[f"{language}_tables.json"] for language in LANGUAGES}
    manifests = {language: named[f"{language}.webmanifest"] for language in LANGUAGES}
    sheets = named["page.css"], named["style.css"], named["drawn.css"]
    files_later = {name: named[name] for name in later}
    addresses = Names(
        named["page.js"],
        files_later,
        *sheets,
        words,
        tables,
        manifests,
        named["stamps.svg"],
        _icon(),
        paper,
    )
    files = {named[name]: _file(name, text.encode(), FOR_GOOD) for name, text in made.items()}
    for file in filter(Path.is_file, WEB.rglob("*")):
        folder = PICTURES if file.is_relative_to(PICTURES) else WEB
        path = f"/{file.relative_to(folder).as_posix()}"
        caching = FOR_A_DAY if file.suffix in _PICTURES else ASK_EACH_TIME
        files[path] = _file(path, file.read_bytes(), caching)
    for slug in rules.slugs():
        path = stamps.address(slug)
        files[path] = _file(path, _stamp(slug, palette).encode(), FOR_A_DAY)
    worker = _worker(addresses)
    files[WORKER] = _file(WORKER, worker.encode(), ASK_EACH_TIME)
    return addresses, files


def _made(later: dict[str, str]) -> dict[str, str]:
    """The joined modules and style sheets, by name; files that are loaded later are added to `later`."""

    def publish(name: str, text: str) -> str:
        later[name] = text
        return _named(name, text)

    return later | {
        "page.js": join_modules("app.js", _read, publish),
        "page.css": join_sheets("app.css", _read),
        "style.css": join_sheets("every_page.css", _read),
        "drawn.css": join_sheets("drawn_table.css", lambda _: STYLES.read_text("utf-8")),
        "stamps.svg": stamps.sprite(),
    }


def _stamp(slug: str, palette: str) -> str:
    """A stamp by itself, in the colours of the style sheets."""
    themes = {name: colours(palette, name) for name in stamps.COLOURS}
    light, dark = ({name: each[n] for name, each in themes.items()} for n in range(2))
    return stamps.stamp(slug, light, dark)


def _icon() -> str:
    """The icon of the tab as an address."""
    return f"data:image/svg+xml,{quote((PICTURES / 'icon.svg').read_text('utf-8').strip(), safe=_PLAIN)}"


_PLAIN = " !$&()*+,-./:;=?@_~"
"""The characters that need no escape in the address of an icon."""


def _offline(addresses: Names) -> str:
    """The document that is shown without a connection."""
    words = html.escape(orjson.dumps(addresses.words).decode())
    values = {"script": addresses.script, "sheet": addresses.sheet, "icon": addresses.icon}
    return Template(OFFLINE.read_text("utf-8")).substitute(values, words=words, release=release())


def _worker(addresses: Names) -> str:
    """The text of the service worker. It begins with the list of files to cache, all of one version, so that two
    versions are never mixed.

    The document that is shown without a connection is part of it, with the headers of every document. Of the files that
    not every visit needs, it caches those that were used in this browser.
    """
    words = [each for parts in addresses.words.values() for each in parts]
    kept = {
        "shell": _offline(addresses),
        "headers": {"Content-Type": "text/html; charset=utf-8", **SECURITY_HEADERS},
        "files": [addresses.script, addresses.sheet],
        "again": [addresses.later[each] for each in _KEPT_LATER],
        "more": [*addresses.later.values(), *words],
    }
    version = hashlib.sha256(orjson.dumps(kept)).hexdigest()[:12]
    told = orjson.dumps({"version": version, **kept}).decode()
    return f"self.VERSION = {told};\n{join_modules('service_worker/worker.js', _read)}"


def _named(name: str, text: str) -> str:
    """The path of a file with this content; it changes whenever the content does."""
    stem, ending = name.split(".")
    return f"/{stem}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.{ending}"


def _read(name: str) -> str:
    return (WEB / name).read_text("utf-8")


def _file(name: str, body: bytes, caching: str) -> PageFile:
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    encodings = (*ENCODINGS, IDENTITY) if mimetype in _COMPRESSED else (IDENTITY,)
    forms: dict[str, Form] = {
        each: functools.cache(functools.partial(in_form, body, each)) for each in encodings
    }
    if mimetype.startswith("text/"):
        mimetype += "; charset=utf-8"
    return PageFile(mimetype, caching, f'"{hashlib.sha256(body).hexdigest()[:20]}"', forms)


class PageFiles:
    """A WSGI layer that answers requests for the page's files; all other requests continue to `app`."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if method not in ("GET", "HEAD"):
            return self._app(environ, start_response)
        path = environ.get("PATH_INFO", "")
        file = _files()[1].get(path)
        if file is None and path.startswith(reference.BELOW):
            file = _reference(path)
        if file is None:
            return self._app(environ, start_response)
        environ[ROUTE] = FILES
        encoding, body = _accepted(file, environ.get("HTTP_ACCEPT_ENCODING", ""))
        etag = file.etag if encoding == "identity" else f'{file.etag[:-1]}-{encoding}"'
        headers = [("Cache-Control", file.caching), ("ETag", etag)]
        if len(file.forms) > 1:
            headers.append(("Vary", "Accept-Encoding"))
        if file.etag in environ.get("HTTP_IF_NONE_MATCH", ""):  # as headers/unread.py leaves it
            start_response("304 Not Modified", headers)
            return []
        if encoding != "identity":
            headers.append(("Content-Encoding", encoding))
        headers += [("Content-Type", file.mimetype), ("Content-Length", str(len(body)))]
        start_response("200 OK", headers)
        return [] if method == "HEAD" else [body]


@functools.lru_cache(maxsize=8)  # there are three of them, and paths can be invented
def _reference(path: str) -> PageFile | None:
    """A file of the API reference; None if the path is none of its addresses."""
    body = reference.read(path)
    if body is None:
        return None
    file = _file(path, body, FOR_GOOD)
    file.forms.pop("br", None)  # compressing takes too long for a file that few people request
    return file


def _accepted(file: PageFile, header: str) -> tuple[str, bytes]:
    """The most compact form of a file that the caller accepts, with its encoding."""
    encoding = accepted(parse_accept_header(header), file.forms)
    return encoding, file.forms[encoding]()
