"""Rulesets as shown to people and programs: their descriptions, vocabularies and rules pages."""
