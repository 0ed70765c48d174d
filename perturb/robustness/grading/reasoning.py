"""Replies of models that reason aloud, as servers write them that don't part the two."""

from __future__ import annotations

import re
from typing import Any

from perturb.values.patterns import lazy_re

_TAGS = "think|thinking|thought|reasoning"
_BEGIN = lazy_re(rf"\s*(?:<(?:{_TAGS})>|\[THINK\])", re.IGNORECASE)
# Templates may hold the first tag, so that a reply has the last alone. The channel is gpt-oss's.
_END = lazy_re(rf"</(?:{_TAGS})>|\[/THINK\]|<\|channel\|>final<\|message\|>", re.IGNORECASE)


def behind_reasoning(reply: Any) -> Any:
    """Return what a reply says behind its reasoning, None if it ends within; no text as it is.

    Examples:
        >>> behind_reasoning("<think>A? No, B is larger.</think> B")
        'B'
        >>> behind_reasoning("<think>A? No, B") is None
        True
        >>> behind_reasoning("I think that it is <b>B</b>.")
        'I think that it is <b>B</b>.'
    """
    if type(reply) is not str or ("<" not in reply and "[" not in reply):  # as most are
        return reply
    *reasoning, told = _END.split(reply)
    if reasoning:
        return told.strip() or None
    return None if _BEGIN.match(reply) else reply
