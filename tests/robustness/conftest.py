import orjson
import pytest
from linkage import row

from perturb.cli.parser import parsed


@pytest.fixture
def write(tmp_path):
    """Write rows as JSON Lines under a name; return the path."""

    def write(name, rows):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        return path

    return write


@pytest.fixture
def command(capsys):
    """Run a subcommand with its arguments; return what it printed."""

    def command(name, *arguments):
        run, options = parsed([name.replace("_", "-"), *map(str, arguments)])
        assert run(**options) == 0
        return capsys.readouterr().out

    return command


@pytest.fixture
def linked():
    """Make a perturbed row of an original."""

    def linked(original_id, name="typos", p=0.1, *, steps=None, original="clean text",
               edits=((4, 5, "m"),), condition=None, status="changed", expect="same", replicate=0,
               lean=False, **fields):  # fmt: skip
        made = row(
            original_id, steps or f"{name}@1:p={p}", original=original, edits=edits,
            condition=condition, status=status, expect=expect, replicate=replicate, lean=lean,
        )  # fmt: skip
        return {**made, **fields}

    return linked
