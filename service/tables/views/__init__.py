"""What people may be shown: games, clocks, proposals, history, lists of games, and rulesets."""
