"""Signing in, and the browsers in which people have signed in."""
