"""Mail that comes back, and complaints about it: what they say, and which addresses pause because of them."""
