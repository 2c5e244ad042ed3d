"""Notifications: the contents and the sending of emails, incoming mail, webhooks and Web Push."""
