"""The views that people may be shown: a game, its clocks, proposals and history, lists of games, rulesets."""
