"""The causes of emails, and of changes that programs are told of: moves, announcements, reminders."""
