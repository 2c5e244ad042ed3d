"""Answers that people leave with the service: their only moves, and standing orders."""
