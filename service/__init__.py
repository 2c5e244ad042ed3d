"""The service: people, tables, the log and HTTP around the rules; it never knows a particular game."""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate
from werkzeug.middleware.proxy_fix import ProxyFix
from whitenoise import WhiteNoise

from service import api, errors, headers, logs
from service.api import limits, presence
from service.api.common import Tools, refuse_other_sites
from service.api.json import OrjsonProvider
from service.api.paths import register_converters
from service.config import ROOT, Config
from service.database import db, engine_options, listen, polling_options
from service.log import States
from service.outside import Outside
from service.passwords import Passwords
from service.poll import IdlePolls

MOST_BYTES = 64 * 1024
"""The largest body that is read."""


def create_app(
    config: Config | None = None,
    outside: Outside | None = None,
    passwords: Passwords | None = None,
) -> Flask:
    """The application. `config` is the environment's, `outside` the system's, the rest as they say, unless given."""
    config = config or Config.from_environment()
    app = Flask(__name__, static_folder=None)
    app.config.update(
        SQLALCHEMY_DATABASE_URI=config.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(config.database_url),
        SQLALCHEMY_BINDS={"polls": polling_options(config.database_url)},
        MAX_CONTENT_LENGTH=MOST_BYTES + 1,  # Werkzeug cuts chunks off there and says nothing
        PROVIDE_AUTOMATIC_OPTIONS=False,
        PROPAGATE_EXCEPTIONS=False,
        RATELIMIT_ENABLED=config.rate_limits,
        RATELIMIT_STORAGE_URI="memory://",
    )
    passwords = passwords or Passwords(config)
    app.extensions["tegami"] = Tools(config, outside or Outside(), States(), passwords)
    app.json = OrjsonProvider(app)
    logs.set_up(app)
    set_up_database(app)
    app.url_map.merge_slashes = False
    register_converters(app)
    app.before_request(errors.refuse_large_bodies)
    app.before_request(refuse_other_sites)
    limits.register(app)
    api.register(app)
    errors.register(app)
    presence.register(app)
    headers.register(app)
    wrap(app, config)
    return app


def set_up_database(app: Flask) -> None:
    """The database and its migrations."""
    db.init_app(app)
    Migrate(
        app,
        db,
        directory=str(ROOT / "service/migrations"),
        render_as_batch=True,
        transaction_per_migration=True,
    )
    with app.app_context():
        for engine in db.engines.values():
            listen(engine)


def wrap(app: Flask, config: Config) -> None:
    """What a request meets before Flask: idle polls, then the page's static files."""
    static = WhiteNoise(
        app.wsgi_app,
        root=ROOT / "web",
        index_file=True,
        max_age=0,  # modules fit together only in one release: ask each time, 304 if unchanged
        add_headers_function=headers.for_static,
    )
    with app.app_context():
        now = app.extensions["tegami"].outside.now
        polls = IdlePolls(static, db.engines["polls"], config.cookie, now)
    hops = config.trusted_proxies
    app.wsgi_app = ProxyFix(polls, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
