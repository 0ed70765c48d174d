"""One pace for all workers, on a clock that jumps to the next event."""

import asyncio
import math
import selectors

import pytest

from perturb.evaluation.ask import Reply, TransientError, ask_all, with_retries
from perturb.evaluation.limits import RateLimiter, paced
from perturb.evaluation.questions import Question
from perturb.rng import key64


class _Selector(selectors.DefaultSelector):
    """Passes the time that it would have waited."""

    def __init__(self):
        super().__init__()
        self.passed = 0.0

    def select(self, timeout=None):
        self.passed += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._jumping = _Selector()
        super().__init__(self._jumping)

    def time(self):
        return self._jumping.passed


class Service:
    """Takes so many requests in each second, or window of more; refuses the rest.

    Args:
        allowed: in a window.
        window: seconds; it slides, and a fixed one begins at the full multiple of its length.
        fixed: whether the window is.
        after: seconds that a refusal asks for; None for the time until the fixed window ends.
        moody: of so many requests one more is refused for no reason, drawn by its number.
        tokens: of each answer.
    """

    def __init__(self, allowed, window=1.0, after=0.0, tokens=None, fixed=False, moody=0.0):
        self.allowed, self.window, self.after, self.tokens = allowed, window, after, tokens
        self.fixed, self.moody = fixed, moody
        self.asked = self.refused = 0
        self.taken = []

    async def __aenter__(self):
        return self.ask

    async def __aexit__(self, *error):
        return None

    async def ask(self, question):
        now = asyncio.get_running_loop().time()
        self.asked += 1
        first = now // self.window * self.window if self.fixed else now - self.window
        full = len(self.taken) >= self.allowed and self.taken[-self.allowed] > first
        if full or key64("moody", self.asked) / 2**64 < self.moody:
            self.refused += 1
            after = first + self.window - now if self.after is None else self.after
            await asyncio.sleep(0.1)
            raise TransientError("busy", after, throttled=True)
        self.taken.append(now)
        await asyncio.sleep(0.3)
        return Reply("ok", self.tokens)


def time_for(service, count, limiter=None, concurrency=64, may_fail=0):
    """Ask so many questions; return the seconds that it takes."""
    failed = []

    async def run():
        async with paced(service, limiter or RateLimiter()) as ask:
            questions = (Question(f"q{n}", "text") for n in range(count))
            again = with_retries(ask, 8)
            await ask_all(
                again, questions, concurrency, lambda *_: None, lambda *a: failed.append(a)
            )
        return asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        seconds = runner.run(run())
    assert len(failed) <= may_fail
    return seconds


def test_where_nothing_is_refused_nobody_waits():
    assert time_for(Service(math.inf), 640) == pytest.approx(10 * 0.3)


@pytest.mark.parametrize("after", [0.0, 1.0])
def test_a_limit_is_found_and_kept(after):
    """8 a second, 64 workers: in all 656 requests in 82 s at best; at most a fifth may be wasted."""
    service = Service(8, after=after)
    seconds = time_for(service, 656)
    assert seconds < 1.4 * 82
    assert service.refused < 656 / 5


@pytest.mark.slow
def test_without_a_common_pace_most_requests_are_wasted():
    """The reference that the limiter is there to beat: each worker backs off for itself."""

    class Unpaced(RateLimiter):
        async def turn(self, tokens):
            return None

    service = Service(8)
    time_for(service, 656, Unpaced(), may_fail=9)
    assert service.refused > 656


def test_a_ceiling_of_requests():
    service = Service(math.inf)
    assert time_for(service, 100, RateLimiter(rpm=120)) == pytest.approx(99 * 0.5 + 0.3)
    gaps = [b - a for a, b in zip(service.taken, service.taken[1:], strict=False)]
    assert min(gaps) > 0.499


def test_a_ceiling_of_tokens_learns_what_answers_take():
    """600 tokens a minute, 20 a question: 30 questions a minute, whatever was guessed first."""
    service = Service(math.inf, tokens={"prompt": 8, "completion": 12})
    seconds = time_for(service, 60, RateLimiter(tpm=600), concurrency=4)
    assert seconds == pytest.approx(120, rel=0.1)


def test_all_wait_where_one_was_told_to():
    service = Service(4, window=10.0, after=20.0)
    time_for(service, 8, concurrency=4)
    pause = [b - a for a, b in zip(service.taken, service.taken[1:], strict=False)]
    assert max(pause) >= 20.0


@pytest.mark.slow
@pytest.mark.parametrize("moody", [0.001, 0.01, 0.1])
def test_random_refusals_do_not_lower_the_rate(moody):
    """3,000 questions, 64 workers, .3 s each: 14 s, and some are refused."""
    service = Service(math.inf, moody=moody)
    assert time_for(service, 3000) < 2.5 * 3000 * 0.3 / 64 / (1 - moody)


def test_a_fixed_window_that_says_when_it_ends():
    """60 in 10 seconds: a burst, and none until the window ends."""
    service = Service(60, window=10.0, after=None, fixed=True)
    assert time_for(service, 600) < 1.1 * 100
    assert service.refused < 60


@pytest.mark.slow
def test_a_limit_that_rises_is_followed():
    """5 a second for 60 s, then 50."""

    class Rising(Service):
        async def ask(self, question):
            self.allowed = 5 if asyncio.get_running_loop().time() < 60 else 50
            return await super().ask(question)

    assert time_for(Rising(5), 3300) < 60 + 1.6 * 60


def test_a_rate_that_was_refused_grows_up_to_the_ceiling():
    """10 a second are allowed, and the first request is refused, with a wait to keep."""

    class OnceRefused(Service):
        async def ask(self, question):
            if not self.refused:
                self.refused = 1
                raise TransientError("busy", 0.1, throttled=True)
            return await super().ask(question)

    service = OnceRefused(math.inf)
    time_for(service, 600, RateLimiter(rpm=600))
    gaps = [b - a for a, b in zip(service.taken, service.taken[1:], strict=False)]
    assert max(gaps[:20]) > 0.11
    assert min(gaps) == pytest.approx(0.1) == max(gaps[-20:])
