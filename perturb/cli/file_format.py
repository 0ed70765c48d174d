"""The option that tells the format of files whose names do not."""

from __future__ import annotations

import argparse

from perturb.io.formats import FORMATS


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare `--format`."""
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        help="of files whose names tell none, such as standard input (default: jsonl)",
    )
