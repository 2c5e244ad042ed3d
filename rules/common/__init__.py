"""What more than one game can use: cards, dominoes, deals, tricks and poker hands. No module here knows a game."""
