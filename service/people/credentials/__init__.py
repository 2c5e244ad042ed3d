"""Credentials: cookies, tokens, secret links, mailed keys and passwords."""
