"""Turn mails and digests: the question, the deadline, the talk, and where to go from there."""
