"""Analyses of finished games: a house player appraises the decisions of a person, from what that person knew."""
