"""Pages of one table without scripts: the table itself, and its talk, proposals, notes and orders."""
