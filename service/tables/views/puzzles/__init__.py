"""Puzzles with their words, as the seat that has to choose sees them."""
