"""The tables of the database, and nothing else."""
