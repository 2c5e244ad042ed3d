"""Ids in paths: what cannot be an id is a 404 before anything is looked up."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter


class GameId(BaseConverter):
    """`g_…`"""

    regex = "g_[0-9A-Za-z]{22}"


class TenureId(BaseConverter):
    """`t_…`"""

    regex = "t_[0-9A-Za-z]{22}"


class ProposalId(BaseConverter):
    """`q_…`"""

    regex = "q_[0-9A-Za-z]{22}"


class TokenId(BaseConverter):
    """`k_…`"""

    regex = "k_[0-9A-Za-z]{22}"


class MessageId(BaseConverter):
    """`m_…`"""

    regex = "m_[0-9A-Za-z]{22}"


class MuteId(BaseConverter):
    """`s_…`"""

    regex = "s_[0-9A-Za-z]{22}"


class BlockId(BaseConverter):
    """`b_…`"""

    regex = "b_[0-9A-Za-z]{22}"


class MailId(BaseConverter):
    """A mail in the mailbox."""

    regex = "[0-9a-f]{32}"


class InvitationId(BaseConverter):
    """`i_…`"""

    regex = "i_[0-9A-Za-z]{22}"


class VacationId(BaseConverter):
    """`v_…`"""

    regex = "v_[0-9A-Za-z]{22}"


def register_converters(app: Flask) -> None:
    """Make the ids known to the routes of `app`."""
    app.url_map.converters.update(vacation=VacationId, invitation=InvitationId)
    app.url_map.converters.update(message=MessageId, mute=MuteId, block=BlockId)
    app.url_map.converters.update(
        game=GameId, tenure=TenureId, proposal=ProposalId, token=TokenId, mail=MailId
    )
