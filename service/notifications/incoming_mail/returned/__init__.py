"""Returned mail and complaints: their contents, and the addresses that pause because of them."""
