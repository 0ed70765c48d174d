"""The options of a job: one table, from which all that names or takes them derives.

The command line builds its arguments from it, a manifest holds its names, and a report writes the
command line of a manifest with it. To add an option, add a field here; if Python takes it too, add
it to the signatures of `augment` and `Transform`, which type checkers read. Imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from perturb.registry.vocabulary import SPAN_POLICIES
from perturb.values.frozen import Frozen


class OptionInfo(NamedTuple):
    """One option of a job.

    Attributes:
        name: its name in Python and in manifests.
        default: its value where it is not given.
        flag: its name on the command line.
        arguments: how `argparse` reads it.
    """

    name: str
    default: Any
    flag: str
    arguments: Mapping[str, Any]


def _option(default: Any, flag: str, **arguments: Any) -> Any:
    """Return the default of an option, and all that the command line needs to know of it."""
    return default, flag, arguments


class JobOptions(Frozen, kw_only=True):
    """The options of a job besides its pipelines.

    Attributes:
        field: the path to the texts.
        id_field: the field that names a row; a row without it is named by its texts.
        seed: of the random numbers; any signed integer of 64 bits.
        replicates: the number of versions of each row by each pipeline.
        protect: rules for what no edit may touch; `"field:PATH"` names the field that holds spans.
        only: rules for what edits are restricted to; `"field:PATH"` as in `protect`.
        spans_field: the field with spans to carry along; the output row has them moved.
        target: the field with the right one of several options; the output row has it named
            as it is after the steps.
        span_policy: "grow", "drop" or "refuse" a span that an edit touches.
        with_original: whether the untouched row comes first.
        compact: whether to leave the original out, and keep in each edit what it removed.
    """

    field: str = _option(
        "text", "--field", metavar="PATH", help="the field to perturb (default: text)"
    )
    id_field: str = _option("id", "--id-field", metavar="FIELD", help="names a row (default: id)")
    seed: int = _option(0, "--seed", type=int, help="default: 0")
    replicates: int = _option(1, "--replicates", type=int, metavar="N", help="versions of each row")
    protect: Any = _option(
        None,
        "--protect",
        action="append",
        metavar="WHAT",
        help="what no edit may touch: url, email, number, placeholder, code, latex, html, mention, "
        "option_label, chat_token, negation, word:..., regex:..., field:PATH (with spans); may be "
        "repeated",
    )
    only: Any = _option(
        None,
        "--only",
        action="append",
        metavar="WHAT",
        help="restrict edits to this; json: the values of a text that is JSON, which stays JSON",
    )
    spans_field: str | None = _option(
        None, "--spans", metavar="PATH", help="a field with spans of the text, to move along"
    )
    target: str | None = _option(
        None,
        "--target",
        metavar="PATH",
        help="a field with the right option of a multiple-choice question (its label, its number "
        "from 0, or its text), to follow it",
    )
    span_policy: str = _option(
        "grow",
        "--span-policy",
        choices=SPAN_POLICIES,
        help="for spans that an edit touches (default: grow)",
    )
    with_original: bool = _option(
        False, "--with-original", action="store_true", help="also write the untouched rows"
    )
    compact: bool = _option(
        False, "--compact", action="store_true", help="leave the original out of the records"
    )


OPTIONS = tuple(OptionInfo(name, *vars(JobOptions)[name]) for name in JobOptions._fields)
# Now that these are known, the class has the defaults alone, which is what `Frozen` looks for.
for _one in OPTIONS:
    setattr(JobOptions, _one.name, _one.default)


def split_options(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of a job among what was given, and the rest."""
    options = {one.name: given[one.name] for one in OPTIONS if one.name in given}
    return options, {name: value for name, value in given.items() if name not in options}


def to_words(options: Mapping[str, Any]) -> list[str]:
    """Return options as words of a command line; those that have their default need none."""
    return [
        word
        for one in OPTIONS
        if (value := options.get(one.name, one.default)) != one.default
        for word in ([one.flag] if value is True else repeated(one.flag, value))
    ]


def repeated(flag: str, value: Any) -> list[str]:
    """Return an option as words of a command line, once for each value of a list."""
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (flag, str(one))]
