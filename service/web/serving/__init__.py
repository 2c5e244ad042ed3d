"""How requests get from connections into the application, by gunicorn's ASGI worker."""
