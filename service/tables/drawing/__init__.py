"""What a player sees of a table, as text and as HTML, and a long list of actions narrowed down step by step."""
