"""What `perturb --help`, `list`, `show` and `diff` print."""

import json
import re
import shlex
import shutil
from itertools import pairwise

import pytest

import perturb as package
from perturb.cli import parser
from perturb.cli.list import texts_changed
from perturb.cli.parser import COMMANDS, parsed
from perturb.rows.stored import record_of


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(perturb, command):
    """Each command has a help of its own."""
    done = perturb(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"usage: perturb {command} [-h]".encode())


@pytest.mark.parametrize("arguments", [(), ("help",), ("-h",), ("--help",)])
def test_the_map_of_commands(perturb, arguments):
    """Six commands with an example, and the others below them."""
    done = perturb(*arguments)
    assert (done.status, done.err) == (0, "")
    first, more = done.out.decode().split("\nMore:\n")
    for name, command in COMMANDS.items():
        line = rf"(?m)^{name} +{re.escape(command.summary)}$"
        example = rf"{line}\n +\$ perturb {name} "
        assert re.search(line, more) or re.search(example, first), name
    assert first.count("$ perturb") == 6


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_the_map_can_be_called(name):
    """Each is read without an error."""
    run, _ = parsed(shlex.split(COMMANDS[name].example)[1:])
    assert callable(run)


def test_help_of_a_command_by_name(perturb):
    """`perturb help show` is `perturb show --help`."""
    assert perturb("help", "show").out == perturb("show", "--help").out
    assert perturb("help", "shw").status == 2


def test_version(perturb):
    """The version is the package's."""
    assert perturb("--version").out.decode() == f"perturb {package.__version__}\n"


def test_list(perturb):
    """Every perturbator under a head, in columns; a long summary goes on in its own."""
    head, *lines = perturb("list").out.decode().splitlines()
    assert head.split() == "NAME UNIT TEXTS LABEL RISK EXPECT LANGUAGES DESCRIPTION".split()
    assert max(map(len, lines)) <= 100
    titles = ("NAME", "UNIT", "TEXTS", "LABEL", "EXPECT", "LANGUAGES", "DESCRIPTION")
    starts = [head.index(title) for title in titles]
    rows = []
    for line in lines:
        cells = [line[slice(*span)].strip() for span in pairwise([*starts, None])]
        if cells[0]:
            rows.append(cells)
        else:
            assert not line[: starts[-1]].strip()
            rows[-1][-1] += f" {cells[-1]}"
    known = [*map(package.describe, package.names())]
    facts = ("name", "unit", "label_risk", "expect", "summary")
    assert [[*cells[:2], *cells[3:5], cells[6]] for cells in rows] == [
        [said[f] for f in facts] for said in known
    ]
    assert [cells[2] for cells in rows] == [*map(texts_changed, known)]
    assert len(rows) >= 55


def test_list_as_json(perturb):
    """`--json` gives all of it to programs."""
    said = json.loads(perturb("list", "--json").out)
    assert [one["name"] for one in said] == package.names()


def test_list_filters(perturb):
    """By language, label risk and what stays, as `names` does."""
    done = perturb("list", "--language", "de", "--max-risk", "low", "--keeps", "digits", "--json")
    said = [one["name"] for one in json.loads(done.out)]
    assert said == package.names(language="de", max_risk="low", keeps="digits")
    both = perturb("list", "--keeps", "digits", "--keeps", "case", "--json")
    said = [one["name"] for one in json.loads(both.out)]
    assert said == package.names(keeps=["digits", "case"])
    other = [one["name"] for one in json.loads(perturb("list", "--expect", "other", "--json").out)]
    assert other == package.names(expect="other") == ["antonym", "negation"]
    german, korean = (perturb("list", "--language", code) for code in ("de", "ko"))
    lines = german.out.decode().splitlines()
    assert [line.split()[0] for line in lines if ":language=" in line] == [
        f"{step}:language=de" for step in ("contraction", "filler", "homophone")
    ]
    assert "replaces words" not in german.err
    assert "no step of these replaces words by others of the language ko" in korean.err


@pytest.mark.slow
def test_show(perturb):
    """Unit, risk, source, intensities, aliases, parameters and an example at three strengths."""
    text = perturb("show", "keyboard_typos").out.decode()
    said = package.describe("keyboard_typos")
    assert text.startswith(f"keyboard_typos: {said['summary']}\n\n")
    assert f"\nversion     {said['version']}\n" in text
    assert "\nunit        character\n" in text
    assert f"\nlabel risk  {said['label_risk']}\n" in text
    assert "\nexpect      same\n" in text
    swap = perturb("show", "entity_swap").out.decode()
    assert "\nexpect      mapped; unknown if a row has one text and no target\n" in swap
    counts = ", ".join(f"{kind} {100 * share:.0f}" for kind, share in said["risk"].items())
    assert (
        f"\nlost        at medium strength, per 100 texts: {counts}\n"
        in perturb("show", "keyboard_typos", "--more").out.decode()
    )
    assert not re.search("^(lost|scale|spread) ", text, re.MULTILINE)
    code = said["reach"]["code"]
    shown = f"p = 1 changes: code {code['texts']:.0%} ({code['words']:.0%}), court"
    assert f"\nreach       of English texts of each class (of their words) {shown}" in text
    listed = perturb("list", "keyboard_typos").err
    assert "TEXTS is the share of English texts of each class that p = 1 changes" in listed
    assert "\nintensity   very_low 0.04, low 0.1, medium 0.275, " in text
    assert "\nalias       random_keyboard_typos (digits=True)\n" in text
    assert "\nShifted keys have shifted neighbours, so case is kept. " in text
    assert "\nlayout=auto the keyboard: us, gb, " in text
    assert "Args:" not in text
    assert f"\nbefore      {said['example']}\n" in text
    for p in (0.1, 0.275, 0.525):
        (shown,) = re.findall(rf"^p = {p:<7} (.*)$", text, re.MULTILINE)
        for taken, written in re.findall(r"\[-(.*?)-\]\{\+(.*?)\+\}", shown):
            assert len(taken) == len(written)
        assert re.sub(r"\[-(.*?)-\]\{\+.*?\+\}", r"\1", shown) == said["example"]


def test_show_what_does_not_show(perturb):
    """Invisible characters are escaped; a text that is all or nothing is shown with seeds."""
    assert "{+\\u20" in perturb("show", "zero_width").out.decode()
    seeds = re.findall(r"^seed = ", perturb("show", "option_shuffle").out.decode(), re.MULTILINE)
    assert len(seeds) == 3


@pytest.mark.parametrize("name", package.names())
@pytest.mark.slow
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
    first, _, third = [record_of(json.loads(line)) for line in out.read_bytes().splitlines()]
    shown = []
    for record in (first, third):
        ((start, end, *_),) = record.edits
        text = record.original
        shown.append(f"{text[:start]}[-{text[start:end]}-]{text[end:]}")
    names = [f"{n}#char_delete:count=1  " for n in (1, 2, 3)]
    said = [f"changed\n{shown[0]}\n\n", "no site\n\n\n", f"changed\n{shown[1]}\n\n"]
    text = "".join(name + one for name, one in zip(names, said, strict=True))
    assert perturb("diff", out).out.decode() == text
    assert perturb("diff", "-", stdin=out.read_bytes()).out.decode() == text
    assert perturb("diff", out, "-n", 1).out.decode() == names[0] + said[0]
    assert perturb("diff", out, "-n", 0).out == b""
    assert perturb("diff", out, "-n", -1).status == 2


def test_diff_of_insertions_and_replacements(perturb, jsonl):
    """An insertion shows what was written, a replacement both."""
    given = jsonl("in.jsonl", {"id": "a", "text": "yz"})
    done = perturb("apply", "yz_swap", "-p", 1, "-i", given)
    assert (
        perturb("diff", "-", stdin=done.out).out
        == b"a#yz_swap:p=1.0  changed\n[-y-]{+z+}[-z-]{+y+}\n\n"
    )


def test_diff_of_what_apply_did_not_write(perturb):
    """The line is named."""
    done = perturb("diff", "-", stdin=b'{"id": 1}')
    assert done.status == 1
    assert done.message.startswith("standard input:1: the row has no 'perturbation'")


@pytest.mark.parametrize("told", [None, "", "x", "-3", "0", "50", "200"])
def test_help_is_as_wide_as_the_terminal(monkeypatch, told):
    """As `shutil` tells its width, which is not imported for it."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if told is not None:
        monkeypatch.setenv("COLUMNS", told)
    assert parser._columns() == shutil.get_terminal_size().columns
