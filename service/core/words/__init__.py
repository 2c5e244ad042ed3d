"""Everything that people read, by key and language: the catalogues of the service and of the games."""
