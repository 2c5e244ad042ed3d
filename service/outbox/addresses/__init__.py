"""Email addresses: how they are compared, and to which of them no mail is sent."""
