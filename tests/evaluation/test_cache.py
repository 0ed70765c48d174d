"""The cache of answers, which processes may share."""

import asyncio
import contextlib

from perturb.evaluation import cache
from perturb.evaluation.ask import Reply
from perturb.evaluation.questions import Question


def test_a_reply_that_vanishes_before_it_is_read_is_asked_for_again(tmp_path, monkeypatch) -> None:
    """As where another process empties the folder meanwhile."""
    asked = []

    @contextlib.asynccontextmanager
    async def system():
        async def ask(question):
            asked.append(question)
            return Reply("7")

        yield ask

    async def answers(times):
        async with cache.cached(system(), tmp_path, {}) as ask:
            return [(await ask(Question("q", "3 + 4"))).answer for _ in range(times)]

    assert asyncio.run(answers(2)) == ["7", "7"]
    assert len(asked) == 1
    read = cache.read_whole

    def vanished(path, *more):
        path.unlink()
        return read(path, *more)

    monkeypatch.setattr(cache, "read_whole", vanished)
    assert asyncio.run(answers(1)) == ["7"]
    assert len(asked) == 2
