"""Email addresses: how they are compared, and the addresses to which no mail is sent."""
