"""What the event loop says, and what not."""

import asyncio
import gc

import pytest

from perturb.evaluation.event_loop import run_to_end


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
