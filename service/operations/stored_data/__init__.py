"""Commands of the operator that back up, copy, check, migrate and convert what is stored."""
