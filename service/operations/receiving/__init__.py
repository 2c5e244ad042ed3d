"""Messages as mail servers hand them over: one by one to a command, or by LMTP to a process that stays."""
