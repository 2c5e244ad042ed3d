"""What changed for whom, in order: what programs follow."""
