"""A player's view of a table, as text and as HTML, and long lists of actions narrowed down step by step."""
