"""The JSON API: each module has a blueprint and the schemas of its endpoints. An endpoint knows no rules."""
