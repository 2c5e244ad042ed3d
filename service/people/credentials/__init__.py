"""Cookies, tokens, secret links, mailed keys and passwords."""
