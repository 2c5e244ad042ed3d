"""Turn emails and digests: the question, the deadline, the talk, and the links."""
