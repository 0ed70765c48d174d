"""`perturb play`: try perturbators on a page of this machine."""

from __future__ import annotations

import argparse

from perturb.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args: argparse.Namespace) -> int:
    """Serve the page until it is interrupted."""
    import webbrowser

    from perturb.play.server import PlayServer

    try:
        server = PlayServer(args.port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"can't serve on port {args.port}: {error}") from error
    with server:
        print(f"perturb play: {server.url} (Ctrl-C ends it)", flush=True)
        if not args.no_browser:
            webbrowser.open(server.url)
        server.serve_forever()
    return 0
