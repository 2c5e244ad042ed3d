"""The rows of a table: its game, its people, its host, who may see it."""
