"""The way of requests from connections into the application, through gunicorn's ASGI worker."""
