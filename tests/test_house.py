"""The borders of the house, read from the imports of its files."""

import ast
import functools
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import regex

PACKAGE = Path(__file__).parents[1] / "perturb"
ROOT = PACKAGE.parent
FILES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = "perturb", "tests", "fuzz", "scripts", "benchmarks", "examples", "wordlists"
ALL_FILES = sorted(
    file
    for folder in FOLDERS
    for file in (ROOT / folder).rglob("*.py")
    if ".envs" not in file.parts
)
MAP = ROOT / "CONTRIBUTING.md"

# To search for the worst case, or to write a data set, is to make texts, as any caller does.
THROUGH_THE_FRONT_DOOR = {
    "evaluation/search/worst_case.py": {"perturb.api", "perturb.api.apply", "perturb.api.Steps"},
    "evaluation/suites/__init__.py": {"perturb.api", "perturb.api.apply"},
    "integrations/weave.py": {"perturb.api", "perturb.api.apply"},
    # A page on this machine is served like the other one.
    "rewording/sign_off.py": {
        "perturb.play.server",
        "perturb.play.server.PageServer",
        "perturb.play.server.as_json",
    },
}
# Recipes as text and what is said of steps, for whoever reads records: nothing is made of them.
READING = ("perturb.plan.options", "perturb.plan.recipe_text", "perturb.registry.described")


def mapped():
    """What the table of CONTRIBUTING.md names: modules, and folders, with a / at the end."""
    table = regex.search(r"\n\| place .*?\n\n", MAP.read_text("utf-8"), regex.S)[0]
    for row in table.splitlines():
        for group in regex.findall("`([^`]*)`", row.partition("|")[2].partition("|")[0]):
            folder, slash, names = group.rpartition("/")
            yield from (f"{folder}{slash}{name}" for name in names.split(", "))


def test_the_map_has_every_module_and_nothing_else() -> None:
    """A folder stands for all that is in it."""
    said = list(mapped())
    folders = [name for name in said if name.endswith("/")]
    modules = {file.relative_to(PACKAGE).with_suffix("").as_posix() for file in FILES}
    alone = {name for name in modules if not name.startswith(tuple(folders)) and "__" not in name}
    assert sorted(set(said) - set(folders)) == sorted(alone)
    assert len(said) == len(set(said))
    assert all((MAP.parent / name).is_dir() or (PACKAGE / name).is_dir() for name in folders)


def test_the_reading_path_leads_to_files_and_names_that_are_there() -> None:
    """Of each step, the files that it names, and the functions and classes to read in them."""
    path = MAP.read_text("utf-8").partition("## A reading path")[2].partition("\n| place")[0]
    steps = regex.findall(r"^\d+\. .*(?:\n .*)*", path, regex.M)
    assert len(steps) > 20
    for step in steps:
        files = regex.findall("`([a-z_/0-9]+\\.py)`", step)
        assert files, step
        trees = [ast.parse((PACKAGE / file).read_text("utf-8")) for file in files]
        there = {getattr(node, "name", "") for tree in trees for node in ast.walk(tree)}
        names = regex.findall("`([A-Za-z_]+)`", step.partition(". ")[2].partition(". ")[0])
        assert names, step
        assert {*names} <= there, step


@functools.cache
def tree(file):
    return ast.parse(file.read_text("utf-8"))


@functools.cache
def imports(file):
    """The modules of this package that a file imports anywhere."""
    found = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return {name for name in found if name.partition(".")[0] == "perturb"}


FRONT = ("api", "cli", "dask", "integrations", "play", "ray", "spark", "testing", "transform")
DATA = ("io", "plan", "records", "rows", "stream")
JUDGING = ("robustness", "evaluation", "report")
MAKING = ("engine", "lexicon", "registry", "perturbators", "pipeline")


@pytest.mark.parametrize(
    ("part", "forbidden"),
    [
        ("engine", (*FRONT, *DATA, *JUDGING, *MAKING[1:])),
        ("lexicon", (*FRONT, *DATA, *JUDGING, *MAKING[2:])),
        ("registry", (*FRONT, *DATA, *JUDGING, "lexicon", "perturbators", "pipeline")),
        ("perturbators", (*FRONT, *DATA, *JUDGING, "pipeline")),
        ("pipeline", (*FRONT, "io", "plan", "rows", "stream", *JUDGING, "lexicon", "perturbators")),
        ("plan", (*FRONT, "records", "rows", "stream", *JUDGING, "lexicon", "perturbators")),
        # Texts of a table are columns as the engine has them.
        ("io", (*FRONT, "plan", "records", "rows", "stream", *JUDGING, *MAKING[1:])),
        ("records", (*FRONT, "rows", "stream", *JUDGING, "lexicon", "perturbators")),
        ("rows", (*FRONT, "stream", *JUDGING, "lexicon", "perturbators")),
        ("stream", (*FRONT, *JUDGING, "lexicon", "perturbators")),
        ("robustness", (*FRONT, "plan", "rows", "stream", "evaluation", "report", *MAKING)),
        ("evaluation", (*FRONT, "plan", "report", *MAKING)),
        ("report", (*FRONT, "plan", "rows", "evaluation", *MAKING[:4])),
        ("rewording", (*FRONT, "plan", "records", "report", "rows", "stream", "pipeline")),
        (
            "play",
            (
                "cli",
                "integrations",
                "testing",
                "transform",
                "rows",
                "stream",
                *JUDGING,
                "lexicon",
                "perturbators",
            ),
        ),
    ],
)
def test_nothing_reaches_over_a_border(part, forbidden) -> None:
    for file in (PACKAGE / part).rglob("*.py"):
        allowed = THROUGH_THE_FRONT_DOOR.get(file.relative_to(PACKAGE).as_posix(), set())
        for name in imports(file) - allowed:
            if part in JUDGING and name.startswith(READING):
                continue
            assert not name.startswith(tuple(f"perturb.{other}" for other in forbidden)), (
                file,
                name,
            )


@pytest.mark.slow
def test_nothing_draws_from_hash() -> None:
    """hash() changes with PYTHONHASHSEED, so it has its place in `__hash__` alone."""
    hashes = [
        (file, node.name)
        for file in FILES
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef) and node.name != "__hash__"
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "hash"
    ]
    assert hashes == []


def test_nothing_imports_the_command_line() -> None:
    """But the command line, and `python -m perturb`."""
    for file in FILES:
        if file.parent.name != "cli" and file.name != "__main__.py":
            assert not any(name.startswith("perturb.cli") for name in imports(file)), file


def test_few_modules_lie_flat() -> None:
    """All else has a package; engines have theirs beside the other front doors."""
    assert len([*PACKAGE.glob("*.py")]) <= 11 + len(("dask", "ray", "spark"))


def named(file):
    """The name by which a file is imported."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_for_types(node):
    """Whether a statement holds only what type checkers read."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def statements(node):
    """All that can run in a part of a file, at once or later."""
    for child in ast.iter_child_nodes(node):
        if not is_for_types(child):
            yield child
            yield from statements(child)
        else:
            yield from (inner for part in child.orelse for inner in (part, *statements(part)))


def imports_ever(file, modules, of=statements):
    """The modules that a file imports when it runs, in functions too."""
    needed = set()
    for node in of(tree(file)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                needed.add(inner if inner in modules else node.module)
        elif isinstance(node, ast.Import):
            needed |= {name.name for name in node.names}
    return needed & modules


@pytest.mark.slow
def test_no_imports_go_in_a_circle() -> None:
    """Nor do imports in functions, nor those of types, but that kinds of sites are of a batch."""
    modules = {named(file) for file in FILES}
    above = {
        named(file): imports_ever(file, modules, of=ast.walk) - {named(file)} for file in FILES
    }
    above["perturb.engine.sites"].remove("perturb.engine.batch")
    TopologicalSorter(above).prepare()


# From formulas to doors: each folder is made of those before it.
FLOORS = "metrics", "linking", "grading", "pairs", "measures", "tables", "scoring"


@pytest.mark.slow
def test_judging_goes_one_way() -> None:
    modules, judging = {named(file) for file in FILES}, PACKAGE / "robustness"
    assert {folder.parent.name for folder in judging.glob("*/__init__.py")} == {*FLOORS}
    for number, floor in enumerate(FLOORS):
        above = tuple(f"perturb.robustness.{name}." for name in FLOORS[number + 1 :])
        for file in (judging / floor).glob("*.py"):
            needed = imports_ever(file, modules, of=ast.walk)
            assert not [name for name in needed if name.startswith(above)], file


def bindings(file):
    """The names that a file gives to values, arguments and functions."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name


# Words that say what happened to a value, and not what it is.
NO_NOUNS = {*"asked found given kept left made one own said told wanted written".split()}


# What needs more bits than an index has on 32-bit platforms, or is of the kernels, which run on none.
WIDE = {
    "engine/planned.py": 1,
    "engine/text/normalization.py": 1,
    "lexicon/numerals.py": 3,
    "lexicon/tagger.py": 1,
    "perturbators/machines/_misheard.py": 1,
    "perturbators/order/passages.py": 1,
    "perturbators/people/_name_tables.py": 1,
    "perturbators/shared/names.py": 1,
    "perturbators/words/wordnet.py": 1,
    "rng.py": 2,
}


def test_indices_and_lengths_have_as_many_bits_as_the_platform() -> None:
    """`take` and `repeat` refuse int64 where an index has 32 bits, as in a browser."""
    places = "rng.py", "engine/", "lexicon/", "perturbators/", "registry/"
    names = {file.relative_to(PACKAGE).as_posix(): file.read_text("utf-8") for file in FILES}
    wide = {
        name: text.count("np.int64")
        for name, text in names.items()
        if name.startswith(places) and not name.startswith("engine/native/") and "np.int64" in text
    }
    assert wide == WIDE


@pytest.mark.slow
def test_names_are_nouns_of_the_field() -> None:
    names = [name for file in FILES for name in bindings(file)]
    weak = Counter(name for name in names if name.strip("_") in NO_NOUNS)
    assert sum(weak.values()) < 0.03 * len(names), weak.most_common()


@pytest.mark.slow
def test_doors_name_what_they_hand_on() -> None:
    """`locals()` hands on what no type checker and no reader can follow."""
    calls = [
        (file, node.lineno)
        for file in FILES
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Name) and node.id == "locals"
    ]
    assert calls == []


def documented(file):
    """The docstrings of a file: its own, and those of its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(tree(file)) if isinstance(node, kinds))
    return [doc for doc in found if doc]


@pytest.mark.slow
def test_docstrings_name_their_noun() -> None:
    """An imperative sentence or a noun phrase: "Return the spans", not "Where it stands"."""
    docs = [doc for file in FILES for doc in documented(file)]
    riddles = [doc for doc in docs if regex.match(r"(What|Which|How|Whether|Where)\b", doc)]
    assert len(riddles) < 0.03 * len(docs), riddles


@pytest.mark.slow
def test_files_and_functions_are_short() -> None:
    """420 lines a file, 60 a function body without its docstring."""
    for file in ALL_FILES:
        text = file.read_text("utf-8")
        assert len(text.splitlines()) <= 420, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body:
                    assert body[-1].end_lineno - body[0].lineno < 60, (file, node.name)


def test_modules_differ_in_name() -> None:
    """Two at most have one name, such as a command and the module that does its work."""
    stems = Counter(file.stem for file in FILES if not file.stem.startswith("__"))
    assert [name for name, count in stems.items() if count > 2] == []


def test_the_wheel_has_the_tables_and_no_script() -> None:
    """Every folder of tables is in it, but for the scripts, and the text that is compiled."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["perturb"]
    there = {file.name for file in (PACKAGE.parent / "wordlists").iterdir()}
    wanted = there - {"build", "wordnet", "HASHES"}
    assert wheel["force-include"] == {
        f"wordlists/{name}": f"perturb/wordlists/{name}" for name in wanted
    }


def test_only_the_parser_knows_a_namespace() -> None:
    """Whose attributes have any type: all others get options by name."""
    users = {
        file.name for file in (PACKAGE / "cli").rglob("*.py") if "Namespace" in file.read_text()
    }
    assert users == {"parser.py"}
