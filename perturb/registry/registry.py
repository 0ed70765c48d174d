"""What is registered: perturbators and aliases by name, wherever they come from.

That is this package, packages' entry points, files of callers, and other libraries. Of all modules
only that of a built-in perturbator is loaded for a name, before another takes it; the script
`scripts/described.py` writes the table of modules. An installed plugin that can't be loaded costs
one warning, and all else goes on: nobody asked for it in this call. A file that the caller names
has to load.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from perturb.boundary import check_trusted, import_file, read_whole, sha256
from perturb.errors import UnknownStepError, UsageError, shown, suggestion
from perturb.registry import described
from perturb.registry.definition import Expect, LabelRisk, Perturbator, Touch
from perturb.registry.described import installed
from perturb.resources import folder, parse

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


# The packages of perturbators, as the documentation calls them.
FAMILIES: Mapping[str, str] = {
    "letters": "Letters and keys",
    "layout": "Case, space and punctuation",
    "unicode": "Unicode",
    "machines": "Machines and encodings",
    "words": "Words",
    "people": "People, places and varieties",
    "order": "Order and passages",
    "prompts": "Prompts and options",
}
MODULES = folder() / "registry" / "modules.tsv"
_LISTED = parse(MODULES)
MODULE_OF: Mapping[str, str] = MappingProxyType({name: module for name, module, _ in _LISTED})
# The label risk of each of these, by the rule of `perturb.registry.label_risk`.
RISK_OF = {name: cast(LabelRisk, risk) for name, _, risk in _LISTED}
# Other libraries whose functions have names here, such as nlpaug.KeyboardAug, with their modules.
LIBRARIES: Mapping[str, str] = MappingProxyType({"nlpaug": "shared.nlpaug"})


def load(name: str) -> None:
    """Import the module of a built-in perturbator, if that is the name of one."""
    if name in MODULE_OF:
        import_module(f"perturb.perturbators.{MODULE_OF[name]}")


def unlisted_module(name: str) -> str | None:
    """Return the file of this package that declares a perturbator the table doesn't list yet.

    Whoever writes a perturbator in a checkout meets this before running the script that lists it.
    """
    perturbators = folder() / "perturbators"
    for file in sorted(perturbators.rglob("*.py")):
        if re.search(rf'perturbator\(\s*"{re.escape(name)}"', file.read_text("utf-8")):
            return file.relative_to(perturbators).as_posix()
    return None


def is_of_library(name: str) -> bool:
    """Return whether a name is that of another library's function."""
    library, dot, _ = name.partition(".")
    return bool(dot) and library in LIBRARIES


def is_drop_in(name: str) -> bool:
    """Return whether a name has the form of a drop-in name: a library before a dot.

    Functions of libraries that run themselves, such as `nlpaug.KeyboardAug`, are none.
    """
    if "." not in name or is_of_library(name):
        return False
    return re.fullmatch(r"[^\W\d_]\w*\.[^\W\d_]\w*", name) is not None


# The perturbators that are loaded, by name.
registered: dict[str, Perturbator] = {}
# What each alias stands for: a name, and parameters.
alias_targets: dict[str, tuple[str, Mapping[str, Any]]] = {}
_edition = 0
# The file of the caller's that a perturbator comes from, by its name.
homes: dict[str, str] = {}


def add(new: Perturbator, others: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> None:
    """Make a perturbator known by its name and its aliases.

    Raises:
        UsageError: a name is taken; the message says by whom.
    """
    for name in (new.name, *others):
        load(name)
        owner, _ = entry(name) or (new, {})
        if _where(owner.find) != _where(new.find):  # else a cell of a notebook that ran again
            raise UsageError(
                f"the perturbator {name!r} of {_where(new.find)} is already registered by "
                f"{_where(owner.find)}"
            )
    if new.name in registered:
        _changed()
    registered[new.name] = new
    alias_targets.update({alias: (new.name, parameters) for alias, parameters in others.items()})


def entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return what a name stands for so far: a perturbator, and the parameters of an alias."""
    target, parameters = alias_targets.get(name, (name, {}))
    return (registered[target], parameters) if target in registered else None


def goes_by_name(perturbator: Perturbator) -> bool:
    """Return whether the name of a perturbator stands for it in this process."""
    return registered.get(perturbator.name) is perturbator


def edition() -> int:
    """Return a number that is another one once a known name means something else, or nothing."""
    return _edition


def _changed() -> None:
    global _edition
    _edition += 1


@contextmanager
def known(new: Perturbator) -> Iterator[None]:
    """Make a perturbator known by its name for a while, if it is not already.

    Raises:
        UsageError: the name belongs to another perturbator.
    """
    if goes_by_name(new):
        yield
        return
    register(new)
    try:
        yield
    finally:
        del registered[new.name]
        _changed()


def snapshot() -> tuple[Mapping[str, Perturbator], Mapping[str, Any]]:
    """Return what is registered, for `restore`."""
    return dict(registered), dict(alias_targets)


def restore(before: tuple[Mapping[str, Perturbator], Mapping[str, Any]]) -> None:
    """Forget what callers registered after a snapshot."""
    for name in registered.keys() - before[0].keys() - MODULE_OF.keys():
        del registered[name]
    for name in alias_targets.keys() - before[1].keys() - MODULE_OF.keys():
        del alias_targets[name]
    _changed()


def _where(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def register(new: Perturbator) -> Perturbator:
    """Make a perturbator known by its name.

    Raises:
        TypeError: it is no perturbator.
        UsageError: the name is taken; the message says by whom.
    """
    if not isinstance(new, Perturbator):
        raise TypeError(
            "register takes a perturbator, as from_function and from_regex make them; "
            f"got {shown(new)}"
        )
    add(new)
    return new


_ALL = "perturb list has all, and those of a Python file of yours are known with"


def lookup(name: str) -> Perturbator:
    """Return the perturbator called `name`, or the one that an alias stands for.

    Raises:
        UsageError: there is none; the message has the names that come near.
    """
    return resolve(name)[0]


def resolve(name: str) -> tuple[Perturbator, Mapping[str, Any]]:
    """Return the perturbator that `name` stands for, and the parameters where it is an alias."""
    if is_of_library(name):
        return of_library(name), {}
    entry = _entry(name)
    if entry is None:
        check_not_broken(name)
        names = dict.fromkeys([*MODULE_OF, *registered, *alias_targets])
        hint = suggestion(name, names)
        hint = f"{_ALL} --plugin FILE" if hint.startswith("known") else hint
        if name in ("one_of", "some_of", "sometimes", "grid"):
            hint = "it is written with its steps, in a shell in quotes, as in 'one_of(ocr | case)'"
        if (module := unlisted_module(name)) is not None:
            hint = f"{module} declares it; list it by python scripts/refresh.py {name}"
        raise UnknownStepError(f"unknown perturbator {name!r}: {hint}")
    return entry


def is_known(name: str) -> bool:
    """Return whether a perturbator or an alias is called `name`."""
    return _entry(name) is not None


def _entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return what a name stands for, wherever that has to be loaded from."""
    load(name)
    if (known := entry(name)) is not None:
        return known
    load_installed(name)
    if entry(name) is None:
        load_installed()
    return entry(name)


def names(
    language: str | None = None,
    *,
    max_risk: LabelRisk | None = None,
    keeps: Touch | Collection[Touch] = (),
    expect: Expect | None = None,
) -> list[str]:
    """Return the names of the perturbators, sorted; aliases are not among them.

    Args:
        language: only those that can write this language, by its ISO 639-1 code.
        max_risk: only those with at most this label risk: "none", "low", "medium" or "high".
        keeps: only those that leave this as it is, or all of these: "digits", "letters", "words",
            "case", "punctuation", "space", "order", "layout" and "meaning".
        expect: only those that do this to the right answer: "same", "mapped", "other" or "unknown".

    Raises:
        UsageError: an argument is none of these words.

    Examples:
        >>> "synonym" in names(), "synonym" in names(max_risk="none")
        (True, False)
    """
    load_installed()
    others = (vars(kind) for name, kind in registered.items() if name not in MODULE_OF)
    return described.chosen(
        [*described.built_in().values(), *others],
        language=language,
        max_risk=max_risk,
        keeps=keeps,
        expect=expect,
    )


def aliases() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return every alias with the name and the parameters that it stands for."""
    for name in MODULE_OF:
        load(name)
    return dict(sorted(alias_targets.items()))


# Entry points that were tried, each with what is wrong with it.
_tried: dict[EntryPoint, str] = {}
# The files that were loaded, each with the SHA-256 of its content.
_files: dict[str, str] = {}


def load_installed(name: str | None = None) -> None:
    """Load the perturbators that other packages declare; warn of those that can't be loaded.

    Args:
        name: load only the entry points of this name.
    """
    for entry_point in installed():
        if entry_point in _tried or name not in (None, entry_point.name):
            continue
        _tried[entry_point] = ""
        try:
            with _all_or_none():
                _register_all(entry_point.load())
        except (Exception, SystemExit) as error:  # of whatever kind a stranger's module raises
            _tried[entry_point] = _complaint(entry_point, error)
            warnings.warn(_tried[entry_point], RuntimeWarning, stacklevel=2)


def check_not_broken(name: str) -> None:
    """Refuse the name of an installed plugin that can't be loaded.

    Raises:
        UsageError: it is one; the message says what is wrong with it.
    """
    for entry_point, complaint in _tried.items():
        if entry_point.name == name and complaint:
            raise UsageError(complaint)


def load_file(path: str) -> None:
    """Load the perturbators that a Python file defines; once, however often it is named.

    Args:
        path: the path of the file. It runs with the rights of the caller, who alone may name it.

    Raises:
        UsageError: there is no such file, or it can't be run; the message says why and where.
    """
    file = os.path.realpath(path)
    if file in _files:
        return
    before = set(registered)
    with _all_or_none():
        _register_all(import_file(path))
    new = registered.keys() - before
    if not new:
        raise UsageError(
            f"the plugin {path} defines no perturbator: decorate a function with "
            "@perturb.perturbator, or assign one of perturb.from_function or from_regex to a name"
        )
    _files[file] = sha256(read_whole(file))
    homes.update(dict.fromkeys(new, file))


def files_of(names: Iterable[str]) -> dict[str, str]:
    """Return the files that define perturbators, each with the SHA-256 of its content."""
    return {file: _files[file] for file in sorted({homes[name] for name in names if name in homes})}


def from_file(path: str, name: str) -> Perturbator:
    """Return a perturbator of a file, as another process needs it."""
    load_file(path)
    return registered[name]


def of_library(name: str) -> Perturbator:
    """Return the perturbator that another library's function is, such as `nlpaug.KeyboardAug`.

    Raises:
        UsageError: the library is missing or has no such function; or data names it, and the caller
            does not.
    """
    check_trusted("the function", name)
    module = import_module(f"perturb.perturbators.{LIBRARIES[name.partition('.')[0]]}")
    perturbator: Perturbator = module.perturbator_of(name)
    return perturbator


def _register_all(loaded: Any) -> None:
    """Register the perturbators that a module holds, or the one that was loaded."""
    values = list(vars(loaded).values()) if isinstance(loaded, ModuleType) else [loaded]
    for value in values:
        if isinstance(value, Perturbator) and value.name not in registered:
            add(value)


@contextmanager
def _all_or_none() -> Iterator[None]:
    """Forget what was registered meanwhile where an exception ends it."""
    before = snapshot()
    try:
        yield
    except BaseException:
        restore(before)
        raise


def _complaint(entry_point: EntryPoint, error: BaseException) -> str:
    package = f" of {entry_point.dist.name}" if entry_point.dist else ""
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    return (
        f"the plugin {entry_point.name!r}{package} ({entry_point.value}) can't be loaded: "
        f"{reason}; upgrade or uninstall the package"
    )
