"""How somebody is told: what mails say and how they leave, mail that comes in, webhooks and Web Push."""
