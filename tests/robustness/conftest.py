import argparse
import importlib

import orjson
import pytest


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
        module = importlib.import_module(f"perturb.cli.{name}")
        parser = argparse.ArgumentParser()
        module.add_arguments(parser)
        assert module.run(parser.parse_args([str(argument) for argument in arguments])) == 0
        return capsys.readouterr().out

    return command


@pytest.fixture
def linked():
    """Make a perturbed row of an original."""

    def linked(original_id, name="typos", p=0.1, replicate=0, status="changed", **fields):
        steps = [{"name": name, "version": 1, "p": p, "params": {}, "units": 9, "edits": 1}]
        record = {
            "original_id": original_id,
            "original": "clean text",
            "field": "text",
            "replicate": replicate,
            "seed": 0,
            "steps": steps,
            "status": status,
        }
        return {
            "id": f"{original_id}-{name}-{p}-{replicate}",
            "text": "cleam text",
            **fields,
            "perturbation": record,
        }

    return linked
