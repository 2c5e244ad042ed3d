"""What opens behind signed links in mails."""
