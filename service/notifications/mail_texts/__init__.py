"""The contents of each kind of email, whether it is still relevant, and the signed links in it."""
