# A server in a container: web and worker together (`tegami serve`). docs/hosting.md, Containers.
FROM python:3.11-slim-bookworm
WORKDIR /srv/tegami
COPY requirements.txt .
COPY bin/setup bin/tegami bin/
RUN bin/setup
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
HEALTHCHECK --start-period=60s CMD .venv/bin/python -c "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=3)"
CMD ["bin/tegami", "serve"]
