"""The causes of mails, and of changes that programs are told of: moves, announcements, reminders."""
