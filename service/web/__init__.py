"""The web service, which answers requests."""
