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
