"""Processes that run without a request, and the operator's commands."""
