"""Addresses: how they are compared, and which of them no mail goes to."""
