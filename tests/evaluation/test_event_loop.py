"""What the event loop says, and what not."""

import asyncio
import gc
import signal

import pytest

from perturb.evaluation.ask import run_to_end


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interrupt_is_raised_and_not_told(caplog, error) -> None:
    """It may come in any task, also in one for which nobody waits."""

    async def ends() -> None:
        raise error

    async def work() -> None:
        task = asyncio.create_task(ends())
        await asyncio.sleep(0)
        del task
        gc.collect()

    gc.collect()  # what other tests left
    caplog.clear()
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            run_to_end(work())
    else:
        run_to_end(work())
    gc.collect()
    assert ("never retrieved" in caplog.text) == (error is ValueError)


def test_a_signal_cancels_what_runs_and_is_raised_at_the_end() -> None:
    """Not in the middle of the loop, where it would take the place of a step of some task."""
    ended = []

    async def work() -> None:
        signal.raise_signal(signal.SIGTERM)
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)  # what is closed may wait
            ended.append(True)

    def interrupt(number, frame) -> None:
        raise KeyboardInterrupt(number)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt, match=f"{signal.SIGTERM:d}"):
            run_to_end(work())
        assert signal.getsignal(signal.SIGTERM) is interrupt
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended == [True]
