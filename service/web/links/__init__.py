"""The pages behind signed links in mails."""
