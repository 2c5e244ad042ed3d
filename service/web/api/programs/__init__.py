"""The endpoints for programs of a player: changes, feeds, webhooks."""
