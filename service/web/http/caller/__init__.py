"""Who is calling, in which language, and what the request at hand may use."""
