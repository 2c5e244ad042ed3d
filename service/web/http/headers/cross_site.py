"""Refusing requests that a browser sends on behalf of other sites."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from flask import current_app, request
from werkzeug.sansio.utils import get_host

from service.core.runtime.problems import CrossSite
from service.web.http.caller.caller import SAFE_METHODS, bearer_token
from service.web.http.caller.context import current_services

E = TypeVar("E", bound=Callable[..., object])
_FROM_ANYWHERE: set[Callable[..., object]] = set()


def from_anywhere(endpoint: E) -> E:
    """A decorator that accepts requests from any site, as mail programs send them (RFC 8058). Place it right below the
    route.

    It is only for endpoints that check a signed link and ignore cookies, or that call `check_site` where they set one.
    """
    _FROM_ANYWHERE.add(endpoint)
    return endpoint


def refuse_other_sites() -> None:
    """Raise CrossSite for a change without a token, unless it comes from our own pages."""
    if request.method in SAFE_METHODS or bearer_token():
        return
    endpoint = request.endpoint
    if endpoint is not None and current_app.view_functions[endpoint] in _FROM_ANYWHERE:
        return
    check_site()


def check_site() -> None:
    """Raise CrossSite for a request that a page of another site has sent."""
    if not _is_from_our_pages():
        raise CrossSite


def _is_from_our_pages() -> bool:
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site in {"same-origin", "none"}
    return origin is None or origin in our_origins()


def our_origins() -> set[str]:
    """The origins of the server's own pages, as browsers write them.

    If the public address is https, http counts as another site.
    """
    config = current_services().config
    public = urlsplit(config.public_url)
    scheme = "https" if config.secure else request.scheme
    hosts = ((public.scheme, public.netloc.lower()), (scheme, request.host))
    return {f"{scheme}://{get_host(scheme, host)}" for scheme, host in hosts}
