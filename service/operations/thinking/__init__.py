"""Thinking for house players, in processes that do nothing else and know nothing but the rules."""
