"""The rate of requests that a system bears, found from what it answers and refuses."""

from __future__ import annotations

import math
from collections import deque

_SLOWEST = 1 / 60
# Requests a second after the first refusal, if fewer were answered until then.
_FIRST = 4.0
# Seconds over which the answers are counted when the first request is refused.
_WINDOW = 10.0
# An epoch ends after so many seconds, and answers and refusals.
_SECONDS, _OUTCOMES = 1.0, 20
# The rates of the epochs in turn, as shares of the best; the first tries more.
_GAINS = (1.25, 0.8, 1.0, 1.0, 1.0)
# Where refusals are followed by a wait, they cost more.
_TOLD_GAINS = (1.1, 0.9, 0.95, 0.95, 0.95)
_START_GAIN = 2.0
# Refusals up to this share of the requests may have nothing to do with the rate.
_MOST_AT_RANDOM = 0.5


class Pace:
    """A rate of requests that follows what is delivered, not what is refused.

    Time is divided into epochs. The rate of each is the most answers a second that one of the last
    epochs brought, and in one of five epochs a quarter more. Where the system has a limit, more
    requests bring no more answers, and the rate stays near the limit. Where it refuses at random,
    they do, and the rate grows; it also makes up for the share of refusals that no epoch was
    without. As long as each epoch brings a quarter more than those before, or nothing was refused
    for five of them, the rate doubles. It is halved where more is refused than answered.

    Source: Cardwell et al. (2016), BBR: congestion-based congestion control; how such a rate is
    found from what is delivered, in cycles that try more in between.

    Attributes:
        rate: requests a second; infinite until the first refusal.

    Args:
        ceiling: the largest rate.
    """

    def __init__(self, ceiling: float = math.inf) -> None:
        self.rate = self._ceiling = ceiling
        self._answers: deque[float] = deque(maxlen=1000)
        self._began: float | None = None  # the epoch; there is none before the first refusal
        self._told = False
        self._delivered = self._refused = 0
        self._rates: deque[float] = deque(maxlen=len(_GAINS) + 1)
        self._shares: deque[float] = deque(maxlen=len(_GAINS))
        self._starting, self._place = True, 0

    def answered(self, at: float) -> None:
        """Learn that a request was answered at this second."""
        self._answers.append(at)
        self._delivered += 1
        self._end_epoch(at)

    def refused(self, at: float, after: float = 0.0) -> None:
        """Learn that a request was refused for coming too soon.

        Args:
            at: the second of the refusal.
            after: seconds from then on in which none is sent.
        """
        if self._began is None:
            recent = [one for one in self._answers if one > at - _WINDOW]
            seen = len(recent) / max(at - recent[0], 1.0) if recent else 0.0
            self._begin_epoch(at, max(seen, _FIRST))
        self._refused += 1
        self._told |= after > 0
        self._end_epoch(at)

    def _begin_epoch(self, at: float, rate: float) -> None:
        self.rate = min(max(rate, _SLOWEST), self._ceiling)
        self._began, self._delivered, self._refused = at, 0, 0

    def _end_epoch(self, at: float) -> None:
        """Begin the next epoch, if it is time."""
        outcomes = self._delivered + self._refused
        if self._began is None or outcomes < _OUTCOMES or at - self._began < _SECONDS:
            return
        delivered, before = self._delivered / (at - self._began), max(self._rates, default=0.0)
        self._rates.append(delivered)
        self._shares.append(self._delivered / outcomes)
        several = len(self._shares) == len(_GAINS)
        if self._refused > self._delivered:
            self._starting = not any(self._rates)
            self._begin_epoch(at, max(self.rate / 2, delivered))
            return
        calm = several and min(self._shares) == 1
        self._starting = calm or (self._starting and delivered >= 1.25 * before)
        gain = _START_GAIN
        if not self._starting:
            at_random = 1 - max(self._shares) if several else 0.0
            gain = (_TOLD_GAINS if self._told else _GAINS)[self._place] / (
                1 - min(at_random, _MOST_AT_RANDOM)
            )
            self._place = (self._place + 1) % len(_GAINS)
        self._begin_epoch(at, gain * max(self._rates))
