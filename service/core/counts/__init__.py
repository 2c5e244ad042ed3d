"""Counts of attempts, which are limited, and the counts that Prometheus reads."""
