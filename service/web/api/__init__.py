"""The JSON API: each module has a blueprint and the schemas of its endpoints. No endpoint knows any rules."""
