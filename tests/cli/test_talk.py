"""What `perturb --help`, `list`, `show` and `diff` print."""

import json

import pytest

import perturb as package
from perturb.cli import COMMANDS


def test_help(perturb):
    """Every command is named, with what it does."""
    done = perturb("--help")
    assert (done.status, done.err) == (0, "")
    text = done.out.decode()
    assert text.startswith("usage: perturb [-h] [--version] COMMAND ...\n")
    for name, summary in COMMANDS.items():
        assert f"\n    {name}" in text
        assert summary in " ".join(text.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(perturb, command):
    """Each command has a help of its own."""
    done = perturb(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"usage: perturb {command} [-h]".encode())


def test_version(perturb):
    """The version is the package's."""
    assert perturb("--version").out.decode() == f"perturb {package.__version__}\n"


def test_list(perturb):
    """One line for each perturbator, under a head, in columns."""
    head, *lines = perturb("list").out.decode().splitlines()
    assert head.split() == ["NAME", "UNIT", "LABEL", "RISK", "WHAT", "IT", "DOES"]
    assert [line.split()[0] for line in lines] == package.names()
    for line in lines:
        said = package.describe(line.split()[0])
        assert line[head.index("UNIT") :].startswith(said["unit"])
        assert line[head.index("LABEL RISK") :].startswith(said["label_risk"])
        assert line[head.index("WHAT") :] == said["summary"]


def test_list_as_json(perturb):
    """`--json` gives all of it to programs."""
    said = json.loads(perturb("list", "--json").out)
    assert [one["name"] for one in said] == package.names()


def test_show(perturb):
    """Unit, risk, source, intensities, parameters, aliases and an example at three strengths."""
    text = perturb("show", "keyboard_typos").out.decode()
    said = package.describe("keyboard_typos")
    assert text.startswith(f"keyboard_typos (version {said['version']}): {said['summary']}\n\n")
    assert "\nunit        character\n" in text
    assert f"\nlabel risk  {said['label_risk']}\n" in text
    assert "\nintensity   very_low 0.04, low 0.1, medium 0.275, " in text
    assert "\nparameter   layout=us\n" in text
    assert "\nalias       random_keyboard_typos" in text
    assert said["doc"] in text
    before = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."
    assert f"\nbefore      {before}\n" in text
    assert f"\np = 0.2     {package.apply(before, 'keyboard_typos', p=0.2)}\n" in text


@pytest.mark.parametrize("name", package.names())
def test_show_each(perturb, name):
    """Every perturbator can be shown, to people and to programs."""
    assert perturb("show", name).status == 0
    assert json.loads(perturb("show", name, "--json").out) == json.loads(
        json.dumps(package.describe(name))
    )


def test_diff(perturb, tmp_path):
    """Each text with its id, what was removed and what was written; why one is unchanged."""
    rows = b'{"id": 1, "text": "abcd"}\n{"id": 2, "text": ""}\n{"id": 3, "text": "efgh"}\n'
    out = tmp_path / "out.jsonl"
    perturb("apply", "char_delete:count=1", "-o", out, stdin=rows)
    first, _, third = [json.loads(line)["perturbation"] for line in out.read_bytes().splitlines()]
    shown = []
    for record in (first, third):
        ((start, end, _),) = record["edits"]
        text = record["original"]
        shown.append(f"{text[:start]}[-{text[start:end]}-]{text[end:]}")
    text = f"1#0  changed\n{shown[0]}\n\n2#0  unchanged (no site)\n\n\n3#0  changed\n{shown[1]}\n\n"
    assert perturb("diff", out).out.decode() == text
    assert perturb("diff", "-", stdin=out.read_bytes()).out.decode() == text
    assert perturb("diff", out, "-n", 1).out.decode() == f"1#0  changed\n{shown[0]}\n\n"
    assert perturb("diff", out, "-n", 0).out == b""
    assert perturb("diff", out, "-n", -1).status == 2


def test_diff_of_insertions_and_replacements(perturb, jsonl):
    """An insertion shows what was written, a replacement both."""
    given = jsonl("in.jsonl", {"id": "a", "text": "yz"})
    done = perturb("apply", "yz_swap", "-p", 1, "-i", given)
    assert perturb("diff", "-", stdin=done.out).out == b"a#0  changed\n[-y-]{+z+}[-z-]{+y+}\n\n"


def test_diff_of_what_apply_did_not_write(perturb):
    """The line is named."""
    done = perturb("diff", "-", stdin=b'{"id": 1}')
    assert done.status == 1
    assert done.message.startswith("standard input:1: the row has no 'perturbation'")
