"""The query and the form of the page about an analysis."""

from __future__ import annotations

from service.web.api.games.analysis_schemas import NewAnalysis
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger
from service.web.http.bodies.wrong_members import between


class AnalysisQuery(Body):
    """The query of GET /plain/games/{id}/analysis."""

    decision = QueryInteger(validate=between(1, MAX_EVENT_NUMBER))


class PlainAnalysis(NewAnalysis):
    """The form of POST /plain/games/{id}/analysis."""
