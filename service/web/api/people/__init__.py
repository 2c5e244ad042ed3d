"""Endpoints about people: accounts, sign-ins, tokens, settings, blocks, follows and ratings."""
