"""Rulesets, as people and programs see them: their descriptions, vocabularies and rules pages."""
