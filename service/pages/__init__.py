"""The HTML pages that the server makes itself: behind the links in mails, the rules, privacy, problems, the mailbox."""
