"""The JSON API: a blueprint in each module, with what its endpoints say. An endpoint knows no rules."""
