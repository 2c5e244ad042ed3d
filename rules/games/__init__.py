"""One folder for each game, named like its slug with `_` for `-` (and a letter before a digit).

    __init__.py            what the game is, and its `ruleset`
    components.py          cards, constants, and the table: who sees what lies on it
    phases.py              the phases as played, and the steps that lead from one to the next
    scoring.py             what things are worth, and who wins
    hidden.py              what unseen cards have to be, for house players
    estimate.py            what a long game is worth between two deals, for house players
    policy.py              what sensible players are likely to do, for house players
    words.<language>.po    how the game's options, actions, lines and facts are worded
    page.<language>.md     the rules as players read them
    page.table.json        a table in the middle of a game, as lists show it
    stamp.svg              the emblem on its stamp, in two inks
    v1/, v2/ …             older versions, each a complete copy of what the folder was

A game may have further modules of its own. No game imports another.
"""
