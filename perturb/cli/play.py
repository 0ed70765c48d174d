"""`perturb play`: try perturbators on a local web page."""

from __future__ import annotations

import contextlib
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from perturb.boundary import display, opened, trusting
from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.play.server import PageServer

MANUAL = """
steps STEP*  the steps that the page starts with
--recipe TEXT  steps, seed and rules from the recipe of a record
--text TEXT  the text to perturb, in place of an example
--port PORT [0]  the port to serve on (default: any free one)
--trust* NAME []  a file (its path), function (module:function) or lexicon that steps on the page
    may use; perturb opens and runs no others; may be repeated
--no-browser  only print the address
"""


def run(
    *,
    steps: list[str],
    recipe: str | None,
    text: str | None,
    port: int,
    trust: list[str],
    no_browser: bool,
) -> int:
    """Serve the page until Ctrl-C."""
    from perturb.play.server import PlayServer, start_of

    with trusting(trust):
        start = start_of(steps, recipe, text)
    return serve("play", partial(PlayServer, port, trust, start), port, browser=not no_browser)


def serve(name: str, make: Callable[[], PageServer], port: int, *, browser: bool) -> int:
    """Serve the page of a command until Ctrl-C, and perhaps open it in a browser.

    Raises:
        UsageError: the port can't be served on.
    """
    try:
        server = make()
    except (OSError, OverflowError) as error:
        raise UsageError(f"can't serve on port {port}: {error}") from error
    with server, _redirect(server.url) as address:
        display(f"perturb {name}: {server.url} (Ctrl-C ends it)", flush=True)
        if browser:
            webbrowser.open(address)
        server.serve_forever()
    return 0


@contextlib.contextmanager
def _redirect(url: str) -> Iterator[str]:
    """Write a file that redirects to an address, in a folder that only this user can read.

    All users of a machine see the command line of a browser, so it must not have the token in it.
    """
    with TemporaryDirectory(prefix="perturb-") as folder:
        page = Path(folder, "play.html")
        with opened(page, "wb") as file:
            file.write(f'<meta http-equiv="refresh" content="0; url={url}">\n'.encode())
        yield page.as_uri()
