"""The state of a reply: read, or why there is no answer to grade."""

from __future__ import annotations

from typing import Any

import regex

from perturb.robustness.grading.abstention import is_unknowable
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.linking.sources import Row
from perturb.values.patterns import lazy_regex

# NO_REPLY: the row was asked, and null is in place of a reply, or of a score. MISSING: the plan has
# the row, and the file lacks it.
READ, UNREAD, REFUSED, TRUNCATED, NO_REPLY, MISSING = range(6)
NAMES = ("read", "unread", "refusals", "truncated", "without a reply or score", "missing")

_CUT = ("length", "max_tokens", "MAX_TOKENS")
BLOCKED = ("content_filter", "refusal", "SAFETY")
_REFUSAL = lazy_regex(
    r"\W*(?:(?:i['’]?m|i am) (?:(?:really|very|so) )?sorry|sorry|apologies|i apologi[sz]e|"
    r"unfortunately|as an ai[^,.;]{0,40})?[\s,.;:–—-]*(?:but )?(?:however,? )?"
    r"(?:i(?: really)? (?:can(?:no|['’]?)t|can not|could(?:n['’]t| not)|won['’]t|will not|"
    r"must decline|decline|refuse|am (?:not able|unable)|['’]m (?:not able|unable))|"
    r"i['’]m (?:not able|unable))\s+(?:to )?"
    r"(?:help|assist|answer|provide|comply|fulfil+|discuss|do that|do this|support|engage|"
    r"continue|share|give|create|generate|respond)\b",
    regex.IGNORECASE,
)


def reply_state(row: Row, reply: Any, answer: Any) -> int:
    """Return the state of a row's reply.

    Args:
        row: its `response` tells why the reply ended, under `finish` or `finish_reason`, and under
            `refusal` the words of a refusal that the endpoint marks as one.
        reply: all that the system said.
        answer: the answer that was read in it; None for none.
    """
    response = row.get("response")
    refused = False
    if isinstance(response, dict):
        one, other = response.get("finish"), response.get("finish_reason")
        if one in _CUT or other in _CUT:
            return TRUNCATED
        refused = bool(response.get("refusal")) or one in BLOCKED or other in BLOCKED
    # Where nobody can know the answer, to decline is one; "" if the right answers are none.
    told = behind_reasoning(reply)
    declines = isinstance(told, str) and _REFUSAL.match(told)
    if refused or (declines and answer != "" and not is_unknowable(row)):
        return REFUSED
    if reply is None:
        return NO_REPLY
    if answer is not None:
        return READ
    return TRUNCATED if told is None else UNREAD
