"""Counts of what the processes of a machine do, for Prometheus."""
