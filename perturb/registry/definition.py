"""Definitions of perturbators: the vocabularies of their attributes, and checks of parameters.

This module is private; `perturb.perturbator` documents the attributes for authors.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin

from perturb.boundary import Code, File, Lexicon, check_trusted, pinned
from perturb.errors import MEANT, UsageError, shown, suggestion
from perturb.values.fields import Frozen, check_word, plain

if TYPE_CHECKING:
    from perturb.engine.batch import Batch
    from perturb.engine.sites import Sites


# Names of strengths; each perturbator has a `p` for each.
Intensity = Literal["very_low", "low", "medium", "high", "very_high", "extreme"]
# The error rate of each severity, which means the same for all perturbators.
Severity = Literal[1, 2, 3, 4, 5]
INTENSITIES: tuple[str, ...] = get_args(Intensity)
Unit = Literal["character", "word", "sentence", "line", "text", "place"]
UNITS: tuple[str, ...] = get_args(Unit)
LabelRisk = Literal["none", "low", "medium", "high"]
LABEL_RISKS: tuple[str, ...] = get_args(LabelRisk)
Touch = Literal[
    "digits", "letters", "words", "case", "punctuation", "space", "order", "layout", "meaning"
]
TOUCHES: tuple[str, ...] = get_args(Touch)
# What happens to the right answer if a step edits the text; "abstain": the text no longer tells it,
# and a system should say that it can't know.
Expect = Literal["same", "mapped", "other", "abstain", "unknown"]
EXPECTS: tuple[str, ...] = get_args(Expect)
# What happens to a span that an edit touches.
SpanPolicy = Literal["grow", "drop", "refuse"]
SPAN_POLICIES: tuple[str, ...] = get_args(SpanPolicy)
Offsets = Literal["characters", "utf16", "bytes"]
OFFSETS: tuple[str, ...] = get_args(Offsets)
# The ways to treat copies of texts elsewhere in their rows.
Copies = Literal["warn", "ignore", "follow"]
COPIES: tuple[str, ...] = get_args(Copies)
# What happens to a row without a text.
Missing = Literal["error", "keep", "skip"]
MISSING: tuple[str, ...] = get_args(Missing)
# The options of a job that are one of some words.
CHOICES = {"span_policy": SPAN_POLICIES, "copies": COPIES, "offsets": OFFSETS, "missing": MISSING}
ANY = ("any",)
# The settings of every step.
SETTINGS = frozenset(
    """
    p intensity severity count min_edits max_edits skip_first skip_last min_word_length
    per of spare within signs spread segmenter field
    """.split()
)
# Names that steps, rows and calls use, so no parameter of a perturbator can have them.
RESERVED = SETTINGS | frozenset(
    """
    name version steps grid one_of some_of sometimes
    text rows batch rng seed id replicate replicates protect only spans span_policy offsets
    id_field data target shape choices fixed copies with_original lean expect missing trust config
    recipe workers format nested
    """.split()
)


@cache
def scripts_of_languages() -> Mapping[str, frozenset[str]]:
    """Return the scripts of each language in ISO 639-1."""
    from perturb.resources import read_rows  # here, since English steps need no table

    rows = read_rows("languages", "scripts.tsv")
    return {language: frozenset(scripts.split()) for language, scripts in rows}


def checked_languages(name: str, languages: Collection[str]) -> tuple[str, ...]:
    """Return the languages of a perturbator as a tuple.

    Raises:
        TypeError: a single string instead of a collection.
        UsageError: a code isn't in ISO 639-1, or "any" isn't alone.
    """
    codes = _words(name, "languages", languages)
    if codes in (ANY, ("en",)):
        return codes
    if not codes or "any" in codes:
        raise UsageError(f'{name}: languages must be like ("en", "de") or ("any",); got {codes}')
    for code in codes:
        if code not in scripts_of_languages():
            from locale import locale_alias  # knows languages by their English names

            alias = locale_alias.get(str(code).lower(), "")[:2]
            hint = f": did you mean {alias}?" if alias else " such as 'en'"
            raise UsageError(f"{name}: {code!r} isn't an ISO 639-1 language code{hint}")
    return codes


def checked_touches(
    name: str, touches: Collection[str] | None, kind: str = "touches"
) -> frozenset[str]:
    """Return the kinds of change that a perturbator may make; all if it declares none.

    Raises:
        TypeError: a single string instead of a collection.
        UsageError: an unknown word.
    """
    if touches is None:
        return frozenset(TOUCHES)
    words = _words(name, kind, touches)
    for word in words:
        check_word(f"{name}: {kind}", word, TOUCHES)
    return frozenset(words)


def _words(name: str, kind: str, words: Collection[str]) -> tuple[str, ...]:
    if isinstance(words, str) or not isinstance(words, Collection):
        raise TypeError(f"{name}: {kind} must be a collection such as ({words!r},); got {words!r}")
    return tuple(words)


# A function from one unit, such as a word, to its replacement.
UnitFunction = Callable[..., str] | Callable[..., Awaitable[str]]

# The text of all perturbators that show on any text.
EXAMPLE = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."

# H2O Eval Studio's scale for characters: the middle of each range.
CHARACTERS = (0.04, 0.10, 0.275, 0.525, 0.75, 0.95)
# For steps with sites at some letters only. Their shares are of all letters, so the upper half of
# the scale above would take every site at three strengths that then are one.
LETTERS = (0.04, 0.10, 0.275, 0.40, 0.50, 0.60)
# H2O's three levels for words, with one below and two above in similar steps.
WORDS = (0.05, 0.10, 0.30, 0.50, 0.70, 0.90)
# For places that a text has few of, such as numbers: a tenth of three places is mostly none.
PLACES = (0.10, 0.30, 0.50, 0.80, 0.90, 1.00)
# For steps that act on a whole text or not at all.
WHOLE = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def as_it_is(p: float, **_: Any) -> float:
    """Return the strength itself as the share of places to edit, as most perturbators do."""
    return p


def no_spread(**_: Any) -> float:
    """Return the spread of a step whose rates weren't counted: all texts have the same rate."""
    return 0.0


class FieldPath(str):
    """The path to a field of a row that a step reads beside its text."""

    __slots__ = ()


class Range(NamedTuple):
    """The range of a numeric parameter, as in `marks: Annotated[int, Range(1, 32)] = 1`."""

    least: float
    most: float = math.inf

    def __str__(self) -> str:
        upper = f"from {self.least:g} to {self.most:g}"
        return upper if math.isfinite(self.most) else f"at least {self.least:g}"


# A share of something, and a number of things.
Share = Annotated[float, Range(0, 1)]
Count = Annotated[int, Range(0)]


class Perturbator(Frozen):
    """A kind of change to text; see `perturb.perturbator`.

    Attributes:
        name: its name in steps.
        find: returns the sites of a batch; its keyword-only arguments are the parameters.
        unit: `p` is a share of these: "character", "word", "sentence", "line", "text", or "place"
            (its own kind of place).
        summary: one sentence.
        label_risk: how likely it changes the meaning of a text: "none", "low", "medium" or "high".
        source: where the idea or its numbers come from.
        version: raised whenever the same call would give other bytes.
        intensities: the `p` of each named intensity, in [0, 1].
        parameters: each parameter's default.
        types: each parameter's type, if it is annotated.
        ranges: the range of each parameter whose annotation has one.
        share: gives the share of units to edit for a `p` and the parameters, which never falls as
            `p` grows; by default `p` itself.
        spread: gives how much rates differ from text to text, as counted, for the parameters; the
            default of the setting `spread`. 0 for a noise that wasn't counted.
        example: a text that it changes visibly.
        reproducible: whether the same call always gives the same bytes.
        languages: the ISO 639-1 codes of the languages that it can write, or ("any",).
        scripts: the scripts that it can write, such as "latin", or ("any",).
        touches: the kinds of change it may make: "digits", "letters", "words", "case",
            "punctuation", "space", "order", "layout" and "meaning".
        consistent: whether it replaces the same by the same throughout a text, and so treats all
            texts of a row as one.
        on_options: the parameters with which it acts on answer options alone, so that it leaves
            other texts of a row that names its options; empty for any, None for never.
        whole_items: whether it acts on options as whole items of a list, which move with all that
            belongs to them, and not on their texts.
        reads_json: whether its texts are JSON and stay it, so that an object of a row is one too.
        expect: what happens to the right answer: a word of `EXPECTS`.
        expect_alone: the same if a row has one text and no target.
        expect_of_kind: the same by the value of its parameter `kind`, for those that differ.
    """

    name: str
    find: Callable[..., Sites]
    unit: str
    summary: str
    label_risk: str
    source: str
    version: int
    intensities: Mapping[str, float]
    parameters: Mapping[str, Any] = MappingProxyType({})
    types: Mapping[str, Any] = MappingProxyType({})
    ranges: Mapping[str, Range] = MappingProxyType({})
    share: Callable[..., float] = as_it_is
    spread: Callable[..., float] = no_spread
    example: str = EXAMPLE
    reproducible: bool = True
    languages: tuple[str, ...] = ANY
    scripts: tuple[str, ...] = ANY
    touches: frozenset[str] = frozenset(TOUCHES)
    consistent: bool = False
    on_options: Mapping[str, Any] | None = None
    whole_items: bool = False
    reads_json: bool = False
    expect: str = "same"
    expect_alone: str = "same"
    expect_of_kind: Mapping[str, str] = MappingProxyType({})

    def __call__(self, batch: Batch, **parameters: Any) -> Sites:
        """Return the sites of a batch."""
        return self.find(batch, **parameters)

    @property
    def built_in(self) -> bool:
        """True if the perturbator comes with perturb."""
        return self.find.__module__.startswith("perturb.perturbators.")

    def __repr__(self) -> str:
        return f"<Perturbator {self.name}: {self.summary}>"


# Whole numbers of parameters lie between this and its negative: 32 bits hold both, and a larger
# number would only ask for more memory than there is.
LARGEST = (1 << 31) - 1


def checked_parameters(
    perturbator: Perturbator, settings: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all parameters of a perturbator: the caller's, and defaults for the others.

    Args:
        perturbator: the perturbator.
        settings: the caller's parameters; a function of a module means its name, a path its file.
        others: other valid names, for the message on an unknown one.

    Raises:
        UsageError: an unknown parameter, or a value of a wrong type or out of range.
    """
    parameters = dict(perturbator.parameters)
    for key, value in settings.items():
        value = _by_name(value) if callable(value) else plain(value)
        if key not in parameters:
            hint = _USUAL.get(MEANT.get(key, key)) or suggestion(key, [*parameters, *others])
            if hint.startswith("known"):  # a list of settings that every step has would be noise
                hint = f"it has {', '.join(parameters) or 'none of its own'}"
            raise UsageError(f"{perturbator.name} has no parameter {key!r}; {hint}")
        kind = perturbator.types.get(key, Any)
        written = next((each for each in (kind, *get_args(kind)) if each in _WRITTEN), None)
        if written is not None and isinstance(value, str):
            if value != parameters[key] and written is not FieldPath:
                check_trusted(key, value)  # perturb opens or runs it
            value = _WRITTEN[written](value)
        if not _fits(value, kind):
            raise UsageError(
                f"{perturbator.name}: {key} must be {_in_words(kind)}; got {shown(value)}"
            )
        limits = perturbator.ranges.get(key)
        if limits and value is not None and not limits.least <= value <= limits.most:
            raise UsageError(f"{perturbator.name}: {key} must be {limits}; got {shown(value)}")
        parameters[key] = value
    return parameters


# The types of parameters that are written as strings, each with its constructor from one.
_WRITTEN: Mapping[Any, Callable[[str], str]] = {
    FieldPath: FieldPath, File: pinned, Code: Code, Lexicon: Lexicon,
}  # fmt: skip

# Hints for names that aren't settings of a step.
_USUAL = {
    "p": "did you mean p?",
    "replicates": "for several versions use perturb.augment(..., replicates=N); for a number of "
    "edits per text, count=N",
}


def _by_name(function: Any) -> str:
    """Return a function as `module:name`, for records and for other processes."""
    module, name = function.__module__, getattr(function, "__qualname__", repr(function))
    if getattr(sys.modules.get(module), name, None) is not function:
        raise UsageError(
            f"{name} can't be imported by name from {module}; move it to the module's top level"
        )
    return f"{module}:{name}"


def _fits(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if isinstance(kind, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if kind is float and type(value) is int:
        return True
    if kind is int and type(value) is int:
        return -LARGEST <= value <= LARGEST
    return type(value) is kind and not (kind is float and not math.isfinite(value))


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal or isinstance(kind, UnionType):
        return " or ".join(_in_words(each) for each in get_args(kind))
    names = {
        str: "a string",
        File: "the path of a file",
        FieldPath: "the path of a field",
        Code: "a function, as module:function",
        Lexicon: "a lexicon, such as nltk:fra",
        int: "a whole number within 32 bits",
        float: "a finite number",
        bool: "true or false",
        NoneType: "nothing",
    }
    return names.get(kind, repr(kind))
