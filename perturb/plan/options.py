"""The options of a job in one table.

The command line builds its arguments from the table, YAML and recipes use its names, and a report
writes the command line of a manifest with it. To add an option, add a row here and a field to
`Job`; if Python takes it too, add its type to `Options` in `arguments.py`. This module imports
nothing heavy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

from perturb.registry.definition import COPIES, EXPECTS, MISSING, OFFSETS, SPAN_POLICIES

# The key of a row that holds its record.
LINKAGE = "perturbation"

Kind = Literal["text", "number", "switch", "texts"]

# The options in the form of a command's manual, in the order of recipes.
MANUAL = f"""\
fields of a row:
--field* PATH  the field to perturb (default: text), such as question, contexts[*] or
    messages[role=user].content; may be repeated
--target* PATH  a field with the right answer, which gets no noise; it follows consistent steps and
    moved answer options or passages (as a label, a number from 0, a text, an id, or an entry for
    each); may be repeated
--choices* [FIRST=]PATH  the answer options, where they are fields of their own: a list of strings,
    the texts of objects (question.choices[*].text), an object from label to text, or several
    fields, one option each; FIRST= says the label of the first; or a list whose items move as a
    whole, such as passages; they get no noise; may be repeated
--fixed* VALUE  a right answer that is no option and stays as it is, such as tie, null or -1; or a
    list beside moved passages that doesn't belong to them; may be repeated
--spans* [TEXT=]PATH  a field with spans of the text, to move along with it; TEXT= names the text if
    a row has several, or that of the passages which they are of; may be repeated
places of edits:
--protect* WHAT  let no edit touch this: url, email, number, placeholder, code, latex, html,
    mention, option_label, chat_token, negation, word:A,B (a word with a comma in double quotes),
    regex:..., field:[TEXT=]PATH (with spans); may be repeated
--only* WHAT  restrict edits to this; json: to the values in a JSON text, which stays valid JSON;
    comments or docstrings: to those of Python code, which runs as before
--span-policy {{{",".join(SPAN_POLICIES)}}}  what to do with spans that an edit touches (default:
    grow)
fields of a row:
--copies {{{",".join(COPIES)}}}  what to do with fields that keep a copy of the text, offsets into
    it or its tokens: warn of them, by the first 100 rows, or 1,000 if any of these has one
    (default); ignore them; or follow, so that they are changed by the edits of the text
--offsets {{{",".join(OFFSETS)}}}  what offsets of spans count: characters, which are code points
    (default), units of UTF-16, as in Java and JavaScript, or bytes of UTF-8
--missing {{{",".join(MISSING)}}}  what to do with rows without a text, such as null: stop with an
    error (default), keep them as they are, or skip them
--id-field FIELD  the field with a row's id, or a path to one, such as metadata.id (default: id)
--rows PATH  the path to the rows in a file or a line that holds several, such as examples[*] or
    data[*].paragraphs[*].qas[*]; a field of the object around a row is then ^.context, and one
    further out ^.^.title
--nested  with --rows: write the file in its own form, with the rows changed in place and nothing
    else, not even records; for JSON and one version of each row
versions of a row:
--seed SEED  the seed of all random numbers (default: 0)
--replicates N  versions of a row (default: 1)
--with-original  also write the untouched rows
--lean  leave the original texts out of the records
--expect* [LABEL=]WORD  what happens to the right answer, overruling the declarations of the steps:
    {", ".join(EXPECTS)}; LABEL= names one of several conditions; may be repeated"""
# Those that making one row again doesn't need.
_OF_CALL = {"rows", "nested", "replicates", "with_original", "expect"}


def rows_of(manual: str) -> dict[str, str]:
    """Return the rows of the options in a command's manual by their names in Python."""
    rows = (row for row in re.split(r"\n(?=\S)", manual) if row.startswith("--"))
    return {row.split()[0].strip("-*").replace("-", "_"): row for row in rows}


def _kind(row: str) -> Kind:
    name, _, value = row.partition("  ")[0].partition(" ")
    if name.endswith("*"):
        return "texts"
    return "number" if value in ("N", "SEED") else "text" if value else "switch"


OPTIONS: Mapping[str, Kind] = {name: _kind(row) for name, row in rows_of(MANUAL).items()}


def flag(name: str) -> str:
    """Return an option as the command line has it."""
    return "--" + name.replace("_", "-")


def of_row(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the recipe of one row needs; `copies` only if it changes rows."""
    return {
        name: value
        for name, value in options.items()
        if name in OPTIONS and name not in _OF_CALL and (name, value) != ("copies", "ignore")
    }


def to_words(options: Mapping[str, Any], quoted: Callable[[str], str] = str) -> list[str]:
    """Return options as words of a command line.

    Args:
        options: those that differ from their default, by their names in Python.
        quoted: returns a value in quotes if it needs them.
    """
    words = []
    for name, kind in OPTIONS.items():
        value = options.get(name)
        if kind == "switch":
            words += [flag(name)] if value else []
        elif value is not None:
            words += repeated(flag(name), value, quoted)
    return words


def repeated(flag: str, value: Any, quoted: Callable[[str], str] = str) -> list[str]:
    """Return an option as words of a command line, once for each value of a list."""
    values = value if isinstance(value, list | tuple) else [value]
    return [word for each in values for word in (flag, quoted(str(each)))]
