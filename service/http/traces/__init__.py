"""What requests leave behind: when a caller was last seen, and the audit log."""
