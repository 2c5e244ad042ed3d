"""The caller, the language, and the services for the present request."""
