"""Turn mails: the question, the deadline, the talk, and where to go from there."""
