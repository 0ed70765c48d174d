"""One pace for all workers, fixed ceilings, and the cost of asking."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

from perturb.errors import UsageError
from perturb.evaluation.ask import Ask, Reply, System, TransientError
from perturb.evaluation.questions import Question
from perturb.io.jsonl import dumps

# Requests per second: the rate at which the search begins if fewer were answered, and the lowest
# rate, one a minute. Chosen by hand.
_FIRST, _SLOWEST = 4.0, 1 / 60
# A refusal multiplies the rate by this, at most once a second, since other requests were under way
# with it. A lower factor wastes more of a limit, and a higher one takes longer to reach it.
_LOWER = 0.8
# The weight of an outcome in the share of refusals, which covers about the last 100: so the share
# of random refusals varies by only a few percent.
_WEIGHT = 0.01
# Above the first share of refusals there must be a limit below the ceiling; once it is known, up to
# the second share may still be random. So one random refusal in ten doesn't pass for a limit.
_LIMIT, _RANDOM = 0.25, 0.1
# The requests per second that each answer adds: a rate that is kept grows by 5% a second. With
# twice as much, only 65% instead of 73% of a limit of 8 a second is used if it asks for a wait.
_HIGHER = 0.05


class RateLimiter:
    """Give requests their turns.

    Nobody waits until more requests are refused than chance allows, or a refusal asks for a wait.
    From then on all workers share a rate: that of the answers so far, lowered by refusals and
    raised by each answer.

    Args:
        rpm: the most requests a minute; None for no ceiling.
        tpm: the most tokens a minute, with completions estimated from those so far.
    """

    def __init__(self, rpm: float | None = None, tpm: float | None = None) -> None:
        self._ceiling = self._rate = math.inf if rpm is None else rpm / 60
        self._tokens_a_second = math.inf if tpm is None else tpm / 60
        self._next = self._next_tokens = self._resume = self._lowered = -math.inf
        self._began = math.inf
        self._refused = 0.0  # the share of the last requests
        self._answers = self._completions = self._completed = 0
        self._turn = asyncio.Lock()

    async def turn(self, tokens: float) -> None:
        """Wait for a turn.

        Args:
            tokens: an estimate of the tokens of the request.
        """
        async with self._turn:
            # Checked again after each wait, since others may have been refused meanwhile.
            while (wait := max(self._next, self._next_tokens, self._resume) - now()) > 0:
                await sleep(wait)
            start = now()
            self._began = min(self._began, start)
            self._next = start + 1 / self._rate
            self._next_tokens = max(start, self._next_tokens) + tokens / self._tokens_a_second

    def answered(self, reply: Reply, estimate: float) -> None:
        """Learn from an answer: the rate of answers, and the tokens it took."""
        self._answers += 1
        self._refused *= 1 - _WEIGHT
        self._rate = min(self._rate + _HIGHER, self._ceiling)
        if reply.tokens is not None:
            completion = reply.tokens.get("completion", 0)
            self._completions += 1
            self._completed += completion
            excess = reply.tokens.get("prompt", 0) + completion - estimate
            self._next_tokens += excess / self._tokens_a_second

    def throttled(self, after: float) -> None:
        """Learn that requests came too often: send none for `after` seconds."""
        at = now()
        self._resume = max(self._resume, at + after)
        self._refused += _WEIGHT * (1 - self._refused)
        if not after and self._refused <= (_LIMIT if self._rate == self._ceiling else _RANDOM):
            return
        if math.isinf(self._rate):
            self._rate = max(self._answers / max(at - self._began, 1), _FIRST)
        if at >= self._lowered + 1:
            self._rate = max(self._rate * _LOWER, _SLOWEST)
            self._lowered = at

    def estimate(self, question: Question) -> float:
        """Return an estimate of the tokens of a question and its answer."""
        completion = self._completed / self._completions if self._completions else 0.0
        return prompt_tokens(question.content) + completion


def now() -> float:
    """Return the time of the event loop in seconds."""
    return asyncio.get_running_loop().time()


async def sleep(seconds: float) -> None:
    """Wait this number of seconds."""
    await asyncio.sleep(seconds)


@contextlib.asynccontextmanager
async def paced(system: System, limiter: RateLimiter) -> AsyncIterator[Ask]:
    """Open a system in which questions wait for their turn; only the time after that counts."""
    async with system as ask:

        async def in_turn(question: Question) -> Reply:
            estimate = limiter.estimate(question)
            await limiter.turn(estimate)
            start = time.perf_counter()
            try:
                reply = await ask(question)
            except TransientError as error:
                if error.throttled:
                    limiter.throttled(error.after)
                raise
            limiter.answered(reply, estimate)
            return reply._replace(seconds=round(time.perf_counter() - start, 6))

        yield in_turn


# Of English under the usual tokenizers; other scripts take more bytes and more tokens.
_BYTES_A_TOKEN = 4


def prompt_tokens(content: Any) -> float:
    """Estimate the tokens of a question, at four bytes each."""
    return len(dumps(content)) / _BYTES_A_TOKEN


class Price(NamedTuple):
    """Prices of a million tokens, in any currency.

    Attributes:
        prompt: the price of a million tokens of prompts.
        completion: the price of a million tokens of answers.
    """

    prompt: float
    completion: float

    def of(self, tokens: Mapping[str, float]) -> float:
        """Return the price of tokens, given by kind."""
        kinds = zip(self._fields, self, strict=True)
        return sum(price * tokens.get(kind, 0) for kind, price in kinds) / 1e6

    def shown(self, tokens: Mapping[str, float]) -> str:
        """Return the price of tokens as text: two decimals, or two digits if it is small.

        Examples:
            >>> Price(2.5, 10).shown({"prompt": 10**6}), Price(2.5, 10).shown({"completion": 270})
            ('2.50', '0.0027')
        """
        amount = self.of(tokens)
        return f"{amount:.2g}" if 0 < amount < 0.1 else f"{amount:,.2f}"


def parse_price(text: str) -> Price:
    """Read `2.50,10`: the prices of a million tokens of prompts and of answers.

    Raises:
        UsageError: the text has another form.
    """
    try:
        prompt, completion = map(float, text.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise UsageError(
            "--price takes the prices of a million tokens of prompts and answers, such as 2.50,10; "
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
    """Return the tokens, the cost and the minutes of calls, as far as known.

    Args:
        calls: the number of calls.
        tokens: the tokens of one call, by kind.
        price: the price of its tokens.
        rpm: calls a minute at most.
        tpm: tokens a minute at most.
    """
    kinds = {kind: calls * count for kind, count in tokens.items()}
    total = sum(kinds.values())
    cost = 0.0 if price is None else price.of(kinds)
    values = {"tokens": total, "cost": cost, "minutes": max(calls / rpm, total / tpm)}
    return {name: value for name, value in values.items() if value}
