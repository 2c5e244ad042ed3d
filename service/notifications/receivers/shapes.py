"""The shapes in which webhooks are written: our own for programs, and the shapes that chat services put into a channel.

A shape follows from the address, unless the owner has chosen one. Text that people have typed, such as a name, is never
read as markup, mentions nobody, and makes no link.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args
from urllib.parse import urlsplit

from rules.kernel import Json

Shape = Literal["tegami", "discord", "slack", "mattermost"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
OURS: Shape = "tegami"
CHAT_SERVICES: dict[str, Shape] = {
    "discord.com": "discord",
    "discordapp.com": "discord",
    "canary.discord.com": "discord",
    "ptb.discord.com": "discord",
    "hooks.slack.com": "slack",
}
"""The shape by the name of the host. These hosts have the channels of many players."""
_MATTERMOST = re.compile(r"/hooks/[a-z0-9]{26}")
"""The pattern of the path of an incoming webhook of Mattermost, which may follow a folder and is at any host."""
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~:&])")
"""The characters that Markdown interprets."""
_MENTIONS = re.compile(r"@(?=\w)")
_APART = "\u200b"
"""A space without width: nobody is mentioned by a name that has one after its @."""
_NO_PREVIEWS = 4
"""Discord's flag SUPPRESS_EMBEDS."""


def of_address(url: str) -> Shape:
    """The shape for an address, as far as its form tells; our own if it is not that of a chat service."""
    parts = urlsplit(url)
    known = CHAT_SERVICES.get((parts.hostname or "").lower())
    if known is not None:
        return known
    return "mattermost" if _MATTERMOST.search(parts.path) else OURS


def is_chat_service(host: str) -> bool:
    """Whether the channels of many players are at this host."""
    return host.lower() in CHAT_SERVICES


def chat_message(shape: str, words: str, link: str) -> Json:
    """The message for a chat service: the event, and the table. `shape` is not our own one."""
    return _MESSAGES[shape](words, link)


def _discord(words: str, link: str) -> Json:
    """The message for Discord (Execute Webhook in its reference). Nobody is mentioned, whatever the text says."""
    content = f"{_escaped(words)}\n<{link}>"
    return {"content": content, "allowed_mentions": {"parse": []}, "flags": _NO_PREVIEWS}


def _slack(words: str, link: str) -> Json:
    """The message for Slack (Block Kit).

    `plain_text` is not read as markup, unlike `text`, which is shown where blocks are not.
    """
    plain = {"type": "plain_text", "text": words, "emoji": False}
    where = {"type": "mrkdwn", "text": f"<{link}>", "verbatim": True}
    blocks = [{"type": "section", "text": plain}, {"type": "section", "text": where}]
    entities = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": entities, "mrkdwn": False, "unfurl_links": False, "blocks": blocks}


def _mattermost(words: str, link: str) -> Json:
    """The message for Mattermost (Incoming Webhooks), in Markdown, in which @all would call a whole channel."""
    return {"text": f"{_MENTIONS.sub(f'@{_APART}', _escaped(words))}\n<{link}>"}


def _escaped(words: str) -> str:
    """The text, in which Markdown finds no markup; line breaks would begin a list or a heading."""
    return _MARKUP.sub(r"\\\1", " ".join(words.split()))


_MESSAGES: dict[str, Callable[[str, str], Json]] = {
    "discord": _discord,
    "slack": _slack,
    "mattermost": _mattermost,
}
