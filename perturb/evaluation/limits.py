"""One pace for all workers: additive increase, multiplicative decrease, and fixed ceilings."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque
from collections.abc import AsyncIterator

from perturb.evaluation.ask import Ask, Reply, System, TransientError
from perturb.evaluation.cost import prompt_tokens
from perturb.evaluation.questions import Question

_DECREASE = 0.75
# Each second the rate grows by this share of what it was after a decrease.
_INCREASE = 0.05
_SLOWEST = 1 / 60
# Seconds over which the pace of answers is measured when the first request is refused.
_WINDOW = 10.0


class RateLimiter:
    """Give requests their turns.

    A request that is refused for coming too often lowers the rate of all; answers raise it again.
    Refusals of requests that were sent before the last decrease say nothing new and leave it.

    Args:
        rpm: requests a minute at most; None for no ceiling.
        tpm: tokens a minute at most, those of the completions as they turned out so far.
    """

    def __init__(self, rpm: float | None = None, tpm: float | None = None) -> None:
        self._ceiling = math.inf if rpm is None else rpm / 60
        self._rate, self._step = self._ceiling, 0.0
        self._tokens_a_second = math.inf if tpm is None else tpm / 60
        self._next = self._next_tokens = self._resume = self._decreased = -math.inf
        self._answers: deque[float] = deque(maxlen=1000)
        self._completions = self._completed = 0
        self._turn = asyncio.Lock()

    @property
    def rate(self) -> float:
        """Requests a second that are let through now."""
        return self._rate

    async def turn(self, tokens: float) -> float:
        """Wait for a turn and return when it came.

        Args:
            tokens: an estimate of those that the request takes.
        """
        async with self._turn:
            # Looked at again after each wait: meanwhile others may have been refused.
            while (wait := max(self._next, self._next_tokens, self._resume) - now()) > 0:
                await sleep(wait)
            sent = now()
            self._next = sent + 1 / self._rate
            self._next_tokens = max(sent, self._next_tokens) + tokens / self._tokens_a_second
        return sent

    def answered(self, reply: Reply, estimate: float) -> None:
        """Learn from an answer: the rate may rise, and the tokens are known."""
        self._answers.append(now())
        if self._rate < self._ceiling:
            self._rate = min(self._rate + self._step / self._rate, self._ceiling)
        if reply.tokens is not None:
            completion = reply.tokens.get("completion", 0)
            self._completions += 1
            self._completed += completion
            excess = reply.tokens.get("prompt", 0) + completion - estimate
            self._next_tokens += excess / self._tokens_a_second

    def throttled(self, sent: float, after: float) -> None:
        """Learn that a request came too often: none is sent before `after` seconds have passed."""
        self._resume = max(self._resume, now() + after)
        if sent <= self._decreased:
            return
        self._decreased = now()
        rate = min(self._rate, self._observed()) if math.isinf(self._rate) else self._rate
        self._rate = max(rate * _DECREASE, _SLOWEST)
        # By the largest rate that was lowered, so that refusals which have nothing to do with the
        # pace don't keep it low.
        self._step = max(self._step, self._rate * _INCREASE)

    def _observed(self) -> float:
        """Return the answers a second of late; at least one."""
        recent = [at for at in self._answers if at > now() - _WINDOW]
        return len(recent) / max(now() - recent[0], 1.0) if recent else 1.0

    def estimate(self, question: Question) -> float:
        """Return about how many tokens a question and its answer take."""
        completion = self._completed / self._completions if self._completions else 0.0
        return prompt_tokens(question.content) + completion


def now() -> float:
    """Return the seconds on the clock of the event loop."""
    return asyncio.get_running_loop().time()


async def sleep(seconds: float) -> None:
    """Wait so many seconds."""
    await asyncio.sleep(seconds)


@contextlib.asynccontextmanager
async def paced(system: System, limiter: RateLimiter) -> AsyncIterator[Ask]:
    """Open a system whose questions all wait for their turn."""
    async with system as ask:

        async def asked(question: Question) -> Reply:
            estimate = limiter.estimate(question)
            sent = await limiter.turn(estimate)
            try:
                reply = await ask(question)
            except TransientError as error:
                if error.throttled:
                    limiter.throttled(sent, error.after)
                raise
            limiter.answered(reply, estimate)
            return reply

        yield asked
