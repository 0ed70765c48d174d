"""The option that tells the format of files whose names do not."""

from __future__ import annotations

import argparse


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare `--format`."""
    parser.add_argument(
        "--format",
        choices=("jsonl", "csv", "tsv", "parquet"),
        help="of files whose names tell none, such as standard input (default: jsonl)",
    )
