"""Register perturbators and find them by name: built-in ones, the caller's, other packages'."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from perturb.errors import UnknownStepError, shown, suggestion
from perturb.registry import described, store
from perturb.registry.built_in import MODULE_OF, is_of_library, load, unlisted_module
from perturb.registry.definition import Perturbator
from perturb.registry.vocabulary import Expect, LabelRisk, Touch


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
    store.register(new)
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
        from perturb.registry.plugins import of_library

        return of_library(name), {}
    entry = _entry(name)
    if entry is None:
        from perturb.registry.plugins import check_not_broken

        check_not_broken(name)
        names = dict.fromkeys([*MODULE_OF, *store.registered, *store.aliases])
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
    entry = store.entry(name)
    if entry is not None:
        return entry
    from perturb.registry.plugins import load_installed

    load_installed(name)
    if store.entry(name) is None:
        load_installed()
    return store.entry(name)


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
    from perturb.registry.plugins import load_installed

    load_installed()
    others = (vars(kind) for name, kind in store.registered.items() if name not in MODULE_OF)
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
    return dict(sorted(store.aliases.items()))
