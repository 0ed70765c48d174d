"""A server that answers questions, the rows that ask them, and waits that take no time."""

import pytest
from endpoints import with_defaults
from lines import rows_in

from perturb.evaluation import ask, limits


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """Waits between tries are noted, not waited."""
    noted = []

    elapsed = [0.0]

    async def sleep(seconds):
        noted.append(seconds)

    async def pause(seconds):
        elapsed[0] += seconds

    monkeypatch.setattr(ask.asyncio, "sleep", sleep)
    monkeypatch.setattr(limits, "now", lambda: elapsed[0])
    monkeypatch.setattr(limits, "sleep", pause)
    return noted


@pytest.fixture
def run(perturb, server, tmp_path):
    """Ask the server the rows of a file."""

    def ask(rows, *arguments, output="answers.jsonl", model="m"):
        defaults = {"o": tmp_path / output, "endpoint": server.url, "model": model}
        return perturb("run", rows, *with_defaults(arguments, **defaults))

    return ask


@pytest.fixture
def answers(tmp_path):
    """Read the rows that were written."""

    def read(name="answers.jsonl"):
        return rows_in(tmp_path / name)

    return read
