"""The way of requests from connections to the application, through gunicorn's ASGI worker."""
