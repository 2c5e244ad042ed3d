"""The path, query and body of a request, checked."""
