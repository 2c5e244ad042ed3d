"""The Flask application, made from its settings, its database and every resource of openapi.yaml."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from flask import Flask
from sqlalchemy.exc import DBAPIError
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.utils import find_modules, import_string

from service.core.counts import prometheus
from service.core.database import replica
from service.core.database.database import db, engine_options, listen, polling_options
from service.core.database.reading_from import REPLICA
from service.core.database.replica import Replica, impatient
from service.core.readiness.database_time import judged_time
from service.core.readiness.key_checks import refuse_other_keys
from service.core.runtime import log_files
from service.core.runtime.time_and_random import Runtime, steady_clock
from service.core.settings.config import Config
from service.core.settings.release import release
from service.log.event_log import States
from service.log.records import cold_storage
from service.log.records.cold_storage import ColdStorage
from service.log.records.signed_heads import HeadSigner
from service.people.credentials.passwords import Passwords
from service.tables.services import Services
from service.web.http import audit_log, held_rows, outages, problem_answers, routes
from service.web.http.bodies import body_and_query
from service.web.http.bodies.json_provider import OrjsonProvider
from service.web.http.bodies.path_ids import register_converters
from service.web.http.caller import caller, last_seen, left_behind
from service.web.http.headers import cross_site, deprecations, headers
from service.web.http.headers.cors import OtherSites
from service.web.http.headers.request_ids import WithRequestId
from service.web.http.headers.unread import WithoutUnread
from service.web.http.limits import rate_limits
from service.web.http.limits.cause import request_cause
from service.web.http.polls.idle_poll import POLLS, IdlePolls
from service.web.http.polls.waiting import VERSIONS, Versions
from service.web.page import not_found
from service.web.page.files.serving import PageFiles

ROOMS = (
    "api",
    "api.games",
    "api.oauth",
    "api.people",
    "api.programs",
    "links",
    "page",
    "plain",
    "plain.at_table",
    "plain.people",
)
BLUEPRINTS = [
    module.bp
    for room in ROOMS
    for module in map(import_string, find_modules(f"service.web.{room}"))
    if hasattr(module, "bp")
]
"""Every resource of openapi.yaml, and the HTML pages: each `bp` in the modules of these rooms."""


class Application(Flask):
    """Flask without its check whether a function is a coroutine, which it makes a dozen times in each request: no
    function here is one.
    """

    url_rule_class = routes.Route

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        """The function, unchanged."""
        return func


def create_app(config: Config | None = None, runtime: Runtime | None = None) -> Flask:
    """The application. By default, `config` comes from the environment and `runtime` from the system."""
    config = config or Config.from_environment()
    app = Application(__name__, static_folder=None, template_folder="page/templates")
    app.config.update(
        SQLALCHEMY_DATABASE_URI=config.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(config.database_url),
        SQLALCHEMY_BINDS={"polls": polling_options(config.database_url), **_replica(config)},
        # Werkzeug silently cuts chunks off there
        MAX_CONTENT_LENGTH=body_and_query.LARGEST_BODY + 1,
        PROVIDE_AUTOMATIC_OPTIONS=False,
        PROPAGATE_EXCEPTIONS=False,
    )
    release()  # loaded now, so that no request waits for it, or reads sources that an update is replacing
    app.json = OrjsonProvider(app)
    log_files.set_up()
    app.logger.disabled = True  # Flask's own handler would log tracebacks with values in them
    db.init_app(app)
    with app.app_context():
        engines = dict(db.engines)
        replicas = [engines.pop(name) for name in _replica(config)]
        runtime, look = judged_time(runtime or Runtime(steady=steady_clock))
        listen(engines.values(), config.patience, look, prepared=config.prepared_statements)
        listen(replicas, impatient(config.patience), prepared=config.prepared_statements)
        if replicas:
            replica.use(Replica(engines["polls"], config.replica_lag, prometheus.replica))
        cold_storage.use(ColdStorage(config.cold_storage) if config.cold_storage else None)
    app.extensions["tegami"] = make_services(config, runtime)
    app.url_map.merge_slashes = False
    register_converters(app)
    problem_answers.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    not_found.register(app)
    check_and_note(app)
    wrap(app, config)
    return app


def _replica(config: Config) -> dict[str, dict[str, object]]:
    """The options of the engine of a replica; empty if there is none."""
    url = config.replica_url
    return {REPLICA: {"url": url, **engine_options(url)}} if url else {}


def own_app(runtime: Runtime | None = None, *, wait: bool = False) -> Flask:
    """The application for a process that works on the database with our keys, not with the keys of another server.

    It reads nothing from a replica. Raises OtherKeys, and DBAPIError unless the caller will `wait` for the database.
    """
    app = create_app(runtime=runtime)
    services: Services = app.extensions["tegami"]
    with app.app_context():
        replica.use(None)
        try:
            refuse_other_keys(services.config)
        except DBAPIError:
            if not wait:
                raise
    return app


def check_and_note(app: Flask) -> None:
    """Have every request checked before its endpoint, and every response completed and noted."""
    rate_limits.count_anew(app)
    outages.forget(app)
    held_rows.register(app)
    app.before_request(body_and_query.refuse_large_bodies)
    app.before_request(cross_site.refuse_other_sites)
    app.before_request(caller.refuse_wrong_tokens)
    app.before_request(body_and_query.refuse_unread_query)
    app.after_request(rate_limits.add_header)  # runs last: Flask goes upwards
    app.after_request(outages.note)
    app.after_request(last_seen.note)
    app.after_request(audit_log.note)
    app.after_request(routes.note)
    app.after_request(left_behind.note)
    app.after_request(headers.add_missing)
    deprecations.register(app)


def make_services(config: Config, runtime: Runtime) -> Services:
    """The things that the application's use cases share, including who sent the present request."""
    return Services(
        **{each.name: getattr(runtime, each.name) for each in fields(Runtime)}
        | {"cause": request_cause},
        config=config,
        states=States(config.kept_states),
        heads=HeadSigner(config.signing_key),
        passwords=Passwords(config),
    )


def wrap(app: Flask, config: Config) -> None:
    """Wrap the application in the layers before Flask: idle polls, CORS preflights, then the page's static files."""
    static = PageFiles(app.wsgi_app)
    hops = config.trusted_proxies
    secured = headers.SecurityHeaders(static, secure=config.secure)
    proxied = ProxyFix(secured, x_for=hops, x_proto=hops, x_host=hops)
    with app.app_context():
        engine = db.engines["polls"]
    versions = app.extensions[VERSIONS] = Versions(engine)
    others, services = OtherSites(proxied, secured.headers), lambda: app.extensions["tegami"]
    polls = app.extensions[POLLS] = IdlePolls(others, engine, services, secured.headers, versions)
    app.wsgi_app = WithRequestId(WithoutUnread(polls))  # type: ignore[method-assign]
