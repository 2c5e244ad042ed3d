"""How often something was tried or guessed, counted in the database across all processes."""
