"""Code shared by several games: cards, dominoes, deals, tricks and poker hands. No module here knows a game."""
