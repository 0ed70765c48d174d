"""What a terminal shows: colours, and no code that others wrote or that we escaped ourselves."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import threading
from contextlib import contextmanager
from io import TextIOWrapper

import pages_shown
import pytest

from perturb import augment, grid
from perturb.cli import main, verdict_output
from perturb.io.jsonl import dumps
from perturb.pipeline.grammar import quoted_label
from perturb.robustness.measures import judgement

# The name of a condition, with a code that clears the screen and what looks like a verdict.
HOSTILE = "a | robust \x1b[2J"
COMMANDS = {
    "score": ("score", "a.jsonl", "--score", "score"),
    "wide": ("score", "a.jsonl", "--score", "score", "--wide"),
    "compare": ("compare", "a.jsonl", "b.jsonl", "--score", "score"),
    "several": ("compare", "a.jsonl", "b.jsonl", "c.jsonl", "--score", "score"),
    "tolerance": ("tolerance", "a.jsonl", "--score", "score", "--lose", "0.1"),
    "power": ("power", "--accuracy", "0.8", "--drop", "0.05"),
    "flips": ("flips", "a.jsonl", "--score", "score"),
    "list": ("list",),
    "show": ("show", "ocr"),
    "help": ("score", "--help"),
}
MARKING_EDITS = {"flips", "show"}
COLOURED = {"score", "wide", "compare", "several", "tolerance", "power", *MARKING_EDITS}
HOLDING_IT = {"score", "wide", "compare", "several", "tolerance", "flips"}
_LITERAL = re.compile(r"\\x1b|\\u001b|\\033")
_CODE = re.compile("\x1b\\[[0-9;]*m")


@contextmanager
def terminal(columns):
    """Make standard output and standard error one terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    shown = bytearray()

    def read():
        try:
            while data := os.read(ours, 1 << 16):
                shown.extend(data)
        except OSError:  # as Linux says that the other side is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    stream = TextIOWrapper(os.fdopen(theirs, "wb", 0), "utf-8", write_through=True)
    before, columns_before = (sys.stdout, sys.stderr), os.environ.get("COLUMNS")
    sys.stdout = sys.stderr = stream
    os.environ["COLUMNS"] = f"{columns}"
    try:
        yield shown
    finally:
        sys.stdout, sys.stderr = before
        del os.environ["COLUMNS"]
        if columns_before is not None:
            os.environ["COLUMNS"] = columns_before
        stream.close()
        reader.join()
        os.close(ours)


def shown_by(words, columns):
    with terminal(columns) as shown:
        try:
            status = main([*words])
        except SystemExit as stopped:
            status = stopped.code
    assert status == 0
    return shown.decode("utf-8")


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """A folder with scored rows of three systems, of which the first loses most."""
    folder = tmp_path_factory.mktemp("answered")
    conditions = [f"{quoted_label(HOSTILE)}=ocr:p=0.1", "char_swap:p=0.2", "char_swap:p=0.5"]
    rows = [{"id": f"{n}", "text": "ten red hens"} for n in range(40)]
    made = [*augment(rows, grid(conditions), with_original=True)]
    for place, name in enumerate("abc"):
        for number, row in enumerate(made):
            row["score"] = int(
                row["perturbation"]["status"] == "original" or number % 7 > 2 - place
            )
        (folder / f"{name}.jsonl").write_bytes(b"".join(map(dumps, made)))
    return folder


@pytest.fixture
def runs(answered, monkeypatch):
    """The same, in the current folder."""
    monkeypatch.chdir(answered)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", COMMANDS)
def test_verdicts_are_coloured_and_nothing_else(runs, monkeypatch, name, columns) -> None:
    """The code in the name of a condition is escaped; without colours the text is the same."""
    shown = shown_by(COMMANDS[name], columns)
    words = _CODE.sub("", shown)
    assert (words != shown) == (name in COLOURED)
    assert "\x1b" not in words
    escaped = HOSTILE.replace("\x1b", "\\x1b")
    assert not _LITERAL.search(words.replace(escaped, ""))
    assert (escaped in words) == (name in HOLDING_IT)
    assert "a | \x1b" not in shown  # a name is no verdict
    monkeypatch.setenv("NO_COLOR", "1")
    if name not in MARKING_EDITS:  # by brackets there
        assert shown_by(COMMANDS[name], columns) == words


def test_other_forms_have_no_colours(runs) -> None:
    shown = shown_by((*COMMANDS["score"], "--format", "md"), 80)
    assert "\x1b" not in shown
    assert "| undecided |" in shown or "| worse |" in shown


# Commands that only print; others may ask or write, and are called once.
PRINTING = {"score", "compare", "tolerance", "power", "flips", "dispersion", "list", "show", "diff"}


class OnTerminal(pages_shown.Reader):
    """Does what a page shows, on a terminal; what it prints is not compared with the page."""

    def __init__(self, *args) -> None:
        super().__init__(*args)
        self.mended = {}

    def _perturb(self, words):
        if {"<", ">"} & {*words} or words[0] == "play":
            return super()._perturb(words)
        for columns in (80, 40)[: 2 if words[0] in PRINTING else 1]:
            shown = shown_by(words, columns)
            assert not _LITERAL.search(shown), f"perturb {' '.join(words)} shows codes:\n{shown}"
        return _CODE.sub("", shown)


def calls(page):
    """The lines of a page that call a command."""
    texts = [one.text for one in pages_shown.blocks(page) if one.kind in ("sh", "console")]
    return re.findall(r"^(?:\$ )?perturb .*", "".join(texts), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("only_in_full")
@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # nlpaug, when first compiled
@pytest.mark.parametrize("page", [*filter(calls, pages_shown.PAGES)], ids=pages_shown.name_of)
def test_no_documented_command_shows_codes(tmp_path, forget, page, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(pages_shown, "Reader", OnTerminal)
    with pages_shown.reading(tmp_path) as reader:
        reader.read(page)


def test_a_terminal_shows_the_edits_of_a_text() -> None:
    words = ["apply", "keyboard_typos", "-p", "0.3", "--text", "ten red hens"]
    shown = shown_by(words, 80)
    assert "\x1b[31" in shown
    assert '"text"' not in shown
    assert '"text"' in shown_by([*words, "--format", "jsonl"], 80)
    both = shown_by(["apply", "--grid", "ocr", *words[1:]], 80)
    assert re.findall(r"(?m)^\w+:p=[.\d]+", both) == ["ocr:p=0.3", "keyboard_typos:p=0.3"]


def test_every_verdict_has_a_colour():
    words = {word for name, word in vars(judgement).items() if name.isupper() and type(word) is str}
    assert {"invents", "abstains", "worse"} <= words
    assert words <= verdict_output._COLOURS.keys()
