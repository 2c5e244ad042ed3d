"""Subjects that reveal an automatic reply for somebody who is away, if no header does."""

from __future__ import annotations

import re
import unicodedata

_BEGINS = re.compile(
    r"(auto(matic(ally)?)?[ -]?(reply|response|responder|generated|antwort|matische antwort)\b"
    r"|auto: |autoreply|autosvar|out[ -]of[ -](the )?office\b|ooo\b|away from (the |my )?(office|e-?mail)"
    r"|(i am|i'm) (currently )?(away|out|on (vacation|holiday|leave))\b|(on )?vacation (reply|response|notice|message)"
    r"|.{1,80} is out of (the )?office\b|(not )?read: |開封済み|未開封"
    r"|(your message|mail) (was|has been) received|delivery (status|failure)|undeliver|mail delivery|returned mail"
    r"|abwesenheit|automatische antwort|réponse automatique|absence du bureau|respuesta automática|risposta automatica"
    r"|(自動(返信|応答|送信|配信)|不在(通知|のお知らせ|連絡|応答)|休暇(中|のお知らせ|通知|連絡)|(夏季|冬季|年末年始)休業"
    r"|メール受信の(お知らせ|確認)|配信(不能|エラー)))",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"((re|aw|sv|antw?|rv|fwd?|返信|転送)\s*(\[\d+\])?\s*[:：]\s*)+", re.IGNORECASE
)
_BEFORE = "[](){}<>【】〔〕≪≫《》「」『』〈〉*-—=~_!■□◆◇★☆※ \u3000"
"""The characters that often surround an automatic subject."""
LONGEST = 300
"""The greatest length of the part of a subject that is examined, in characters."""


def is_automatic(subject: str) -> bool:
    """Whether a subject begins in a way in which no person's reply does."""
    plain = unicodedata.normalize("NFKC", subject[:LONGEST]).strip()
    own = _ANSWERS.sub("", plain, count=1) if _ANSWERS.match(plain) else plain
    return _BEGINS.match(own.lstrip(_BEFORE)) is not None
