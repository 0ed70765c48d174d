"""Register perturbators and find them by name: built-in ones, the caller's, other packages'."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType
from typing import Any, cast

from perturb.engine.sites import Sites
from perturb.errors import UnknownStepError, UsageError, shown, suggestion
from perturb.registry import described
from perturb.registry.built_in import MODULE_OF, is_of_library
from perturb.registry.definition import (
    CHARACTERS,
    EXAMPLE,
    Perturbator,
    as_it_is,
    build_perturbator,
)
from perturb.registry.from_unit import UnitFunction, find_units, takes_unit
from perturb.registry.vocabulary import (
    ANY,
    Expect,
    LabelRisk,
    Touch,
    Unit,
)

_registered: dict[str, Perturbator] = {}
_aliases: dict[str, tuple[str, Mapping[str, Any]]] = {}
_edition = 0


def perturbator(
    name: str,
    *,
    unit: Unit,
    summary: str,
    label_risk: LabelRisk,
    source: str = "",
    version: int = 1,
    intensities: tuple[float, ...] = CHARACTERS,
    aliases: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    share: Callable[..., float] = as_it_is,
    example: str = EXAMPLE,
    languages: Collection[str] = ANY,
    touches: Collection[Touch] | None = None,
    consistent: bool = False,
    expect: Expect | None = None,
    expect_alone: Expect | None = None,
    english: bool = False,
) -> Callable[[Callable[..., Sites] | UnitFunction], Perturbator]:
    """Make a perturbator of a function, and register it.

    The function takes a `Batch` and returns `Sites` (see `perturb.engine`). Or it takes one unit,
    annotated as a string, and returns what to write for it, always the same; it may be async. What
    it draws at random it draws from its parameter `rng`, if it has one: a `KeyedRandom` that gives
    each place of a text its own numbers, the same whenever that text is perturbed again.
    Its other keyword-only arguments are the perturbator's parameters; each needs a default. It
    should raise `UsageError` for a parameter that it can't use, even for an empty batch.

    Args:
        name: lower-case letters, digits and underscores.
        unit: what `p` is a share of: "character", "word", "sentence", "line", "text" or "place".
        summary: one sentence.
        label_risk: "none", "low", "medium" or "high".
        source: where the idea or its numbers come from.
        version: raise it whenever the same call would give other bytes.
        intensities: `p` for very_low, low, medium, high, very_high and extreme, in [0, 1].
        aliases: other names, each with the parameters that it stands for.
        share: a function of `p` and the parameters that gives the share of the units to edit,
            where `p` is a strength of another kind; it must never fall as `p` grows.
        example: a text that it changes visibly, for `perturb show`.
        languages: the ISO 639-1 codes of the languages that it can write, or ("any",); where a
            parameter `language` is "auto", it writes the first, and the others if told to.
        touches: what it may change, out of "digits", "letters", "words", "case", "punctuation",
            "space", "order", "layout" and "meaning". Where it is not given, perturb assumes all.
        consistent: whether it writes the same for the same throughout a text, as for a name. Of a
            row with several texts it then sees one: they are parted by blank lines, which stay.
        expect: what becomes of the right answer where it acts: it stays the "same"; it is "mapped",
            which is moved or rewritten with the text; it is an "other" one; or that is "unknown".
            Where it is not given: "unknown" if `touches` names "meaning", else "same".
        expect_alone: the same for rows that have one text and no target, so that nothing can follow
            its edits; as `expect` where it is not given.
        english: whether it writes English prose: of what it finds only sites outside of code, URLs
            and addresses count, `languages` is ("en",), and it gets the parameter `language`,
            "auto" or "en", which says whether texts that are evidently not English stay.

    Raises:
        UsageError: a name is taken, reserved or not well formed, or a word is not one of those
            above.

    Examples:
        >>> import perturb
        >>> @perturb.perturbator(
        ...     "vowel_drop", unit="character", summary="Drop vowels.", label_risk="low"
        ... )
        ... def vowel_drop(batch):
        ...     return batch.sites_where("aeiou")
        >>> str(perturb.apply("vowels are out", vowel_drop, p=1.0))
        'vwls r t'
        >>> @perturb.perturbator("loud", unit="word", summary="Shout.", label_risk="low")
        ... def loud(word: str) -> str:
        ...     return word.upper()
        >>> str(perturb.apply("speak up, please", loud, count=1))
        'speak up, PLEASE'
    """

    def decorate(function: Callable[..., Sites] | UnitFunction) -> Perturbator:
        find = cast(Callable[..., Sites], function)
        if takes_unit(function):
            find = find_units(name, cast(UnitFunction, function), unit)
        if english:
            from perturb.perturbators.shared.english import for_english

            find = for_english(find)
        new = build_perturbator(
            name,
            find,
            unit=unit,
            summary=summary,
            label_risk=label_risk,
            source=source,
            version=version,
            intensities=intensities,
            share=share,
            example=example,
            languages=("en",) if english else languages,
            touches=touches,
            consistent=consistent,
            expect=expect,
            expect_alone=expect_alone,
        )
        register(new)
        for alias, parameters in aliases.items():
            _claim(alias, find)
            _aliases[alias] = (name, parameters)
        return new

    return decorate


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
    _claim(new.name, new.find)
    if new.name in _registered:
        _changed()
    _registered[new.name] = new
    return new


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
    if _registered.get(new.name) is new:
        yield
        return
    register(new)
    try:
        yield
    finally:
        del _registered[new.name]
        _changed()


def registered() -> Mapping[str, Perturbator]:
    """Return the perturbators that are loaded, by name."""
    return _registered


def goes_by_name(found: Perturbator) -> bool:
    """Return whether the name of a perturbator stands for it in this process."""
    return _registered.get(found.name) is found


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
    if not is_known(name):
        from perturb.registry.plugins import check_not_broken

        check_not_broken(name)
        near = suggestion(name, list(dict.fromkeys([*MODULE_OF, *_registered, *_aliases])))
        raise UnknownStepError(f"unknown perturbator {name!r}: {near}")
    target, parameters = _aliases.get(name, (name, {}))
    return _registered[target], parameters


def is_known(name: str) -> bool:
    """Return whether a perturbator or an alias is called `name`."""
    _load(name)
    for installed in (name, None):  # the plugin of that name, then all
        if name not in _registered and name not in _aliases:
            _load_installed(installed)
    return name in _registered or name in _aliases


def names(
    *,
    language: str | None = None,
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
    _load_installed()
    own = (vars(found) for name, found in _registered.items() if name not in MODULE_OF)
    return described.chosen(
        [*described.built_in().values(), *own],
        language=language,
        max_risk=max_risk,
        keeps=keeps,
        expect=expect,
    )


def aliases_of(name: str) -> dict[str, Mapping[str, Any]]:
    """Return the aliases of a perturbator that is loaded, with the parameters of each."""
    return {alias: given for alias, (target, given) in sorted(_aliases.items()) if target == name}


def aliases() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return every alias with the name and the parameters that it stands for."""
    _load_all()
    return dict(sorted(_aliases.items()))


def _load(name: str) -> None:
    """Import the module of a built-in perturbator, if that is the name of one."""
    if name in MODULE_OF:
        import_module(f"perturb.perturbators.{MODULE_OF[name]}")


def _load_all() -> None:
    for name in MODULE_OF:
        _load(name)


def snapshot() -> tuple[Mapping[str, Perturbator], Mapping[str, Any]]:
    """Return what is registered, for `restore`."""
    return dict(_registered), dict(_aliases)


def restore(before: tuple[Mapping[str, Perturbator], Mapping[str, Any]]) -> None:
    """Forget what was registered after a snapshot."""
    for name in _registered.keys() - before[0].keys():
        del _registered[name]
    for name in _aliases.keys() - before[1].keys():
        del _aliases[name]
    _changed()


def _load_installed(name: str | None = None) -> None:
    """Load the perturbators that other packages declare."""
    from perturb.registry.plugins import load_installed

    load_installed(name)


def _claim(name: str, find: Callable[..., Sites]) -> None:
    _load(name)
    if name in _registered or name in _aliases:
        owner = _registered[_aliases[name][0] if name in _aliases else name].find
        if _where(owner) == _where(find):
            return  # a cell of a notebook, or a module, that ran again
        raise UsageError(
            f"the perturbator {name!r} of {_where(find)} is already registered by {_where(owner)}"
        )


def _where(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
