"""Whether a server can do its work: its database, its worker, its disk, its keys."""
