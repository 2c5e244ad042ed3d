"""Mails about a game that ask for no move: it is over, or something happened at the table."""

from __future__ import annotations

from typing import Any

from service import history
from service.api.common import Tools
from service.mail import absence, links, proposals
from service.mail.letter import Letter
from service.mail.paper import written
from service.mail.readers import Reader
from service.mail.scene import Scene, scene
from service.since import since_last_turn


def over(kit: Tools, row: Any) -> Letter | None:
    """The game is over: the result, the last moves, the table as it lies, the links to look back."""
    found = scene(kit, row)
    if found is None or found[0].table.game.status != "over":
        return None
    shown, reader = found
    return _letter(
        kit,
        row,
        shown,
        reader,
        "over",
        result=shown.game["result"]["words"],
        scores=scores(shown),
        record=f"{kit.config.public_url}/api/games/{shown.table.game.id}/record",
        since=since_last_turn(kit.states, shown.answer),
        table=shown.drawn(),
    )


def scores(shown: Scene) -> list[str]:
    """What everybody has, by seat; nothing of a game without scores."""
    told = zip(shown.answer.names, shown.game["result"]["score_words"], strict=True)
    return [
        shown.words.say("letter.over.seat", {"name": name, "score": score})
        for name, score in told
        if score is not None
    ]


def told(kit: Tools, row: Any) -> Letter | None:
    """Something that the rules do not see: an event of the history, or what `data` names."""
    found = scene(kit, row)
    lines = _news(kit, row, *found) if found else []
    return (
        _letter(kit, row, *found, "told", template="news", lines=lines) if found and lines else None
    )


def _news(kit: Tools, row: Any, shown: Scene, reader: Reader) -> list[str]:
    about = row.data or {}
    if "proposal" in about:
        return proposals.outcome(shown, about["proposal"])
    if shown.answer.me is None:
        return []
    if "vacation" in about:
        return absence.lines(shown, reader, about)
    events, _ = history.page(kit.states, shown.answer, row.number - 1, 1)
    return [line["words"] for event in events for line in event["lines"]]


def taken_over(kit: Tools, row: Any) -> Letter | None:
    """To somebody whose seat has gone to a house player because time was over."""
    found = scene(kit, row)
    if found is None or found[0].answer.me is not None or found[0].table.game.status != "running":
        return None
    lines = [found[0].words.say("letter.taken-over.back")]
    return _letter(kit, row, *found, "taken-over", template="news", lines=lines)


def _letter(
    kit: Tools, row: Any, shown: Scene, reader: Any, kind: str, *, template: str = "", **values: Any
) -> Letter:
    subject = shown.say(f"letter.{kind}.subject")
    text, html = written(
        template or kind,
        shown.words,
        language=reader.language,
        subject=subject,
        intro=shown.say(f"letter.{kind}.intro", name=reader.name),
        url=shown.url,
        stop=links.for_player(kit.config, row),
        **values,
    )
    return Letter(reader.address, subject, text, html, shown.table.game.id)
