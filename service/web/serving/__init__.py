"""How requests get from connections into threads: gunicorn's worker, made patient with slow clients."""
