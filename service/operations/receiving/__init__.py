"""Messages from mail servers: handed one by one to a command, or by LMTP to a process that stays."""
