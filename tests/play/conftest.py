"""A server of the page, on a port of its own."""

import contextlib
import threading

import pytest

from perturb.play.server import PlayServer, start_of


@contextlib.contextmanager
def serving(start=None):
    """Serve a page that begins with `start`."""
    with PlayServer(start=start) as play:
        thread = threading.Thread(target=play.serve_forever, daemon=True)
        thread.start()
        yield play
        play.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def server():
    with serving() as play:
        yield play


@pytest.fixture
def shared_server():
    """A page that begins with a text and a step of the command line."""
    with serving(start_of(["ocr:p=0.5"], None, "A line of text to be read.")) as play:
        yield play
