"""What the README and the guide show is what happens."""

import doctest
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import regex
import yaml

import perturb
from perturb.cli import main
from perturb.registry import registry

ROOT = Path(__file__).parents[1]
README, GUIDE = ((ROOT / path).read_text("utf-8") for path in ("README.md", "docs/guide.md"))


@pytest.fixture
def clean_registry(monkeypatch):
    """Names that the README registers are gone after it."""
    perturb.names()
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.mark.usefixtures("clean_registry")
@pytest.mark.parametrize("page", [README, GUIDE], ids=["README", "guide"])
def test_python_blocks(page) -> None:
    blocks = "\n".join(regex.findall(r"```python\n(.*?)```", page, regex.S))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "page", "page", 0)
    report: list[str] = []
    failed, tried = doctest.DocTestRunner().run(test, out=report.append)
    assert tried > 10
    assert not failed, "".join(report)


def test_the_first_command(tmp_path, monkeypatch) -> None:
    """What follows the installation in the README's first command."""
    command = regex.search(r"\.venv/bin/(perturb apply .*)", README)[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert main(shlex.split(command)[1:]) == 0
    assert len((tmp_path / "perturbed.jsonl").read_text("utf-8").splitlines()) == 100
    assert main(["verify", "perturbed.jsonl"]) == 0


def test_console_blocks(monkeypatch, capfdbinary) -> None:
    """Lines such as `$ echo ROW | perturb ...` print what is below them."""
    blocks = regex.findall(r"```console\n\$ echo '(.*)' \| perturb (.*)\n(.*)\n```", README)
    assert blocks
    for row, command, output in blocks:
        stdin = io.TextIOWrapper(io.BytesIO(row.encode() + b"\n"))
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(shlex.split(command)) == 0
        assert capfdbinary.readouterr().out.decode().strip() == output


def test_steps_in_yaml_are_those_of_the_command_before_them() -> None:
    command, steps = regex.search(
        r"```\n(perturb apply [^\n]*) < in[^\n]*\n```\n\n```yaml\n(.*?)```", GUIDE, regex.S
    ).groups()
    arguments = shlex.split(command)[2:]
    written = perturb.Pipeline.of(arguments[: arguments.index("-p")], p=0.1)
    assert perturb.Pipeline.of(yaml.safe_load(steps), p=0.1) == written


def test_the_way_to_a_verdict(tmp_path, monkeypatch, capfd) -> None:
    """Typos change what the solver says; case does not."""
    block = regex.search(r"```\n(perturb apply [^`]*perturb run [^`]*--command[^`]*)```", README)[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    python = shlex.quote(sys.executable)
    for line in block.replace("'python ", f"'{python} ").splitlines():
        assert main(shlex.split(line)[1:]) == 0
    rows = [line.split("|") for line in capfd.readouterr().out.splitlines()]
    assert "Breaks under <bdi>keyboard_typos</bdi>" in (tmp_path / "report.html").read_text("utf-8")
    verdicts = {row[0].strip(): row[-1].strip() for row in rows if len(row) == 4}
    assert verdicts["case p=0.4"] == "undecided"
    assert verdicts["keyboard_typos p=0.4"] == "worse"


def test_the_table_of_the_classifier(tmp_path, monkeypatch, capfd) -> None:
    """What its block of commands prints in the end, plots aside."""
    first, *commands = regex.search(
        r"```\n(python examples/classifier.py [^`]*) --plot plots\n```", GUIDE
    )[1].splitlines()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(perturb.__file__).parents[1]))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    _, *words, _, target = shlex.split(first)
    with (tmp_path / target).open("wb") as texts:
        subprocess.run([sys.executable, *words], stdout=texts, check=True)
    python = shlex.quote(sys.executable)
    for command in commands:
        assert main(shlex.split(command.replace("'python ", f"'{python} "))[1:]) == 0
    table = regex.search(r"```\n(Worse: [^`]*)```", GUIDE)[1]
    assert capfd.readouterr().out.startswith(table)


def test_the_deviations_of_severities_are_those_of_the_run() -> None:
    """If they are not: python benchmarks/severity.py --data FILE.jsonl."""
    found = json.loads((ROOT / "benchmarks/results/severity.json").read_text("utf-8"))
    said = (
        f"{found['median']:.1%} in the median, {found['one_in_ten']:.1%} in one of ten and "
        f"{found['most']:.0%} at most"
    )
    assert said in " ".join(GUIDE.split())
    assert f"{found['texts']:,} training questions" in " ".join(GUIDE.split())


def test_the_figures_of_speed_are_those_of_the_runs() -> None:
    """If they are not: python scripts/readme_speed.py."""
    namespace: dict[str, Any] = {"__file__": str(ROOT / "scripts" / "readme_speed.py")}
    exec((ROOT / "scripts" / "readme_speed.py").read_text("utf-8"), namespace)
    for file in namespace["FILES"]:
        assert namespace["with_speed"](file) == (ROOT / file).read_text("utf-8")
