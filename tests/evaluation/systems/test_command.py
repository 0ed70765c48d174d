"""A command that ends is said to have ended, to each question that has no answer."""

import asyncio
import sys

import pytest

from perturb.errors import DataError
from perturb.evaluation.questions import Question
from perturb.evaluation.systems.command import command


def test_each_question_is_told_that_the_command_ended() -> None:
    """Also those that come after its end, by their own keys."""

    async def ask_twice() -> None:
        async with command(f"{sys.executable} -c pass", timeout=60) as ask:
            for key in ("a", "b"):
                with pytest.raises(DataError, match=f"status 0 before it answered '{key}'"):
                    await ask(Question(key, {"text": "?"}))

    asyncio.run(ask_twice())


def test_an_answer_without_end_ends_the_command(monkeypatch) -> None:
    """What follows such a line would answer nobody knows what."""
    monkeypatch.setattr("perturb.evaluation.systems.command.LARGEST_ANSWER", 1000)
    long = "import sys; sys.stdin.readline(); print('x' * 100_000, flush=True); input()"

    async def ask_twice() -> None:
        async with command(f'{sys.executable} -c "{long}"', timeout=60) as ask:
            for key in ("a", "b"):
                with pytest.raises(DataError, match="the command's answer has more than"):
                    await ask(Question(key, {"text": "?"}))

    asyncio.run(ask_twice())
