"""Load perturbators from elsewhere: packages' entry points, files of callers, other libraries.

An installed plugin that can't be loaded costs one warning, and all else goes on: nobody asked for
it in this call. A file that the caller names has to load.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from perturb.boundary import check_trusted, import_file, read_whole, sha256
from perturb.errors import UsageError
from perturb.registry import store
from perturb.registry.built_in import LIBRARIES
from perturb.registry.definition import Perturbator
from perturb.registry.described import installed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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
    before = set(store.registered)
    with _all_or_none():
        _register_all(import_file(path))
    new = store.registered.keys() - before
    if not new:
        raise UsageError(
            f"the plugin {path} defines no perturbator: decorate a function with "
            "@perturb.perturbator, or assign one of perturb.from_function or from_regex to a name"
        )
    _files[file] = sha256(read_whole(file))
    store.homes.update(dict.fromkeys(new, file))


def files() -> dict[str, str]:
    """Return the files that were loaded, each with the SHA-256 of its content."""
    return dict(sorted(_files.items()))


def from_file(path: str, name: str) -> Perturbator:
    """Return a perturbator of a file, as another process needs it."""
    load_file(path)
    return store.registered[name]


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
        if isinstance(value, Perturbator) and value.name not in store.registered:
            store.register(value)


@contextmanager
def _all_or_none() -> Iterator[None]:
    """Forget what was registered meanwhile where an exception ends it."""
    before = store.snapshot()
    try:
        yield
    except BaseException:
        store.restore(before)
        raise


def _complaint(entry_point: EntryPoint, error: BaseException) -> str:
    package = f" of {entry_point.dist.name}" if entry_point.dist else ""
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    return (
        f"the plugin {entry_point.name!r}{package} ({entry_point.value}) can't be loaded: "
        f"{reason}; upgrade or uninstall the package"
    )
