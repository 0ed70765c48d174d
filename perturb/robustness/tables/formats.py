"""The forms of a table: fitted to a terminal, Markdown, LaTeX, HTML, CSV."""

from __future__ import annotations

import csv
import html
import io
import re
from functools import lru_cache
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

# A terminal's usual width; and one more than the longest name of a perturbator, which would be cut
# within the name below that.
WIDTH, _NARROWEST = 80, 18
_BRACKETS = re.compile(r"\[[^]]*\]")


def folded(
    header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int | None
) -> tuple[list[str], list[list[str]]]:
    """Return the head of a table, and for each row its lines.

    Args:
        header: the names of the columns.
        rows: at least one.
        width: the width of the table; cells go on in the next line where it is too narrow, first
            those of the first column. None for as wide as it needs to be.
    """
    columns = [*zip(header, *rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    if width is not None:
        room = max(width - sum(widths[1:]) - 3 * (len(widths) - 1), _NARROWEST)
        widths[0] = max(len(part) for name in columns[0] for part in _cut(name, room, 2))
        widths = _narrowed(columns, widths, width)
    groups = [[*zip_longest(*_parts(row, widths), fillvalue="")] for row in (header, *rows)]
    lines = iter(aligned([line for group in groups for line in group], len(groups[0])).split("\n"))
    head = [*islice(lines, len(groups[0]) + 1)]
    return head, [[line.rstrip(" |") for line in islice(lines, len(group))] for group in groups[1:]]


def _parts(row: Sequence[str], widths: Sequence[int]) -> list[list[str]]:
    """Return the lines of each cell of a row."""
    return [_cut(cell, widths[at], 0 if at else 2) for at, cell in enumerate(row)]


def _narrowed(columns: Sequence[Sequence[str]], widths: list[int], width: int) -> list[int]:
    """Return the widths of columns in a table of a width, with the fewest lines more.

    The first stays as it is, and all do where the table can't be as narrow: broken cells in lines
    that are broken again would be the hardest to read.
    """
    narrow = widths.copy()
    while sum(narrow) + 3 * (len(narrow) - 1) > width:
        ways = []
        for at, column in enumerate(columns[1:], 1):
            cut = [_cut(cell, narrow[at] - 1) for cell in column]
            least = max(len(part) for parts in cut for part in parts)
            if least < narrow[at]:
                ways.append((sum(map(len, cut)) / (narrow[at] - least), at, least))
        if not ways:
            return widths
        _, at, narrow[at] = min(ways)
    return narrow


@lru_cache(maxsize=1 << 10)
def _cut(cell: str, width: int, indent: int = 0) -> list[str]:
    """Return the lines of a cell, without breaks within an interval."""
    if len(cell) <= width:
        return [cell]
    whole = _BRACKETS.sub(lambda match: match[0].replace(" ", "\xa0"), cell)
    return [part.replace("\xa0", " ") for part in wrapped(whole, width, indent)]


def wrapped(text: str, width: int = WIDTH, indent: int = 0) -> list[str]:
    """Break a sentence into lines of at most so many columns, if no word of it is longer.

    All lines but the first are indented.

    Examples:
        >>> wrapped("keyboard_typos_of_mine p=0.1", 18, indent=2)
        ['keyboard_typos_of_mine', '  p=0.1']
    """
    import textwrap

    begin = " " * indent
    return textwrap.TextWrapper(
        width, subsequent_indent=begin, break_on_hyphens=False, break_long_words=False
    ).wrap(text)


def aligned(rows: Sequence[Sequence[str]], head: int = 1) -> str:
    """Return rows as columns of equal width, the first ones above a line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.insert(head, "-" * (sum(widths) + 3 * (len(widths) - 1)))
    return "\n".join(lines)


def number(value: float | None, form: str) -> str:
    """Return a number in a form; "-" for none."""
    return "-" if value is None else format(value, form)


def place(rank: int | None, low: int | None, high: int | None) -> str:
    """Return a rank, with its interval if that holds more."""
    return "-" if rank is None else f"{rank}" if low == high else f"{rank} [{low}, {high}]"


def as_csv(rows: Sequence[Mapping[str, Any]], delimiter: str = ",") -> str:
    """Return one line a row, under a line of names; an empty cell is a missing value."""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n", delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def as_json(value: dict[str, Any]) -> str:
    """Return one JSON object over several lines."""
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


# A hyphen before a number, but for those within names and dates.
MINUS = re.compile(r"(?<![\w.])-(?=\.?\d)")
_TEX = str.maketrans(
    {
        "_": r"\_",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "→": r"$\rightarrow$",
    }
)


class Table(NamedTuple):
    """A sentence, the table that it sums up, and hints of what to do next.

    Attributes:
        sentence: the most important.
        header: the names of the columns; one may be "verdict".
        rows: of strings.
        reasons: for each row, why it can't be judged; "" where it can.
        known: the reasons that the sentence tells.
        hints: each in one sentence.
        bold: cells that stand out, by row and column.
    """

    sentence: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    reasons: list[str]
    known: set[str]
    hints: Sequence[str] = ()
    bold: Collection[tuple[int, int]] = ()

    def explained(self) -> list[tuple[str, ...]]:
        """Return the rows, with the reason beside "cannot judge"."""
        if "verdict" not in self.header:
            return [*self.rows]
        at = self.header.index("verdict")
        return [
            (*row[:at], f"{row[at]}: {reason}" if reason else row[at], *row[at + 1 :])
            for row, reason in zip(self.rows, self.reasons, strict=True)
        ]


class VerdictWord(str):
    """A verdict as a piece of printed text, in a colour by its kind, which names no system."""

    kind: str

    def __new__(cls, text: str, kind: str = "") -> VerdictWord:
        """Make one; a kind that isn't given is that of the text, or the text."""
        word = super().__new__(cls, text)
        word.kind = kind or getattr(text, "kind", text)
        return word


def as_text(table: Table, width: int | None = WIDTH) -> str:
    """Return the sentence, a table of this width, and the hints; see `as_pieces`."""
    return "".join(as_pieces(table, width))


def as_pieces(table: Table, width: int | None = WIDTH) -> list[str]:
    """Return the sentence, a table of this width, and the hints, in pieces to be joined.

    Cells that are too long for their column go on in the next line. The reason why a row cannot be
    judged stands below the first that has it, where the sentence does not tell it.

    Args:
        table: what to show.
        width: the width of the table; None for as wide as it needs to be.

    Returns:
        Text, and between it each verdict of the table as a `VerdictWord`.
    """
    lines, groups = folded(table.header, table.rows, width)
    verdicts = table.header.index("verdict") if "verdict" in table.header else None
    start = lines[0].rindex("| verdict") + 2 if verdicts is not None else 0
    pieces = ["\n".join([*wrapped(table.sentence), "", *lines])]
    told = {*table.known}
    for group, row, reason in zip(groups, table.rows, table.reasons, strict=True):
        kind = "" if verdicts is None else VerdictWord(row[verdicts]).kind
        for line in group:
            word = line[start:].partition(" |")[0].rstrip() if verdicts is not None else ""
            verdict = [VerdictWord(word, kind)] if word else []
            pieces += [f"\n{line[:start]}", *verdict, line[start + len(word) :]]
        below = [] if reason in told else wrapped(reason, WIDTH - 2)
        told.add(reason)
        pieces += [f"\n  {line}" for line in below]
    return [*pieces, *(f"\n{line}" for hint in table.hints for line in ("", *wrapped(hint)))]


def as_markdown(table: Table) -> str:
    """Return the sentence in bold, a table and the hints in Markdown, as CI summaries show it."""
    escaped = [
        [cell.replace("|", r"\|").replace("->", "→") for cell in row] for row in table.explained()
    ]
    for row, column in table.bold:
        escaped[row][column] = f"**{escaped[row][column]}**"
    lines = [
        f"| {' | '.join(row)} |" for row in (table.header, ["---"] * len(table.header), *escaped)
    ]
    lines = [line.replace("clean -> perturbed", "clean → perturbed") for line in lines]
    hints = [f"- {hint}" for hint in table.hints]
    return "\n".join([f"**{table.sentence}**", "", *lines, *([""] if hints else []), *hints])


def as_latex(table: Table) -> str:
    """Return a `tabular` with the rules of booktabs, under sentence and hints as comments."""
    rows = [[*map(_tex, row)] for row in (table.header, *table.explained())]
    for row, column in table.bold:
        rows[1 + row][column] = rf"\textbf{{{rows[1 + row][column]}}}"
    lines = [" & ".join(row) + r" \\" for row in rows]
    begin = rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}"
    body = [begin, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*(f"% {line}" for line in (table.sentence, *table.hints)), *body])


def _tex(cell: str) -> str:
    r"""Return a cell in LaTeX, with minus signs before numbers and no hyphens.

    Examples:
        >>> print(_tex("-0.2 [-0.3, -0.1] of model-7 -> x"))
        $-$0.2 [$-$0.3, $-$0.1] of model-7 $\rightarrow$ x
    """
    text = cell.replace("->", "→").translate(_TEX).replace(" - ", " $-$ ")
    return MINUS.sub("$-$", text)


def as_html(table: Table) -> str:
    """Return the sentence and the table, as notebooks show it."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in table.explained()
    )
    hints = "".join(f"<p>{html.escape(hint)}</p>" for hint in table.hints)
    return (
        f"<p><b>{html.escape(table.sentence)}</b></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{hints}"
    )


class Shown:
    """Anything that is shown as a sentence and a table, with hints."""

    hints: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The findings in words, the most important first."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {"sentence": self.sentence, "hints": list(self.hints)}

    def to_pandas(self) -> Any:
        """Return a DataFrame, with a row for each condition and metric; needs pandas."""
        import pandas

        return pandas.DataFrame(self._rows())

    def _repr_html_(self) -> str:
        return as_html(self._table())

    def __str__(self) -> str:
        return as_text(self._table())

    def _table(self, wide: bool = False) -> Table:
        raise NotImplementedError

    def _paper(self, wide: bool = False) -> Table:
        """Return the table as a paper has it."""
        return self._table(wide)

    def _rows(self) -> Sequence[dict[str, Any]]:
        """Return the rows of a sheet, in order."""
        raise NotImplementedError


# The forms in which commands write findings, which help lists without NumPy. Each takes
# whether to show all measures.
FORMS: dict[str, Callable[[Shown, bool], str]] = {
    "table": lambda results, wide: as_text(results._table(wide), None if wide else WIDTH),
    "md": lambda results, wide: as_markdown(results._paper(wide)),
    "latex": lambda results, wide: as_latex(results._paper(wide)),
    "tsv": lambda results, _: as_csv(results._rows(), "\t"),
    "csv": lambda results, _: as_csv(results._rows()),
    "json": lambda results, _: as_json(results.to_dict()),
}
