"""Answers that are polled: tags, 304, and waiting for news."""
