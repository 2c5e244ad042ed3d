"""Relations between people: the people whom they follow and block, and circles, whose members play with each other."""
