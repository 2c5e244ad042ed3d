# A server in a container: web and worker together (`tegami serve`). docs/hosting.md, Containers.
FROM python:3.11-slim-bookworm AS packages
# What is locked there is installed: requirements-s3.txt has what COLD_STORAGE in a bucket needs besides.
ARG REQUIREMENTS=requirements.txt
WORKDIR /srv/tegami
COPY requirements.txt requirements-s3.txt ./
COPY bin/setup bin/
RUN bin/setup && .venv/bin/python -m pip install --quiet --require-hashes --requirement $REQUIREMENTS \
    && .venv/bin/python -m pip uninstall --quiet --yes pip setuptools

# What is served, with pg_dump as new as the database of compose.yaml, and without what installs or builds anything.
FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install --yes --no-install-recommends postgresql-client-18 \
    && apt-get purge --yes --auto-remove postgresql-common && rm -rf /var/lib/apt/lists/* \
    && rm -rf /usr/local/lib/python3.11/site-packages/* /usr/local/lib/python3.11/ensurepip /usr/local/bin/pip*
WORKDIR /srv/tegami
COPY --from=packages /srv/tegami/.venv .venv
COPY bin/tegami bin/
COPY rules rules
COPY service service
COPY web web
COPY docs docs
COPY examples examples
COPY openapi.yaml .
RUN .venv/bin/python -m compileall -q rules service
RUN useradd --system --uid 10001 --home-dir /nonexistent tegami && install -d -o tegami -m 700 /var/lib/tegami
USER 10001
ENV HOST=0.0.0.0 PORT=8000 DATA_DIR=/var/lib/tegami PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
VOLUME /var/lib/tegami
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --timeout=10s CMD .venv/bin/python -c "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=8)"
CMD ["bin/tegami", "serve"]
