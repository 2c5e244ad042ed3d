"""Limits on a caller's requests: rates within a process, attempts counted across all processes; and the cause of a
request.
"""
