"""The options of a job in one table.

The command line builds its arguments from the table, YAML and recipes use its names, and a report
writes the command line of a manifest with it. To add an option, add a row here and a field to
`Job`; if Python takes it too, add its type to `Options` in `arguments.py`. This module imports
nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from perturb.registry.definition import COPIES, EXPECTS, MISSING, OFFSETS, SPAN_POLICIES

# The key of a row that holds its record.
LINKAGE = "perturbation"

Kind = Literal["text", "number", "switch", "texts"]
FIELDS, EDITS, VERSIONS = "fields of a row", "places of edits", "versions of a row"


class Option(NamedTuple):
    """One option of a job.

    Attributes:
        name: its name in Python; on the command line and in recipes with - for _.
        kind: a "text", a "number", a "switch", or "texts" if it may be repeated.
        help: its help on the command line.
        arguments: further arguments for `argparse`.
        of_row: whether the recipe of one row needs it to make the row again.
        group: the title below which the command line's help has it.
    """

    name: str
    kind: Kind
    help: str
    arguments: Mapping[str, Any] = {}
    of_row: bool = True
    group: str = FIELDS

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
        "a field with the right answer, which gets no noise; it follows consistent steps and moved "
        "answer options or passages (as a label, a number from 0, a text, an id, or an entry for "
        "each); may be repeated",
        {"metavar": "PATH"},
    ),
    Option(
        "choices",
        "texts",
        "the answer options, where they are fields of their own: a list of strings, the texts of "
        "objects (question.choices[*].text), an object from label to text, or several fields, one "
        "option each; FIRST= says the label of the first; or a list whose items move as a whole, "
        "such as passages; they get no noise; may be repeated",
        {"metavar": "[FIRST=]PATH"},
    ),
    Option(
        "fixed",
        "texts",
        "a right answer that is no option and stays as it is, such as tie, null or -1; or a list "
        "beside moved passages that doesn't belong to them; may be repeated",
        {"metavar": "VALUE"},
    ),
    Option(
        "spans",
        "texts",
        "a field with spans of the text, to move along with it; TEXT= names the text if a row has "
        "several, or that of the passages which they are of; may be repeated",
        {"metavar": "[TEXT=]PATH"},
    ),
    Option(
        "protect",
        "texts",
        "let no edit touch this: url, email, number, placeholder, code, latex, html, mention, "
        "option_label, chat_token, negation, word:A,B (a word with a comma in double quotes), "
        "regex:..., field:[TEXT=]PATH (with spans); may be repeated",
        {"metavar": "WHAT"},
        group=EDITS,
    ),
    Option(
        "only",
        "texts",
        "restrict edits to this; json: to the values in a JSON text, which stays valid JSON; "
        "comments: to those of Python code, which runs as before",
        {"metavar": "WHAT"},
        group=EDITS,
    ),
    Option(
        "span_policy",
        "text",
        "what to do with spans that an edit touches (default: grow)",
        {"choices": SPAN_POLICIES},
        group=EDITS,
    ),
    Option(
        "copies",
        "text",
        "what to do with fields that keep a copy of the text, offsets into it or its tokens: warn "
        "of them, by the first 100 rows, or 1,000 if any of these has one (default); ignore them; "
        "or follow, so that they are changed by the edits of the text",
        {"choices": COPIES},
    ),
    Option(
        "offsets",
        "text",
        "what offsets of spans count: characters, which are code points (default), units of "
        "UTF-16, as in Java and JavaScript, or bytes of UTF-8",
        {"choices": OFFSETS},
    ),
    Option(
        "missing",
        "text",
        "what to do with rows without a text, such as null: stop with an error (default), keep "
        "them as they are, or skip them",
        {"choices": MISSING},
    ),
    Option("id_field", "text", "the field with a row's id (default: id)", {"metavar": "FIELD"}),
    Option(
        "rows",
        "text",
        "the path to the rows in a file or a line that holds several, such as examples[*] or "
        "data[*].paragraphs[*].qas[*]; a field of the object around a row is then ^.context, and "
        "one further out ^.^.title",
        {"metavar": "PATH"},
        of_row=False,
    ),
    Option(
        "nested",
        "switch",
        "with --rows: write the file in its own form, with the rows changed in place and nothing "
        "else, not even records; for JSON and one version of each row",
        of_row=False,
    ),
    Option("seed", "number", "the seed of all random numbers (default: 0)", group=VERSIONS),
    Option(
        "replicates",
        "number",
        "versions of a row (default: 1)",
        {"metavar": "N"},
        of_row=False,
        group=VERSIONS,
    ),
    Option(
        "with_original", "switch", "also write the untouched rows", of_row=False, group=VERSIONS
    ),
    Option("lean", "switch", "leave the original texts out of the records", group=VERSIONS),
    Option(
        "expect",
        "texts",
        f"what happens to the right answer, overruling the declarations of the steps: "
        f"{', '.join(EXPECTS)}; LABEL= names one of several conditions; may be repeated",
        {"metavar": "[LABEL=]WORD"},
        of_row=False,
        group=VERSIONS,
    ),
)
NAMES = tuple(option.name for option in OPTIONS)
BY_NAME = {option.name: option for option in OPTIONS}


def of_row(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the recipe of one row needs; `copies` only if it changes rows."""
    return {
        name: value
        for name, value in options.items()
        if name in BY_NAME and BY_NAME[name].of_row and (name, value) != ("copies", "ignore")
    }


def to_words(options: Mapping[str, Any], quoted: Callable[[str], str] = str) -> list[str]:
    """Return options as words of a command line.

    Args:
        options: those that differ from their default, by their names in Python.
        quoted: returns a value in quotes if it needs them.
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
