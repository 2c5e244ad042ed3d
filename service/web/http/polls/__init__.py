"""Responses for polling: ETags, 304, and waiting for news."""
