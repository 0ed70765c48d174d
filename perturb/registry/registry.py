"""Registered perturbators and aliases by name, from all sources.

The sources are this package, entry points of other packages, files of callers, and other libraries.
A name loads only the module of the built-in perturbator with that name, before anything else can
take it; `scripts/described.py` writes the table of modules. An installed plugin that can't be
loaded causes one warning and nothing else, since nobody asked for it in this call. A file that the
caller names must load.
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


# The packages of perturbators, with their titles in the documentation.
FAMILIES: Mapping[str, str] = {
    "letters": "Letters and keys",
    "layout": "Case, space and punctuation",
    "unicode": "Unicode",
    "machines": "Machines and encodings",
    "words": "Words",
    "people": "People, places and varieties",
    "order": "Order and passages",
    "prompts": "Prompts and options",
    "tools": "Tools",
}
MODULES = folder() / "registry" / "modules.tsv"
_LISTED = parse(MODULES)
MODULE_OF: Mapping[str, str] = MappingProxyType({name: module for name, module, _ in _LISTED})
# The label risk of each of these, by the rule of `perturb.registry.label_risk`.
RISK_OF = {name: cast(LabelRisk, risk) for name, _, risk in _LISTED}
# Other libraries whose functions have names here, such as nlpaug.KeyboardAug, with their modules.
LIBRARIES: Mapping[str, str] = MappingProxyType({"nlpaug": "shared.nlpaug"})


def load(name: str) -> None:
    """Import the module of the built-in perturbator with a name, if there is one."""
    if name in MODULE_OF:
        import_module(f"perturb.perturbators.{MODULE_OF[name]}")


def unlisted_module(name: str) -> str | None:
    """Return the file of this package that declares a perturbator the table doesn't list yet.

    The author of a new perturbator in a checkout needs it before the script has listed it.
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


# The loaded perturbators by name.
registered: dict[str, Perturbator] = {}
# The perturbator and the parameters of each alias.
alias_targets: dict[str, tuple[str, Mapping[str, Any]]] = {}
# A number that changes when a known name gets another meaning or none.
edition = 0
# The caller's file with a perturbator, by its name.
homes: dict[str, str] = {}


def add(new: Perturbator, others: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> None:
    """Register a perturbator under its name and its aliases.

    Raises:
        UsageError: another perturbator has one of the names; the message says which.
    """
    for name in (new.name, *others):
        load(name)
        owner, _ = entry(name) or (new, {})
        if _where(owner.find) != _where(new.find):  # a notebook may run the same cell again
            raise UsageError(
                f"can't register {name!r} from {_where(new.find)}: {_where(owner.find)} already "
                "has this name; choose another"
            )
    if new.name in registered:
        _changed()
    registered[new.name] = new
    alias_targets.update({alias: (new.name, parameters) for alias, parameters in others.items()})


def entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return a loaded perturbator by its name or alias, and the parameters of the alias."""
    target, parameters = alias_targets.get(name, (name, {}))
    return (registered[target], parameters) if target in registered else None


def goes_by_name(perturbator: Perturbator) -> bool:
    """Return whether the name of a perturbator means this one in this process."""
    return registered.get(perturbator.name) is perturbator


def _changed() -> None:
    global edition
    edition += 1


@contextmanager
def known(new: Perturbator) -> Iterator[None]:
    """Register a perturbator for a while, unless it is registered already.

    Raises:
        UsageError: another perturbator has the name.
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
    """Return the registered perturbators and aliases, for `restore`."""
    return dict(registered), dict(alias_targets)


def restore(before: tuple[Mapping[str, Perturbator], Mapping[str, Any]]) -> None:
    """Forget everything that callers registered after a snapshot."""
    for name in registered.keys() - before[0].keys() - MODULE_OF.keys():
        del registered[name]
    for name in alias_targets.keys() - before[1].keys() - MODULE_OF.keys():
        del alias_targets[name]
    _changed()


def _where(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def register(new: Perturbator) -> Perturbator:
    """Register a perturbator, so that its name works in steps.

    Raises:
        TypeError: it isn't a perturbator.
        UsageError: another perturbator has the name; the message says which.
    """
    if not isinstance(new, Perturbator):
        raise TypeError(
            "register takes a perturbator, as from_function or from_regex returns it; "
            f"got {shown(new)}"
        )
    add(new)
    return new


_ALL = "perturb list shows all; load your own from a Python file with"


def lookup(name: str) -> Perturbator:
    """Return the perturbator with a name or an alias.

    Raises:
        UsageError: there is none; the message suggests similar names.
    """
    return resolve(name)[0]


def resolve(name: str) -> tuple[Perturbator, Mapping[str, Any]]:
    """Return the perturbator with a name or an alias, and the parameters of the alias."""
    if is_of_library(name):
        return of_library(name), {}
    entry = _entry(name)
    if entry is None:
        check_not_broken(name)
        names = dict.fromkeys([*MODULE_OF, *registered, *alias_targets])
        hint = suggestion(name, names)
        hint = f"{_ALL} --plugin FILE" if hint.startswith("known") else hint
        if name in ("one_of", "some_of", "sometimes", "grid"):
            hint = "write it with its steps, in quotes in a shell, as in 'one_of(ocr | case)'"
        if (module := unlisted_module(name)) is not None:
            hint = f"{module} declares it; to list it, run python scripts/refresh.py {name}"
        raise UnknownStepError(f"unknown perturbator {name!r}: {hint}")
    return entry


def is_known(name: str) -> bool:
    """Return whether there is a perturbator or an alias with a name."""
    return _entry(name) is not None


def _entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return a perturbator by its name or alias, loading it if needed; see `entry`."""
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
        language: only perturbators that can write this language, by its ISO 639-1 code.
        max_risk: only perturbators with at most this label risk: "none", "low", "medium" or "high".
        keeps: only perturbators that leave this, or all of these, unchanged: "digits", "letters",
            "words", "case", "punctuation", "space", "order", "layout" and "meaning".
        expect: only perturbators that do this to the right answer: "same", "mapped", "other",
            "abstain" or "unknown".

    Raises:
        UsageError: an argument isn't one of these words.

    Examples:
        >>> "synonym" in names(), "synonym" in names(max_risk="none")
        (True, False)
    """
    load_installed()
    others = (vars(kind) for name, kind in registered.items() if name not in MODULE_OF)
    each = [*described.built_in().values(), *others]
    return described.chosen(each, language=language, max_risk=max_risk, keeps=keeps, expect=expect)


def aliases() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return every alias with the name and the parameters that it means."""
    for name in MODULE_OF:
        load(name)
    return dict(sorted(alias_targets.items()))


# The entry points that were tried, each with its error or "".
_tried: dict[EntryPoint, str] = {}
# The loaded files, each with the SHA-256 of its content.
_files: dict[str, str] = {}


def load_installed(name: str | None = None) -> None:
    """Load the perturbators that other packages declare, and warn if one can't be loaded.

    Args:
        name: load only the entry points with this name.
    """
    for entry_point in installed():
        if entry_point in _tried or name not in (None, entry_point.name):
            continue
        _tried[entry_point] = ""
        try:
            with _all_or_none():
                _register_all(entry_point.load())
        except (Exception, SystemExit) as error:  # a stranger's module may raise anything
            _tried[entry_point] = _complaint(entry_point, error)
            warnings.warn(_tried[entry_point], RuntimeWarning, stacklevel=2)


def check_not_broken(name: str) -> None:
    """Refuse the name of an installed plugin that can't be loaded.

    Raises:
        UsageError: it is one; the message has its error.
    """
    for entry_point, complaint in _tried.items():
        if entry_point.name == name and complaint:
            raise UsageError(complaint)


def load_file(path: str) -> None:
    """Load the perturbators that a Python file defines, once for any number of calls.

    Args:
        path: the path of the file. It runs with the rights of the caller, and only the caller may
            name it.

    Raises:
        UsageError: there is no such file, or it fails; the message says why and where.
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
            f"the plugin {path} defines no perturbator; decorate a function with "
            "@perturb.perturbator, or assign one of perturb.from_function or from_regex to a name"
        )
    _files[file] = sha256(read_whole(file))
    homes.update(dict.fromkeys(new, file))


def files_of(names: Iterable[str]) -> dict[str, str]:
    """Return the files that define perturbators, each with the SHA-256 of its content."""
    return {file: _files[file] for file in sorted({homes[name] for name in names if name in homes})}


def from_file(path: str, name: str) -> Perturbator:
    """Load a file and return one of its perturbators; another process calls this to unpickle it."""
    load_file(path)
    return registered[name]


def of_library(name: str) -> Perturbator:
    """Return the perturbator of another library's function, such as `nlpaug.KeyboardAug`.

    Raises:
        UsageError: the library is missing or has no such function; or data names it, and the caller
            doesn't trust it.
    """
    check_trusted("the function", name)
    module = import_module(f"perturb.perturbators.{LIBRARIES[name.partition('.')[0]]}")
    perturbator: Perturbator = module.perturbator_of(name)
    return perturbator


def _register_all(loaded: Any) -> None:
    """Register the perturbators in a module, or a single perturbator."""
    values = list(vars(loaded).values()) if isinstance(loaded, ModuleType) else [loaded]
    for value in values:
        if isinstance(value, Perturbator) and value.name not in registered:
            add(value)


@contextmanager
def _all_or_none() -> Iterator[None]:
    """Forget everything registered in the block if it raises an exception."""
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
