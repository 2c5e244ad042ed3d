"""Notifications: the contents and the sending of mails, incoming mail, webhooks and Web Push."""
