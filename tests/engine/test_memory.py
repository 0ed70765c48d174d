"""The garbage collector is paused, and is afterwards as it was before."""

import gc
import os
import threading

import pytest

import perturb
from perturb.engine.memory import collector_paused

MANY = 10_000


@pytest.fixture(autouse=True)
def on():
    gc.enable()
    yield
    gc.enable()


def test_it_goes_on_afterwards() -> None:
    with collector_paused(MANY):
        assert not gc.isenabled()
        with collector_paused(MANY):
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_exception() -> None:
    with pytest.raises(KeyboardInterrupt), collector_paused(MANY):
        raise KeyboardInterrupt
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    with collector_paused(MANY):
        pass
    assert not gc.isenabled()


def test_few_objects_do_not_pause_it() -> None:
    with collector_paused(3):
        assert gc.isenabled()


def test_the_last_of_several_threads_restores_it() -> None:
    """The second begins while the first has paused it, and ends later."""
    begun, ended = threading.Event(), threading.Event()

    def second() -> None:
        with collector_paused(MANY):
            begun.set()
            assert ended.wait(30)

    thread = threading.Thread(target=second)
    with collector_paused(MANY):
        thread.start()
        assert begun.wait(30)
    assert not gc.isenabled()
    ended.set()
    thread.join()
    assert gc.isenabled()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_child_does_not_wait_for_a_thread_that_it_lacks() -> None:
    begun, ended = threading.Event(), threading.Event()

    def pausing() -> None:
        with collector_paused(MANY):
            begun.set()
            ended.wait(30)

    thread = threading.Thread(target=pausing)
    thread.start()
    assert begun.wait(30)
    child = os.fork()
    if not child:
        os._exit(0 if gc.isenabled() else 1)
    _, status = os.waitpid(child, 0)
    ended.set()
    thread.join()
    assert status == 0


@pytest.mark.parametrize("read", [lambda one: one.edits, lambda one: one.to_dict()])
def test_records_leave_it_as_it_was(read) -> None:
    records = perturb.apply(["How many eggs does the hen lay?"] * 200, "char_delete", p=0.3)
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        for record in records:
            read(record)
        assert gc.isenabled() == enabled
