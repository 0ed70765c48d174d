"""The examples of the documentation, run as a reader would: files, Python, commands, in order.

A paragraph that ends in a file's name and a colon names the block below it, which becomes that
file. A comment before a block says which modules its readers have (`<!-- needs: torch -->`), or why
it can't be run (`<!-- not run: it asks a model -->`). A block also needs the extras and packages
that its page told to install before it. It is left out where something that it needs is missing.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import distributions, requires
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import endpoints

from perturb.cli import main
from perturb.cli.parser import parser_of

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if not {"perturbators", "commands", "python", "tables"} & {*path.parts[-2:-1]}
)
ENDPOINT = "http://localhost:8000/v1"
_BLOCK = re.compile(
    r"^(?P<before>[^\n]*)\n(?:\n*<!-- (?P<said>[^>]*) -->)?\n*```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_FILE = re.compile(r"`([\w-]+\.\w+)`[^`]*:$")
_SHELL = {"|", "||", "&&", ";", "&"}


class Block(NamedTuple):
    """A block of code: its language, its text, the file that it is, and what it needs.

    That is modules, and extras in brackets.
    """

    kind: str
    text: str
    file: str | None
    needs: tuple[str, ...]
    is_run: bool


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page."""
    whole = page.read_text("utf-8")
    for found in _BLOCK.finditer(whole):
        word, _, said = (found["said"] or "").partition(": ")
        named = _FILE.search(found["before"])
        yield Block(
            found["kind"],
            found["text"],
            named[1] if named else None,
            (
                *installed(whole[: found.start("kind")]),
                *(said.split(", ") if word == "needs" else ()),
            ),
            word != "not run",
        )


def installed(text: str) -> set[str]:
    """Return what a text tells to install: extras in brackets, and packages by their names."""
    found: set[str] = set()
    for words in re.findall(r"pip install ([^`\n&#]+)", text):
        for word in shlex.split(words):
            package, _, extras = word.rstrip("]").partition("[")
            ours = package in (".", "./perturb", "perturb-text")
            found |= {f"[{one}]" for one in extras.split(",") if one} if ours else {package}
    return found - {"[dev]", "[docs]"}  # for work on perturb itself


def is_there(needed: str) -> bool:
    """Return whether a module, a package, or all that an extra in brackets has is installed."""
    if not needed.startswith("["):
        return find_spec(needed) is not None or any(distributions(name=needed))
    found = [re.match(r"([\w.-]+).*extra == '(.*)'", one) for one in requires("perturb-text") or ()]
    names = [one[1] for one in found if one and f"[{one[2]}]" == needed]
    assert names, f"there is no extra {needed}"
    return all(any(distributions(name=name)) for name in names)


def name_of(page: Path) -> str:
    """Return a name for a page that can be that of a module."""
    return re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))


def sources(page: Path) -> dict[str, str]:
    """Return the Python of a page: its modules by file name, the page itself under its own."""
    found: dict[str, str] = {}
    for block in blocks(page):
        if block.kind == "python":
            examples = doctest.DocTestParser().get_examples(block.text)
            text = "".join(one.source for one in examples) if examples else block.text
            name = f"{name_of(page)}.py"
            if block.file:
                name = f"{name_of(page)}_{block.file}"
            found[name] = found.get(name, "") + text
    return found


class Reader:
    """Does what a page shows, in a folder of its own.

    Args:
        folder: where the files are.
        endpoint: the URL of an endpoint that answers in place of the one that pages name.

    Attributes:
        mended: blocks that show another output than they give, each with what it should be; None to
            fail at the first.
    """

    mended: dict[str, str] | None = None

    def __init__(self, folder: Path, endpoint: str) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._names: dict[str, Any] = {"__name__": "__main__"}
        (folder / "examples").symlink_to(ROOT / "examples")

    def read(self, page: Path, install: Callable[[Block], None] | None = None) -> set[str]:
        """Do all that a page shows, and return the kinds of blocks that were run.

        What `install` may do for a block comes first.
        """
        done = set()
        for block in blocks(page):
            if install:
                install(block)
            if all(map(is_there, block.needs)):
                self._do(block)
                done.add(block.kind)
        return done

    def _do(self, block: Block) -> None:
        if block.file:
            (self._folder / block.file).write_text(block.text, "utf-8")
        elif block.kind == "python" and block.is_run:
            self._python(block.text)
        elif block.kind == "sh":
            for line in block.text.splitlines():
                if block.is_run:
                    self.run(line)
                elif line.startswith("perturb "):
                    check_options(shlex.split(line)[1:])
        elif block.kind == "console":
            self._console(block.text)

    def _console(self, text: str) -> None:
        before, *calls = re.split(r"^(?=\$ )", text, flags=re.MULTILINE)
        made = [before]
        for shown in calls:
            line, _, output = shown.removeprefix("$ ").partition("\n")
            printed = self.run(line)
            same = printed.rstrip() == output.rstrip()
            assert same or self.mended is not None, f"{line} prints:\n{printed}"
            ending = output[len(output.rstrip()) :] or "\n"
            made.append(shown if same else f"$ {line}\n{printed.rstrip()}{ending}")
        self._mend(text, "".join(made))

    def _mend(self, text: str, made: str) -> None:
        if self.mended is not None and made != text:
            self.mended[text] = made

    def _python(self, text: str) -> None:
        if ">>>" not in text:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "page", "exec"), self._names)
            return
        test = doctest.DocTestParser().get_doctest(text, {}, "page", "page", 0)
        test.globs = self._names
        report: list[str] = []
        runner = doctest.DocTestRunner() if self.mended is None else _Wrong()
        failed = runner.run(test, out=report.append, clear_globs=False).failed
        if isinstance(runner, _Wrong):
            self._mend(text, runner.right(text))
        else:
            assert not failed, "".join(report)

    def run(self, line: str) -> str:
        """Run a command line and return what it prints; a lone `perturb` runs in this process."""
        line = line.replace(ENDPOINT, self._endpoint)
        words = list(shlex.shlex(line, posix=True, punctuation_chars="|&;<>"))
        if not line.startswith("perturb ") or _SHELL & {*words}:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            return done.stdout
        return self._perturb(shlex.split(line, comments=True)[1:])

    def _perturb(self, words: list[str]) -> str:
        source, target = (_redirected(words, sign) for sign in "<>")
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        errors = io.StringIO()
        with (
            open(source or os.devnull, "rb") as given,  # noqa: PTH123
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(errors),
        ):
            sys.stdin = SimpleNamespace(buffer=given, fileno=given.fileno, close=given.close)
            try:
                status = main(words)
            finally:
                sys.stdin = sys.__stdin__
        assert status == 0, f"perturb {shlex.join(words)}: {errors.getvalue()}"
        printed = out.buffer.getvalue()
        if target is not None:
            Path(target).write_bytes(printed)
            return ""
        return printed.decode("utf-8")


class _Wrong(doctest.DocTestRunner):
    """Runs examples and keeps what those give that show something else."""

    def __init__(self) -> None:
        super().__init__()
        self._found: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self._found.append((example, got))

    def right(self, text: str) -> str:
        """Return the text with what the examples give."""
        lines = text.splitlines(keepends=True)
        for example, got in reversed(self._found):
            first = example.lineno + example.source.count("\n")
            indented = [" " * example.indent + line for line in got.splitlines(keepends=True)]
            lines[first : first + example.want.count("\n")] = indented
        return "".join(lines)


def mend(page: Path, folder: Path) -> int:
    """Write what the examples of a page give in place of what they show.

    Args:
        page: the page.
        folder: an empty one, for the files of the examples.

    Returns:
        How many blocks are others now.
    """
    with reading(folder) as reader:
        reader.mended = {}
        reader.read(page)
    text = page.read_text("utf-8")
    for shown, given in reader.mended.items():
        text = text.replace(shown, given)
    page.write_text(text, "utf-8")
    return len(reader.mended)


def _redirected(words: list[str], sign: str) -> str | None:
    """Take a redirection out of the words of a command, and return its file."""
    if sign not in words:
        return None
    at = words.index(sign)
    _, file = words[at : at + 2]
    del words[at : at + 2]
    return file


def check_options(words: list[str]) -> None:
    """Check that a command that can't be run here has options that there are."""
    command, *rest = words
    parser = parser_of(command)
    parser.parse_args([word for word in rest if word != ">"])


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Reader]:
    """Open a reader whose shell finds `perturb` and `python`, and an endpoint that answers."""
    programs = folder / ".programs"
    programs.mkdir()
    python = shlex.quote(sys.executable)
    for name, call in {
        "perturb": f"{python} -m perturb",
        "python": python,
        "pytest": f"{python} -m pytest",
    }.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {call} "$@"\n')
        (programs / name).chmod(0o755)
    before = dict(os.environ)
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    try:
        with endpoints.serving() as server, contextlib.chdir(folder):
            yield Reader(folder, f"{server.url}")
    finally:
        os.environ.clear()
        os.environ.update(before)
