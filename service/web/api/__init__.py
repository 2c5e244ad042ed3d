"""The JSON API: one blueprint a resource. An endpoint knows no rules."""
