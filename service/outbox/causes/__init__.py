"""What leads to mails and to changes that programs are told of: moves, announcements, reminders."""
