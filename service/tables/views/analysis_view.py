"""The analysis of a person's decisions in a finished game, in words, for that person alone."""

from __future__ import annotations

from rules.kernel import Json, State
from rules.players.appraisal import VERSION, Valued, compared
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Reader
from service.log.event_log import Passed
from service.tables.play.analyses import analyses
from service.tables.play.analyses.analyses import USUAL, AnalysisRow, Appraised, Found
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer
from service.tables.views.history_view import SeatHistory

MOST_TURNING_POINTS = 5
SURE = 2
"""A decision is a turning point if its cost is more than this many standard errors."""
NONE, WAITING, DONE, FAILED = "none", "waiting", "done", "failed"


def shown(services: Services, answer: GameAnswer, found: Found) -> Json:
    """The analysis in words, and the progress of the deep one (Analysis in openapi.yaml). Raises UnreadableLog."""
    analysis = found.shown
    is_done = analysis is not None and analysis.is_done
    told = _decisions(services, answer, analysis) if analysis is not None and is_done else []
    return {
        **_progress(analysis),
        "depth": USUAL if analysis is None else analysis.depth,
        "thinker": VERSION,
        "decisions": told,
        "turning_points": turning_points(told),
        "deep": _progress(found.deep),
    }


def _progress(analysis: AnalysisRow | None) -> Json:
    """The state of an analysis, and how far it has come; the state is `none` if nobody has asked for one."""
    if analysis is None:
        return {"state": NONE, "asked_at": None, "ahead": 0, "done": 0, "of": 0}
    state = _state(analysis)
    return {
        "state": state,
        "asked_at": rfc3339(analysis.asked_at),
        "ahead": analyses.ahead_of(analysis) if state == WAITING else 0,
        "done": analysis.done,
        "of": len(analysis.decisions),
    }


def turning_points(decisions: list[Json]) -> list[int]:
    """The numbers of the costliest decisions, the costliest first; only decisions whose cost is beyond doubt."""
    sure = [each for each in decisions if is_sure(each)]
    sure.sort(key=lambda each: (-each["cost"], each["number"]))
    return [each["number"] for each in sure[:MOST_TURNING_POINTS]]


def is_sure(decision: Json) -> bool:
    """Whether the cost of a decision is beyond doubt."""
    return bool(decision["cost"] > SURE * decision["error"])


def percent(part: float) -> int:
    """A fraction from 0 to 1 as a whole number of percent."""
    return round(100 * part)


def margin(error: float) -> int:
    """How many percentage points a value with this standard error may be off."""
    return percent(SURE * error)


def _state(analysis: AnalysisRow) -> str:
    if analysis.ended_at is None:
        return WAITING
    return FAILED if analysis.failed else DONE


def _decisions(services: Services, answer: GameAnswer, analysis: AnalysisRow) -> list[Json]:
    """The appraised decisions in order, read in a single fold of the log."""
    found = {each.number: each for each in analyses.appraised(analysis)}
    if not found:
        return []
    seats = SeatHistory(answer, bare=True)
    return [
        _decision(answer, passed, analysis.seat, seats.reader(passed.number), found[passed.number])
        for passed in services.states.course(answer.game, min(found) - 1, max(found))
        if passed.number in found
    ]


def _decision(
    answer: GameAnswer, passed: Passed, seat: int, reader: Reader, found: Appraised
) -> Json:
    shown = found.few()  # earlier releases have kept all alternatives
    tried = [Valued(**each) for each in shown.tried]
    cost, error = compared(tried[0], tried[shown.played])
    return {
        "number": found.number,
        "worth": tried[0].value,
        "cost": round(cost, 4),
        "error": round(error, 4),
        "choices": [
            {
                **each._asdict(),
                "words": _worded(answer, passed.before, seat, reader, each.action),
                "played": place == shown.played,
            }
            for place, each in enumerate(tried)
        ],
    }


def _worded(answer: GameAnswer, state: State, seat: int, reader: Reader, action: Json) -> str:
    """An action in words, as it was offered at that time."""
    listed = answer.table.ruleset.listed(state, seat, action)
    fields = {**listed, **state.beside(seat, listed)}
    return answer.words.say_most_specific(f"action.{listed['type']}", fields, reader)
