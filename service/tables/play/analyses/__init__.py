"""Analyses of finished games: a house player appraises a person's decisions, knowing only what that person knew."""
