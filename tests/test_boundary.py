"""The boundary of trust: nothing is opened, imported, read from a network or printed around it."""

import ast
import io
import sys
from pathlib import Path

import pytest

from perturb import boundary
from perturb.errors import UsageError

PACKAGE = Path(__file__).parents[1] / "perturb"

# What goes around the boundary, by the file where it may stand, and why that is right.
ALLOWED = {
    "resources.py": {"read_bytes", "tempfile"},  # tables that ship, also in a zip
    "lexicon/store.py": {"open"},
    "report/page.py": {"read_text"},  # assets that ship
    "report/listing.py": {"tempfile"},  # its own texts, which wait outside of memory
    "engine/run.py": {"open"},  # gates of combinators
    "engine/text/scripts.py": {"importlib.metadata"},  # the version of the library that segments
    "cli/play.py": {"open", "tempfile", "webbrowser"},  # at the address of its own page
    "values/exports.py": {"import_module"},  # public names, when they are first used
    "robustness/tables/plots.py": {"savefig"},  # matplotlib opens files itself
    "__main__.py": {"open", "sys.stdout", "sys.stderr"},  # fills streams that are closed
    "cli/__init__.py": {"open", "sys.stdout", "sys.__stdout__"},  # its encoding
    "cli/parser.py": {"sys.stderr", "sys.__stdout__"},  # its width
    "cli/talk.py": {"sys.stdout"},  # asks whether it is a terminal, as do the next two
    "cli/apply.py": {"sys.stderr"},
    "cli/progress.py": {"sys.stderr"},
    "cli/test.py": {"importlib.util"},  # whether pages can be written
    "io/files.py": {"sys.stdin"},  # rows
    "io/addresses.py": {"open"},  # what fsspec opens
    "io/inputs.py": {"sys.stdin"},  # whether it is the file that is written to
    "io/outputs.py": {"sys.stdout", "tempfile"},  # what goes to an address
    "registry/described.py": {"importlib.metadata"},  # packages that are installed
    # sources of this package, where a name is unknown; packages that are installed
    "registry/registry.py": {"read_text", "importlib.metadata"},
    "io/frames.py": {"pickle", "importlib.util"},  # between processes; whether pyarrow is there
    "registry/making.py": {"pickle", "import_module"},  # one of the picklers by value
    "evaluation/systems/endpoint.py": {"aiohttp", "urllib.request"},  # proxies, by their variables
    "evaluation/systems/command.py": {"create_subprocess_exec"},  # --command
    "engine/native/build.py": {"subprocess", "tempfile"},  # the compiler, when somebody asks for it
    "engine/native/binding.py": {"CDLL"},  # the kernels that ship
    # a worker ends with its parent; tables between processes
    "stream/workers.py": {"CDLL", "pickle"},
    "robustness/metrics/embedding.py": {"importlib.util"},  # whether a package holds a model
    "stream/verify_file.py": {"tempfile"},  # the file made again
    "play/server.py": {"read_bytes", "http.server"},
    "rows/dict_rows.py": {"marshal"},  # it writes, and reads none of it: classes of one's own fail
    "testing/checks.py": {"pickle", "subprocess"},  # another Python with the same code
}
_CALLS = {
    *("open", "fdopen", "open_code", "read_text", "read_bytes", "write_text", "write_bytes"),
    *("input", "eval", "exec", "compile", "__import__", "run_module", "run_path", "CDLL"),
    *("create_subprocess_exec", "create_subprocess_shell", "popen", "print", "fromfile", "tofile"),
    *("memmap", "loadtxt", "savetxt", "read_parquet", "read_csv", "savefig", "exec_module"),
}
# `open` and the like are also methods of what is no file: then the file stands in ALLOWED.
_BUILT_IN = {"compile", "eval", "exec", "input", "print"}
_MODULES = {
    *("socket", "ssl", "http.server", "http.client", "urllib.request", "aiohttp", "requests"),
    *("httpx", "subprocess", "pickle", "marshal", "shelve", "runpy", "cloudpickle", "tempfile"),
    *("importlib.util", "importlib.metadata", "webbrowser"),
}
_STREAMS = {"sys.stdout", "sys.stderr", "sys.stdin", "sys.__stdout__", "sys.__stderr__"}


def around(tree):
    """Yield what a module does that is the boundary's to do, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(name)) if name in _CALLS:
                yield name, node.lineno
            case ast.Call(func=ast.Attribute(attr=name)) if name in _CALLS - _BUILT_IN:
                yield name, node.lineno
            case ast.Call(func=ast.Name("import_module"), args=[name, *_]) if not is_fixed(name):
                yield "import_module", node.lineno
            case ast.Import(names=names):
                yield from ((one.name, node.lineno) for one in names if one.name in _MODULES)
            case ast.ImportFrom(module=module) if module in _MODULES:
                yield module, node.lineno
            case ast.Attribute(value=ast.Name("sys"), attr=name) if f"sys.{name}" in _STREAMS:
                yield f"sys.{name}", node.lineno


def is_fixed(name):
    """Return whether the name of a module begins as the code says, and not as data does."""
    start = name.values[0] if isinstance(name, ast.JoinedStr) else name
    return isinstance(start, ast.Constant) and "." in f"{start.value}." and bool(start.value)


@pytest.mark.slow
def test_nothing_goes_around_the_boundary() -> None:
    """And what is allowed is done."""
    found = {
        (file.relative_to(PACKAGE).as_posix(), what)
        for file in PACKAGE.rglob("*.py")
        for what, _ in around(ast.parse(file.read_text("utf-8")))
        if file.name != "boundary.py"
    }
    assert found == {(file, what) for file, allowed in ALLOWED.items() for what in allowed}


@pytest.mark.parametrize(
    "code",
    [
        *("open(name)", "Path(name).open()", "path.write_text(text)", "import_module(name)"),
        *("import_module(f'{name}.x')", "__import__(name)", "exec(code)", "print(answer)"),
        *("sys.stderr.write(answer)", "import socket", "from subprocess import run"),
        "import urllib.request as web",
    ],
)
def test_the_search_finds_each_way_around(code) -> None:
    assert list(around(ast.parse(code)))


@pytest.mark.parametrize("code", ["import_module('pyphen')", "import_module(f'perturb.{name}')"])
def test_modules_that_the_code_names_are_its_own(code) -> None:
    assert not list(around(ast.parse(code)))


@pytest.mark.parametrize(
    "use",
    [boundary.opened, boundary.read_whole, boundary.import_file, boundary.pinned],
)
def test_what_data_names_is_not_opened(use, tmp_path) -> None:
    """Whoever asks for it, and by whatever function."""
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n")
    with boundary.trusting(()), pytest.raises(UsageError, match="the data names the file"):
        use(str(path))
    with boundary.trusting([str(path)]):
        found = use(str(path))
    if isinstance(found, io.IOBase):
        found.close()


def test_a_file_imports_those_beside_it(tmp_path, monkeypatch) -> None:
    """When it runs and later, but in no file's place that the package may import."""
    monkeypatch.setattr(sys, "path", before := [*sys.path])
    for name in ("beside", "later", "this"):
        (tmp_path / f"{name}_of_ours.py").write_text(f"name = {name!r}\n")
    (tmp_path / "mine.py").write_text(
        "import beside_of_ours, this_of_ours\n\n\n"
        "def names():\n    import later_of_ours\n    return beside_of_ours.name, later_of_ours.name"
    )
    for _ in range(2):
        assert boundary.import_file(str(tmp_path / "mine.py")).names() == ("beside", "later")
    assert before[-1:] == sys.path[-1:] == [str(tmp_path)]
    assert sys.path.count(str(tmp_path)) == 1


def test_what_data_names_is_not_imported() -> None:
    sys.modules.pop("antigravity", None)
    with boundary.trusting(()), pytest.raises(UsageError, match="the data names the function"):
        boundary.imported("antigravity:fly")
    assert "antigravity" not in sys.modules
    with boundary.trusting(["os.path:join"]):
        assert boundary.imported("os.path:join")("a", "b") == "a/b"


def test_control_characters_are_visible() -> None:
    r"""But tabs and line ends; and JSON stays the same JSON."""
    every = "".join(map(chr, [*range(0x300), *range(0x2000, 0x2100)]))
    shown = boundary.visible(every)
    left = {char for char in shown if not char.isprintable()}
    assert {"\t", "\n"} < left
    controls = {*map(chr, [*range(32), *range(127, 160), *range(0x202A, 0x202F)])}
    assert not (left - {"\t", "\n"}) & controls
    assert boundary.visible("a\r\nb\rc") == "a\r\nb\\x0dc"
    assert boundary.visible("זה\u200d👩\u200d🚀 é") == "זה\u200d👩\u200d🚀 é"


def test_a_terminal_gets_whole_characters() -> None:
    """However the bytes of a character are parted among writes; and what is not UTF-8 escaped."""
    got = io.BytesIO()
    terminal = boundary.Terminal(got)
    data = "é\x9b1m 🥚\x1b[2J\n".encode()
    for at in range(len(data)):
        assert terminal.write(data[at : at + 1]) == 1
    terminal.write(b"\xff\n")
    assert got.getvalue().decode() == "é\\u009b1m 🥚\\x1b[2J\n\\xff\n"
