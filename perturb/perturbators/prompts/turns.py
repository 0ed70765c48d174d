"""The turns of a conversation before its last question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.prompts._items import (
    Item,
    Listed,
    Runs,
    added,
    changed,
    check_pool,
    drawn,
    form_of,
    item_sites,
)
from perturb.registry.from_regex import KeyedRandom

Kind = Literal["shuffle", "repeat", "distract", "drop", "cut"]
# What messages call a person: OpenAI and Anthropic, and ShareGPT.
_ASKING = ("user", "human")


@text_perturbator(
    "turns",
    touches={"words", "digits", "letters", "case", "punctuation", "space", "order", "meaning"},
    on_options={},
    whole_items=True,
    expect="same",
    expect_of_kind={"drop": "unknown", "cut": "unknown"},
    source="P. Laban et al., LLMs Get Lost In Multi-Turn Conversation, 2025; F. Shi et al., Large "
    "Language Models Can Be Easily Distracted by Irrelevant Context, ICML 2023",
    example='[{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}, '
    '{"role": "user", "content": "I have 3 eggs."}, {"role": "assistant", "content": "Good."}, '
    '{"role": "user", "content": "How many are 2 more?"}]',
)
def turns(batch: Batch, *, kind: Kind = "shuffle", pool: File | None = None) -> Sites:
    """Reorder, repeat, drop or add turns of a conversation before its last question.

    Change the turns before the last question; `p` is a share of the conversations.

    A conversation is a field of `choices`, or a text in JSON: a list of messages with `role` or
    `from`. A turn is what a user says, with all answers and calls of tools up to the next such
    message. It goes as a whole, so that roles alternate as before. What comes before the first
    turn stays there, and the last turn stays last.

    Args:
        batch: the texts.
        kind: "shuffle" puts turns in another order; "repeat" puts one in again; "distract" puts in
            one of `pool`; "drop" leaves one out; "cut" leaves out the first one or more.
        pool: a file whose name ends in .jsonl to draw from, with a list of messages on each line,
            from one of a user to an answer. The step then holds its SHA-256 after the path.
    """
    check_pool("turns", pool, kind == "distract", form_of([{}]))

    def edited(one: Listed, runs: Runs, rng: KeyedRandom) -> Sequence[Item] | str:
        at, new = rng.below(len(runs)), None
        if pool is not None:
            turn = drawn(pool, rng, {form_of([{}])}, _fitting(one.values()))
            if turn is None:
                return "no turn of the pool fits"
            new = [added(message, one) for message in turn]
        elif kind == "repeat":
            new = one.items[slice(*runs[at])]
        return changed(one, runs, range(0 if kind == "cut" else at, at + 1), new, rng)

    return item_sites(batch, _turns, None if kind == "shuffle" else edited)


def _turns(one: Listed) -> Runs | str:
    """Return the turns of a conversation before the last one."""
    messages = one.values()
    if not all(map(_said_by, messages)):
        return "no conversation: not all items are objects with a role"
    asks = [*map(_asks, messages)]
    starts = [at for at, asked in enumerate(asks) if asked and not (at and asks[at - 1])]
    return [*pairwise(starts)] or "no turn before the last one"


def _said_by(message: Any) -> str:
    """Return who says a message; "" if it is none."""
    role = isinstance(message, dict) and (message.get("role") or message.get("from"))
    return role if isinstance(role, str) else ""


def _asks(message: Mapping[str, Any]) -> bool:
    """Return whether a user says a message, who doesn't hand over the result of a tool."""
    parts = message.get("content") or message.get("parts")
    given = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return _said_by(message) in _ASKING and not any(
        part.get("type") == "tool_result" or "functionResponse" in part for part in given
    )


def _fitting(messages: Sequence[Any]) -> Callable[[Any], bool]:
    """Return whether the messages of a pool fit among others: in their form, and with a reply."""
    forms = {*map(_form, messages)}

    def fits(turn: Sequence[Any]) -> bool:
        asks = [_said_by(message) != "" and _asks(message) for message in turn]
        alike = {*map(_form, turn)} <= forms and turn[0] not in messages
        return alike and asks[0] and len(asks) > 1 and not any(asks[1:])

    return fits


def _form(message: Mapping[str, Any]) -> tuple[Any, ...]:
    keys = ("role", "from", "content", "value", "parts")
    return (_said_by(message), *(type(message.get(key)) for key in keys))
