"""Perturbators of other packages and of files: what is broken costs a warning, not the command."""

import json
import os
import pickle
import subprocess
import sys

import pytest

import perturb
from perturb.registry import registry
from perturb.registry.describe import documented

PLUGIN = """
import perturb

CALLS = []

@perturb.perturbator("shout_{n}", unit="word", summary="Shout.", label_risk="low")
def shout(word: str, *, mark: str = "!") -> str:
    return word.upper() + mark

hush = perturb.from_function("hush_{n}", lambda text: text.lower(), summary="Hush.")
"""


@pytest.fixture
def run(tmp_path):
    """Run the command line in a new process that finds the packages in `site`."""
    site = tmp_path / "site"
    site.mkdir()
    paths = [os.fspath(site), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def run(*arguments, stdin="", code=None):
        call = ["-c", code] if code else ["-W", "default", "-m", "perturb", *map(str, arguments)]
        return subprocess.run(
            [sys.executable, "-P", *call],
            input=stdin,
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
        )

    return run


@pytest.fixture
def install(tmp_path):
    """Install a package with entry points, as pip would."""

    def install(package, module, entry_points):
        site = tmp_path / "site"
        (site / f"{package}.py").write_text(module)
        folder = site / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[perturb.perturbators]\n{entry_points}\n")

    return install


@pytest.fixture
def forget():
    """Forget what a test loads."""
    before, files = registry.snapshot(), dict(registry._files)
    yield
    registry.restore(before)
    registry._files.clear()
    registry._files.update(files)


@pytest.mark.slow
def test_a_broken_plugin_is_one_warning(run, install) -> None:
    """Everything else goes on: other plugins, all commands, and names of built-in ones."""
    install("whole", PLUGIN.format(n="whole"), "shout_whole = whole:shout\nhush_whole = whole:hush")
    install("broken", "import a_module_that_is_missing\n", "broken_one = broken:found")
    install("half", PLUGIN.format(n="half") + "1 / 0", "shout_half = half:shout")
    install("exits", "raise SystemExit(3)", "exits = exits")
    listed = run("list")
    assert listed.returncode == 0
    assert "shout_whole" in listed.stdout
    assert "keyboard_typos" in listed.stdout
    assert "shout_half" not in listed.stdout  # registered before its module failed
    told = sorted(line for line in listed.stderr.splitlines() if "warning" in line)
    assert [line.partition(" (")[0] for line in told] == [
        "perturb: warning: the plugin 'broken_one' of broken",
        "perturb: warning: the plugin 'exits' of exits",
        "perturb: warning: the plugin 'shout_half' of half",
    ]
    assert "ModuleNotFoundError: No module named 'a_module_that_is_missing'" in told[0]
    # One of a plugin does not load the others; a wrong name is still an error with near names.
    done = run("apply", "shout_whole:p=1.0", "hush_whole", stdin='{"text": "a b"}')
    assert json.loads(done.stdout)["text"] == "a! b!"
    assert not done.stderr
    wrong = run("show", "shout_whol")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr
    assert "did you mean shout_whole" in wrong.stderr
    asked = run("show", "broken_one")
    assert asked.returncode == 2
    assert asked.stderr.splitlines()[-1].startswith("perturb: the plugin 'broken_one' of broken")


@pytest.mark.slow
def test_python_warns_once(run, install) -> None:
    install("broken", "1 / 0", "broken_one = broken:found")
    code = (
        "import warnings, perturb\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    assert 'keyboard_typos' in perturb.names() and perturb.names()\n"
        "(one,) = caught\n"
        "assert 'broken_one' in str(one.message) and 'ZeroDivisionError' in str(one.message)\n"
    )
    done = run(code=code)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_plugin_takes_no_built_in_name(run, install) -> None:
    install("taker", PLUGIN.format(n="x").replace("shout_x", "char_swap"), "mine = taker")
    listed = run("list")
    assert listed.returncode == 0
    assert "perturb.perturbators.letters.chars.char_swap already has this name" in listed.stderr


@pytest.mark.slow
def test_a_file_of_the_caller(run, tmp_path) -> None:
    """On all commands that name perturbators, and for several workers; only if it is named."""
    plugin, source = tmp_path / "my.py", tmp_path / "in.jsonl"
    plugin.write_text(PLUGIN.format(n="mine"))
    padding = "x" * 100_000  # so that there are blocks for all workers
    rows = ({"id": i, "text": f"some words {i}", "padding": padding} for i in range(40))
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    made = [
        run("apply", "shout_mine:p=0.5,mark=?", "hush_mine", "-i", source, "--plugin", "my.py",
            "-o", f"out{workers}.jsonl", "--workers", workers)
        for workers in (1, 2)
    ]  # fmt: skip
    assert [one.returncode for one in made] == [0, 0], made[0].stderr
    one, two = ((tmp_path / f"out{workers}.jsonl").read_bytes() for workers in (1, 2))
    assert one == two
    assert b"?" in one
    manifest = json.loads((tmp_path / "out1.jsonl.manifest.json").read_bytes())
    assert [*manifest["plugins"]] == [str(plugin)]
    run("apply", "ocr", "-i", source, "--plugin", plugin, "-o", "other.jsonl")
    other = json.loads((tmp_path / "other.jsonl.manifest.json").read_bytes())
    assert other["plugins"] == {}  # another process has no need of a file that no step comes from
    assert "shout_mine" in run("list", "--plugin", plugin).stdout
    assert "mark=!" in run("show", "shout_mine", "--plugin", plugin).stdout
    assert run("verify", "out1.jsonl", "--plugin", plugin).returncode == 0
    without = run("verify", "out1.jsonl")
    assert without.returncode == 1
    assert f"it was written with --plugin {plugin}" in without.stderr
    (tmp_path / "out1.jsonl.manifest.json").unlink()
    without = run("verify", "out1.jsonl")  # a function of a notebook would have no file
    assert without.returncode == 0
    assert ": 0 rows reproduced; 40 only restored, since" in without.stdout
    assert "--plugin FILE" in without.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no file my.py"),
        ("x = 1\n1 / 0", r"can't run my.py: ZeroDivisionError: division by zero (line 2)"),
        ("def", "can't run my.py: SyntaxError"),
        ("x = 1", "defines no perturbator"),
    ],
)
def test_a_file_that_is_wrong_is_one_line(run, tmp_path, content, message) -> None:
    if content is not None:
        (tmp_path / "my.py").write_text(content)
    done = run("list", "--plugin", "my.py")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_process_that_starts_anew_loads_the_file(run, tmp_path, forget) -> None:
    """As workers do where processes are not forked."""
    (tmp_path / "random.py").write_text(PLUGIN.format(n="sent"))  # does not hide Python's own
    registry.load_file(str(tmp_path / "random.py"))
    registry.load_file(f"{tmp_path}/./random.py")  # the same file, which is loaded once
    sent = pickle.dumps([perturb.Pipeline.of("shout_sent:p=1.0 hush_sent")])
    code = (
        f"import pickle, random\nrandom.random()\n(it,) = pickle.loads({sent!r})\n"
        "import perturb\nassert str(perturb.apply('A b', it)) == 'a! b!'\n"
    )
    done = run(code=code)
    assert done.returncode == 0, done.stderr


def test_a_docstring_begins_with_the_summary(forget) -> None:
    @perturb.perturbator("vowels_told", unit="character", label_risk="low")
    def vowels_told(batch, *, every: int = 1):
        """Find
        vowels.

        All of them.

        Args:
            batch: the texts.
            every: one of so many.
        """
        return batch.sites_where("aeiou")

    said = perturb.describe("vowels_told")
    assert said["summary"] == "Find vowels."
    assert documented(said["doc"]) == ("All of them.", {"every": "one of so many."})
