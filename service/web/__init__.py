"""How requests are answered."""
