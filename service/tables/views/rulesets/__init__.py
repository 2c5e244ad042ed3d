"""What is shown of rulesets: their description, their vocabulary, their pages of rules."""
