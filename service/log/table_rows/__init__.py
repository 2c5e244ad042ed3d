"""The rows of a table: its game, its people, its host, and who may see it."""
