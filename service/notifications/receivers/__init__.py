"""Receivers of changes: their owners, the messages to them, and their deliveries with everything that is stored of
these.
"""
