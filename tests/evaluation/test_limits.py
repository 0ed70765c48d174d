"""One pace for all workers, on a clock that jumps to the next event."""

import asyncio
import math
import selectors

import pytest

from perturb.evaluation.ask import Reply, TransientError, ask_all, with_retries
from perturb.evaluation.limits import RateLimiter, paced
from perturb.evaluation.questions import Question


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
    """Takes so many requests in each second; refuses the rest, as asked, with Retry-After."""

    def __init__(self, allowed, window=1.0, after=0.0, tokens=None):
        self.allowed, self.window, self.after, self.tokens = allowed, window, after, tokens
        self.refused = 0
        self.taken = []

    async def __aenter__(self):
        return self.ask

    async def __aexit__(self, *error):
        return None

    async def ask(self, question):
        now = asyncio.get_running_loop().time()
        await asyncio.sleep(0.3)
        if sum(at > now - self.window for at in self.taken) >= self.allowed:
            self.refused += 1
            raise TransientError("busy", self.after, throttled=True)
        self.taken.append(now)
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
    assert seconds < 1.35 * 82
    assert service.refused < 656 / 5


def test_without_a_common_pace_most_requests_are_wasted():
    """The reference that the limiter is there to beat: each worker backs off for itself."""

    class Unpaced(RateLimiter):
        async def turn(self, tokens):
            return 0.0

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


def test_refusals_that_have_nothing_to_do_with_the_pace():
    """Every tenth request is refused, however slow they come: the rate stays above 2.5 a second."""

    class Moody(Service):
        count = 0

        async def ask(self, question):
            await asyncio.sleep(0.3)
            self.count += 1
            if self.count % 10 == 0:
                raise TransientError("busy", throttled=True)
            return Reply("ok")

    assert time_for(Moody(math.inf), 1000) < 1000 / 2.5


def test_requests_that_were_under_way_lower_the_rate_but_once():
    async def refused_together():
        limiter = RateLimiter(rpm=600)
        sent = [await limiter.turn(1) for _ in range(5)]
        for at in sent:
            limiter.throttled(at, 0.0)
        return limiter.rate

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(refused_together()) == pytest.approx(10 * 0.75)
