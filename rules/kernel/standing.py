"""Standing orders: answers that players leave for later occurrences of the same question.

They are data for the service. An order only ever plays a legal action, and nothing here looks at more than the acting
seat may see.
"""

from __future__ import annotations

from typing import NamedTuple


class Standing(NamedTuple):
    """A standing order in a phase: it plays the first listed legal action of a type, which is the lowest if they
    differ.

    Its words are the message `order.<name>`, such as "Pass". `until` names the parts of a game for which it can last,
    the shortest first; the message `until.<part>` says "for the rest of this auction". `compare` is a number in the
    prompt: the order can be limited to questions in which that number is at least a given value, as `while.<compare>`
    says. `most` is a parameter of the action: the order can be limited to values up to a given one, as
    `order.<name>+most` says.
    """

    name: str
    phase: str
    type: str
    until: tuple[str, ...] = ()
    compare: str = ""
    most: str = ""
