"""Files of JSON lines, as tests read them."""

import json
from pathlib import Path


def rows_in(path):
    """Return the rows of a file."""
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]
