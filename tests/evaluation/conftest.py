"""What the tests of asking share."""

import pytest

from perturb.evaluation import ask


@pytest.fixture
def waits(monkeypatch):
    """Waits between tries are noted, not waited."""
    noted = []

    async def sleep(seconds):
        noted.append(seconds)

    monkeypatch.setattr(ask.asyncio, "sleep", sleep)
    return noted
