"""Puzzles: those of the collections with people's answers, and positions of finished games."""
