"""Whether a server can do its work: the state of its database, worker, disk and keys."""
