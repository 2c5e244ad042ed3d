"""The state of a server's database, worker, disk and keys, from which it follows whether it can do its work."""
