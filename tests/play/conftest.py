"""A server of the page, on a port of its own."""

import threading

import pytest

from perturb.play.server import PlayServer


@pytest.fixture(scope="session")
def server():
    with PlayServer() as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()
