"""What each kind of mail says, when it is no longer relevant, and the signed links in it."""
