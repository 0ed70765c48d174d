"""Layouts of what tools return and of the tools themselves: for their steps, and no others."""

import pytest
from lines import rows_in
from shape_rows import CHAT, SAME, SHAPES, written

import perturb
from perturb.cli import main
from perturb.errors import UsageError

STEPS = {"tool_result": "tool_result:kind=timeout", "tool_schema": "tool_schema:kind=name"}


@pytest.mark.parametrize("name", [name for name in SHAPES if SHAPES[name].step])
def test_a_step_on_tools_is_told_where_they_are(name, tmp_path, capfd) -> None:
    source, out = written(name, tmp_path), tmp_path / "out.jsonl"
    words = ["apply", STEPS[SHAPES[name].step], "-i", str(source), "-o", str(out)]
    assert main(words) == 1
    assert f"--shape {SAME.get(name, name)} names its fields" in capfd.readouterr().err
    assert main([*words, "--shape", name]) == 0
    (before, *_), (after, *_) = rows_in(source), rows_in(out)
    assert after["perturbation"]["status"] == "changed"
    for key in {"messages", "input"} & before.keys():
        assert after[key][:-1] == before[key][:-1]


@pytest.mark.parametrize("step", STEPS)
def test_no_shape_is_named_that_the_step_refuses(step, tmp_path, capfd) -> None:
    """Messages with neither a result nor a list of tools."""
    source = written("openai", tmp_path)
    assert main(["apply", step, "-p", "1", "-i", str(source)]) == 1
    assert "--field" in (said := capfd.readouterr().err)
    assert "--shape" not in said


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_step_on_tools_is_never_put_into_a_question(name, tmp_path, capfd) -> None:
    (tmp_path / "own.yaml").write_text("grid: [case, 'tool_result:kind=error']\n")
    for steps in (("tool_result", "-p", "1"), ("--config", str(tmp_path / "own.yaml"))):
        assert main(["apply", *steps, "--shape", name, "-i", "rows.jsonl"]) == 2
        assert f"in the texts of the shape {name!r}; take '{name}_tools'" in capfd.readouterr().err
    assert main(["apply", "tool_schema", "--shape", name, "-i", "rows.jsonl"]) == 2
    assert f"take '{name}_schemas'" in capfd.readouterr().err
    with pytest.raises(UsageError, match=f"take '{name}_tools'"):
        perturb.augment([{"messages": CHAT}], ["case", "tool_result"], p=1, shape=name)
