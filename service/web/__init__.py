"""The web service: it answers requests."""
