"""The contents of each kind of mail, whether it is still relevant, and the signed links in it."""
