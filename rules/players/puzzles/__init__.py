"""The search for puzzles in games between house players: `python -m rules.players.puzzles SLUG`."""
