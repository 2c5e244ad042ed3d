"""Records of finished games, and signed heads."""
