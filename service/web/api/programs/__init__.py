"""The endpoints for a player's programs: changes, feeds, webhooks, Web Push."""
