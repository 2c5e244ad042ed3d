"""Limits on a caller's requests: rates within one process, attempts counted across all; and the cause of a request."""
