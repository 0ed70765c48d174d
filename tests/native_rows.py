"""What rows are searched for by kernels, and one row written again."""

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.native import blocks
from perturb.engine.native.blocks import Part, Path, Record, Version, fields_of, write_block
from perturb.engine.text.strings import Strings, column


def fields_for(*paths, id="id"):
    """What rows are searched for, by paths of keys."""
    made = [
        Path(path.encode(), [Part("key", key.encode()) for key in path.split("/")], False)
        for path in (*paths, id)
    ]
    made[-1] = made[-1]._replace(leads_to=blocks.IDS, optional=0)
    return fields_of(made, b"perturbation")


PLAIN = fields_for("text")


ID = Path(b"id", [Part("key", b"id")], False, blocks.IDS, 0)
WHATEVER = Record(b"", b"", (b"",) * 5, (b"changed",), (b"same",), True)
LINE = b'{"id":1,"text":"ab"}'


def written(read, fields=PLAIN, **wrong):
    """Write a row whose text has become `xyz`, by an edit."""
    source, result = Strings.of_texts(["ab"]), Strings.of_texts(["xyz"])
    edits = Edits(np.array([1]), np.array([3]), column(["xyz"]))
    zero = np.zeros(1, np.uint8)
    places = np.zeros((2, len(read.found)), np.int32)
    version = Version(b'"', b"", b"", zero, zero, [(source, result, edits)], *places)
    return write_block(read, fields, WHATEVER, [version._replace(**wrong)])
