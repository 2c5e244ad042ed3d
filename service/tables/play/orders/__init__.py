"""Answers that the service gives for people who have asked for them: only moves, and standing orders."""
