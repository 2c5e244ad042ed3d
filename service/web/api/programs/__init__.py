"""What programs of a player are told: changes, feeds, webhooks."""
