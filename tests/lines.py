"""Files of JSON lines, as tests read them; and that of the examples."""

import json
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples" / "questions.jsonl"


def rows_in(path):
    """Return the rows of a file."""
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]
