"""Which mails are to be sent, when and to whom; and which mails are not wanted. The worker sends them later."""
