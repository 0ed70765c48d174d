"""Write what `perturb list` and `show` say of each perturbator: `python scripts/described.py`."""

from perturb.io.jsonl import dumps
from perturb.registry.built_in import MODULE_OF
from perturb.registry.describe import description
from perturb.registry.described import TABLE
from perturb.registry.registry import lookup


def table() -> bytes:
    """Return the table, with a line for each perturbator, sorted by name."""
    definitions = {entry.name: entry for entry in map(lookup, MODULE_OF)}
    return b"".join(dumps(description(definitions[name])) for name in sorted(definitions))


if __name__ == "__main__":
    TABLE.write_bytes(table())
