"""Signing in, and the browsers in which somebody has."""
