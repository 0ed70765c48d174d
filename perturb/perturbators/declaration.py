"""Declare a perturbator: a function that finds sites or rewrites a unit. Private."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, cast, get_type_hints

from perturb.engine.sites import Sites
from perturb.errors import UsageError
from perturb.registry import registry
from perturb.registry.definition import (
    ANY,
    CHARACTERS,
    EXAMPLE,
    PLACES,
    WHOLE,
    WORDS,
    Expect,
    LabelRisk,
    Perturbator,
    Touch,
    Unit,
    UnitFunction,
    as_it_is,
    no_spread,
)
from perturb.registry.making import build_perturbator, summary_in


def perturbator(
    name: str,
    *,
    unit: Unit,
    summary: str = "",
    label_risk: LabelRisk | None,
    source: str = "",
    version: int = 1,
    intensities: tuple[float, ...] = CHARACTERS,
    aliases: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    share: Callable[..., float] = as_it_is,
    spread: Callable[..., float] = no_spread,
    example: str = EXAMPLE,
    languages: Collection[str] = ANY,
    scripts: Collection[str] = ANY,
    touches: Collection[Touch] | None = None,
    consistent: bool = False,
    on_options: Mapping[str, Any] | None = None,
    whole_items: bool = False,
    reads_json: bool = False,
    expect: Expect | None = None,
    expect_alone: Expect | None = None,
    expect_of_kind: Mapping[str, Expect] = MappingProxyType({}),
    english: bool = False,
) -> Callable[[Callable[..., Sites] | UnitFunction], Perturbator]:
    """Make a perturbator from a function, and register it.

    The function takes a `Batch` and returns `Sites` (see `perturb.engine`). Or it takes one unit,
    annotated as a string, and returns its replacement, always the same; it may be async. It draws
    random numbers from its parameter `rng`, if it has one: a `KeyedRandom` that gives each place of
    a text its own numbers, the same whenever that text is perturbed again. Its other keyword-only
    arguments are the perturbator's parameters; each needs a default. It should raise `UsageError`
    for a parameter that it can't use, even for an empty batch.

    Args:
        name: lower-case letters, digits and underscores.
        unit: what `p` is a share of: "character", "word", "sentence", "line", "text" or "place".
        summary: one sentence; without it, the first paragraph of the function's docstring.
        label_risk: "none", "low", "medium" or "high"; None for the measured one of a perturbator
            that comes with perturb, and otherwise "medium".
        source: where the idea or its numbers come from.
        version: raise it whenever the same call would give other bytes.
        intensities: `p` for very_low, low, medium, high, very_high and extreme, in [0, 1].
        aliases: other names, each with the parameters that it sets.
        share: a function from `p` and the parameters to the share of the units to edit, if `p` is a
            strength of another kind; it must never fall as `p` grows.
        spread: a function from the parameters to the default of `spread`, if the rates of texts
            were counted.
        example: a text that it changes visibly, for `perturb show`.
        languages: the ISO 639-1 codes of the languages that it can write, or ("any",); if it has a
            parameter `language` that is "auto", it writes the first, and the others on request.
        scripts: the scripts whose letters it can change with some value of its parameters, such as
            a layout, in lower case, as in ("latin", "greek").
        touches: the aspects that it may change, out of "digits", "letters", "words", "case",
            "punctuation", "space", "order", "layout" and "meaning". Without it perturb assumes all.
        consistent: whether it replaces the same name, say, in the same way throughout a text. It
            then sees the texts of a row as one, with blank lines between them, which stay.
        on_options: the parameters with which it acts on answer options alone: of a row with
            `choices` it sees nothing else. An empty mapping for any; the default is never.
        whole_items: whether it then acts on the items of a list, with all that belongs to each.
        reads_json: whether its texts are JSON and stay it. Such a step also takes fields that hold
            an object or a list of objects, as their JSON.
        expect: what happens to the right answer of an edited text: it stays the "same"; it is
            "mapped", that is moved or rewritten with the text; it becomes an "other" one; or that
            is "unknown". The default is "unknown" if `touches` names "meaning", else "same".
        expect_alone: the same for rows with one text and no target, in which nothing can follow its
            edits; the default is `expect`.
        expect_of_kind: the same by the value of its parameter `kind`, for those that differ.
        english: whether it writes English prose: only sites outside code, URLs and addresses count,
            `languages` is ("en",), and it gets the parameter `language`: "auto" leaves texts alone
            that are evidently not English, "en" doesn't.

    Raises:
        UsageError: a name is taken, reserved or malformed, or a word is not one of those above.

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
        if _takes_unit(name, function):
            from perturb.registry.from_function import find_units  # not for built-in ones

            find = find_units(name, cast(UnitFunction, function), unit)
        if english:
            from perturb.perturbators.shared.english import for_english  # it has tables of words

            find = for_english(find)
        new = build_perturbator(
            name,
            find,
            unit=unit,
            summary=summary or summary_in(inspect.getdoc(function)),
            label_risk=label_risk or registry.RISK_OF.get(name, "medium"),
            source=source,
            version=version,
            intensities=intensities,
            share=share,
            spread=spread,
            example=example,
            languages=("en",) if english else languages,
            scripts=scripts,
            touches=touches,
            consistent=consistent,
            on_options=on_options,
            whole_items=whole_items,
            reads_json=reads_json,
            expect=expect,
            expect_alone=expect_alone,
            expect_of_kind=expect_of_kind,
        )
        registry.add(new, aliases)
        return new

    return decorate


# The declarations of the perturbators that come with perturb, whose label risk is measured: of any,
# and of steps on letters, on words, on places of any text and of English prose, on all names of a
# text, and on whole texts.
own_perturbator = partial(perturbator, label_risk=None)
letter_perturbator = partial(own_perturbator, unit="character", touches={"letters"})
word_perturbator = partial(own_perturbator, unit="word", intensities=WORDS)
place_perturbator = partial(own_perturbator, unit="place", intensities=PLACES)
english_perturbator = partial(place_perturbator, english=True)
text_perturbator = partial(own_perturbator, unit="text", intensities=WHOLE)
consistent_perturbator = partial(
    english_perturbator, consistent=True, expect="mapped", intensities=WHOLE
)


def _takes_unit(name: str, function: Callable[..., Any]) -> bool:
    """Return whether the first argument of a function is annotated as a string."""
    first = next(iter(inspect.signature(function).parameters), "batch")
    kind = get_type_hints(function).get(first)
    if kind is None and first != "batch":
        raise UsageError(
            f"{name}: annotate the first argument of its function: {first}: str, which gets one "
            f"unit at a time, or {first}: Batch, which gets all texts at once"
        )
    return kind is str
