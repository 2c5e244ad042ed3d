"""Puzzles: those of the collections, people's answers to them, and positions of finished games."""
