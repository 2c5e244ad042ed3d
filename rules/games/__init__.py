"""One folder for each game, named like its slug with `_` for `-` (and a letter before a digit).

    __init__.py            what the game is, and its `ruleset`
    components.py          cards, constants, and the table: who sees which cards on it
    phases.py              the phases as played, and the steps that lead from one to the next
    scoring.py             the values of things, and who wins
    hidden.py              constraints on unseen cards, for house players
    estimate.py            the value of a long game between two deals, for house players
    policy.py              the likely actions of sensible players, for house players
    words.<language>.po    the words for the game's options, actions, lines and facts
    page.<language>.md     the rules as players read them
    page.table.json        a table in the middle of a game, as lists show it
    stamp.svg              the emblem on its stamp, in two inks
    v1/, v2/ …             older versions, each a complete copy of the folder at that time

A game may have further modules in its folder. No game imports another.
"""
