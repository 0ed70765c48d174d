"""The options of a job: one table, from which all that names or takes them derives.

The command line builds its arguments from it, YAML and recipes use its names, and a report writes
the command line of a manifest with it. To add an option, add a row here and a field to `Job`; if
Python takes it too, add its type to `Options` in `arguments.py`. Imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from perturb.registry.definition import EXPECTS, MISSING, SPAN_POLICIES

# The key of a row that holds its record.
LINKAGE = "perturbation"

Kind = Literal["text", "number", "switch", "texts"]


class Option(NamedTuple):
    """One option of a job.

    Attributes:
        name: its name in Python; on the command line and in recipes with - for _.
        kind: a "text", a "number", a "switch", or "texts" where it may be given again.
        help: what the command line says of it.
        arguments: what `argparse` needs besides.
        of_row: whether the recipe of one row has it: it is needed to make the row again.
    """

    name: str
    kind: Kind
    help: str
    arguments: Mapping[str, Any] = {}
    of_row: bool = True

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return "--" + self.name.replace("_", "-")


OPTIONS = (
    Option(
        "field",
        "texts",
        "the field to perturb (default: text), such as question, contexts[*] or "
        "messages[role=user].content; may be repeated",
        {"metavar": "PATH"},
    ),
    Option(
        "target",
        "texts",
        "a field with the right answer: it gets no noise, and follows what consistent steps and "
        "moved options do (an option by its label, its number from 0, or its text); may be "
        "repeated",
        {"metavar": "PATH"},
    ),
    Option(
        "spans",
        "texts",
        "a field with spans of the text, to move along; TEXT= names the text where a row has "
        "several; may be repeated",
        {"metavar": "[TEXT=]PATH"},
    ),
    Option(
        "protect",
        "texts",
        "what no edit may touch: url, email, number, placeholder, code, latex, html, mention, "
        "option_label, chat_token, negation, word:A,B (a word with a comma in double quotes), "
        "regex:..., field:[TEXT=]PATH (with spans); may be repeated",
        {"metavar": "WHAT"},
    ),
    Option(
        "only",
        "texts",
        "restrict edits to this; json: the values of a text that is JSON, which stays JSON",
        {"metavar": "WHAT"},
    ),
    Option(
        "span_policy",
        "text",
        "what to do with spans that an edit touches (default: grow)",
        {"choices": SPAN_POLICIES},
    ),
    Option(
        "missing",
        "text",
        "what to do with rows without a text, such as null (default: error); keep leaves them as "
        "they are, skip leaves them out",
        {"choices": MISSING},
    ),
    Option("id_field", "text", "the field that names a row (default: id)", {"metavar": "FIELD"}),
    Option("seed", "number", "the seed of all random numbers (default: 0)"),
    Option(
        "replicates", "number", "versions of a row (default: 1)", {"metavar": "N"}, of_row=False
    ),
    Option("with_original", "switch", "also write the untouched rows", of_row=False),
    Option("lean", "switch", "leave the original texts out of the records"),
    Option(
        "expect",
        "texts",
        f"what becomes of the right answer, in place of what the steps declare: "
        f"{', '.join(EXPECTS)}; LABEL= names a condition of several; may be repeated",
        {"metavar": "[LABEL=]WORD"},
        of_row=False,
    ),
)
NAMES = tuple(option.name for option in OPTIONS)
BY_NAME = {option.name: option for option in OPTIONS}


def to_words(options: Mapping[str, Any], quoted: Callable[[str], str] = str) -> list[str]:
    """Return options as words of a command line.

    Args:
        options: by their names in Python; without those that have their default.
        quoted: returns a value as it is written.
    """
    words = []
    for option in OPTIONS:
        value = options.get(option.name)
        if option.kind == "switch":
            words += [option.flag] if value else []
        elif value is not None:
            words += repeated(option.flag, value, quoted)
    return words


def repeated(flag: str, value: Any, quoted: Callable[[str], str] = str) -> list[str]:
    """Return an option as words of a command line, once for each value of a list."""
    values = value if isinstance(value, list | tuple) else [value]
    return [word for each in values for word in (flag, quoted(str(each)))]
