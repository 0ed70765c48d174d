"""Tokens before they are known, and the price of those that are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from perturb.errors import UsageError
from perturb.io.jsonl import dumps

# Of English under the usual tokenizers; other scripts take more bytes and more tokens.
_BYTES_A_TOKEN = 4


def prompt_tokens(content: Any) -> float:
    """Estimate the tokens of what is asked, at four bytes each."""
    return len(dumps(content)) / _BYTES_A_TOKEN


class Price(NamedTuple):
    """Prices of a million tokens, in any currency.

    Attributes:
        prompt: of a million tokens of prompts.
        completion: of a million tokens of answers.
    """

    prompt: float
    completion: float

    def of(self, tokens: Mapping[str, float]) -> float:
        """Return the price of tokens, by their kind."""
        kinds = zip(self._fields, self, strict=True)
        return sum(price * tokens.get(kind, 0) for kind, price in kinds) / 1e6

    def shown(self, tokens: Mapping[str, float]) -> str:
        """Return the price of tokens for people: two decimals, or two digits of a small one.

        Examples:
            >>> Price(2.5, 10).shown({"prompt": 10**6}), Price(2.5, 10).shown({"completion": 270})
            ('2.50', '0.0027')
        """
        amount = self.of(tokens)
        return f"{amount:.2g}" if 0 < amount < 0.1 else f"{amount:,.2f}"


def parse_price(text: str) -> Price:
    """Read `2.50,10`: the prices of a million tokens of prompts and of answers.

    Raises:
        UsageError: it is written otherwise.
    """
    try:
        prompt, completion = map(float, text.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
        raise UsageError(
            "--price takes the prices of a million tokens of prompts and of answers, as 2.50,10; "
            f"got {text!r}"
        )
    return Price(prompt, completion)


def expenses(
    calls: int,
    tokens: Mapping[str, float],
    price: Price | None = None,
    *,
    rpm: float = math.inf,
    tpm: float = math.inf,
) -> dict[str, float]:
    """Return the tokens, the cost and the minutes of calls, where they are known.

    Args:
        calls: how many there are.
        tokens: the tokens of one call, by their kind.
        price: the price of its tokens.
        rpm: calls a minute at most.
        tpm: tokens a minute at most.
    """
    kinds = {kind: calls * count for kind, count in tokens.items()}
    total = sum(kinds.values())
    cost = 0.0 if price is None else price.of(kinds)
    values = {"tokens": total, "cost": cost, "minutes": max(calls / rpm, total / tpm)}
    return {name: value for name, value in values.items() if value}
