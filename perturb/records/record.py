"""The linkage record: a text, its original, and every edit between; and lists of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NoReturn, SupportsIndex, TypeVar, overload

from perturb.engine.scope import Span
from perturb.errors import OF_RECORDS, likely, shown
from perturb.plan.job import Version
from perturb.plan.options import LINKAGE
from perturb.records.batch import RecordBatch, StepResult
from perturb.records.edit import Edit, Style, growth, html_text, marked, project, restore

T = TypeVar("T")


class KeptText:
    """One record by itself, without a batch: of a pickle, or of a row of a file.

    Its attributes are those of `RecordBatch`, for one text.
    """

    ids: Sequence[str]
    fields: Sequence[str]
    texts: Sequence[str]
    originals: Sequence[str]
    original_ids: Sequence[str]
    statuses: Sequence[str]
    edits: Sequence[tuple[Edit, ...]]
    spans: Sequence[tuple[Span | None, ...]]
    linkages: Sequence[dict[str, str]]
    _version: Version
    _steps: tuple[StepResult, ...]

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    @classmethod
    def of(cls, batch: RecordBatch, row: int) -> KeptText:
        """Take one record out of its batch."""
        columns = [name for name in cls.__annotations__ if not name.startswith("_")]
        values = {name: (getattr(batch, name)[row],) for name in columns}
        return cls(**values, _version=batch.version, _steps=batch.steps(row))

    @property
    def version(self) -> Version:
        """What made the text."""
        return self._version

    def steps(self, row: int) -> tuple[StepResult, ...]:  # noqa: ARG002
        """Return what each step did."""
        return self._steps


class _Column(Generic[T]):
    """An attribute of a record, which a column of its source has; nobody sets it.

    Args:
        column: the name of the column.
        key: of a column of mappings, the key of the attribute in them.
    """

    def __init__(self, column: str, key: str = "") -> None:
        self._column, self._key = column, key

    def __get__(self, record: Record | None, _: type[Record] | None = None) -> T:
        if record is None:  # it is the class that is asked
            return self  # type: ignore[return-value]
        value = getattr(record._source, self._column)[record._row]
        return value[self._key] if self._key else value  # type: ignore[no-any-return]


class Record:
    """The record of everything that was done to one text. Read-only.

    `str(record)` is the perturbed text. Two records are equal if they say the same. In a notebook
    a record shows as its text with the edits marked.

    Attributes:
        id: names this version of the text.
        original_id: names the original; all versions of one original share it.
        text: the perturbed text.
        original: the text before.
        edits: from `original` to `text`, in order, without overlap.
        steps: each step that the text took, with its units, sites and edits.
        condition: the noise, as the caller typed or named it.
        status: "changed", or why not: "no site", "protected", "drew zero", "p is 0", "filtered",
            "cancelled out" (a later step undid an earlier one), "not taken" (its combinators drew
            no step for it), "not English", "not segmented", or "no rewording".
        expect: what becomes of the right answer: "same", "mapped" (moved or rewritten with the
            text), "other", "abstain" (nobody can know it now) or "unknown".
        check: proves the original; see `perturb.restored`.
        recipe: what makes the text again.
        seed: as given.
        replicate: as given; 0 for the first version.
        units: the units of the steps, summed.
        sites: the sites of the steps, summed.
        rate: edits a unit over all steps, in [0, 1]; 0.0 for a text without units.
        field: where in a row the text stood; "text" for a bare text.
        spans: the caller's spans in `text`, None for one that was dropped; empty if none were
            given.
    """

    # Lists of texts become lists of these: they keep nothing that the source has. `_grown` is there
    # once a span was moved, as more will be.
    __slots__ = ("_grown", "_row", "_source")
    _grown: list[int]

    def __init__(self, source: RecordBatch | KeptText, row: int) -> None:
        self._source = source
        self._row = row

    text = _Column[str]("texts")
    original = _Column[str]("originals")
    id = _Column[str]("ids")
    original_id = _Column[str]("original_ids")
    edits = _Column[tuple[Edit, ...]]("edits")
    status = _Column[str]("statuses")
    field = _Column[str]("fields")
    spans = _Column[tuple[Span | None, ...]]("spans")
    condition = _Column[str]("linkages", "condition")
    expect = _Column[str]("linkages", "expect")
    check = _Column[str]("linkages", "check")
    recipe = _Column[str]("linkages", "recipe")

    if not TYPE_CHECKING:  # so that type checkers know which attributes there are

        def __getattr__(self, name: str) -> NoReturn:
            """Say which attribute is meant."""
            hint = likely(name, dir(Record), OF_RECORDS, "record.")
            raise AttributeError(f"a record has no attribute {name!r}{hint}")

    def __getitem__(self, key: object) -> NoReturn:
        """Say that a record has attributes."""
        raise TypeError(f"a record has attributes, such as record.text; got record[{shown(key)}]")

    @property
    def steps(self) -> tuple[StepResult, ...]:  # noqa: D102 (the class describes all attributes)
        return self._source.steps(self._row)

    @property
    def seed(self) -> int:  # noqa: D102
        return self._source.version.job.seed

    @property
    def replicate(self) -> int:  # noqa: D102
        return self._source.version.replicate

    @property
    def units(self) -> int:  # noqa: D102
        return sum(step.units for step in self.steps)

    @property
    def sites(self) -> int:  # noqa: D102
        return sum(step.sites for step in self.steps)

    @property
    def rate(self) -> float:  # noqa: D102
        return round(sum(step.edits for step in self.steps) / max(self.units, 1), 6)

    def restore(self) -> str:
        """Give the original back from the text and the edits.

        Examples:
            >>> import perturb
            >>> record = perturb.apply("Keep calm", "char_delete", p=0.5)
            >>> record.restore()
            'Keep calm'
        """
        return restore(self.text, self.edits)

    def project(self, start: int, end: int) -> tuple[int, int]:
        """Move a span of the original into the text.

        A span that an edit only partly covers grows to the whole of what the edit wrote, unless
        its text is there once, as in sentences that change places; an insertion at its border
        stays outside.

        Args:
            start: index in `original`.
            end: index after the last, at least `start`.

        Raises:
            ValueError: the span does not lie in the original.
        """
        if not 0 <= start <= end <= len(self.original):
            raise ValueError(
                f"a span lies in [0, {len(self.original)}], its start not after its end; "
                f"got ({start}, {end})"
            )
        edits = self.edits
        if not hasattr(self, "_grown"):
            self._grown = growth(edits)
        return project(edits, self._grown, start, end)

    def diff(self, style: Style = "plain") -> str:
        """Return the original with its edits marked; what would not show is escaped.

        Args:
            style: "plain" writes brackets, "ansi" a terminal's colours, "html" `del` and `ins`.

        Raises:
            UsageError: the style is none of these.

        Examples:
            >>> import perturb
            >>> print(perturb.apply("Keep calm", "char_delete", p=0.5).diff())
            [-K-]ee[-p-] [-c-]a[-l-][-m-]
        """
        return marked(self.original, self.edits, style)

    def to_dict(self) -> dict[str, Any]:
        """Return a row as files hold it: `id`, the text at its field, and `perturbation`.

        Examples:
            >>> import perturb
            >>> row = perturb.apply("Keep calm", "char_delete", p=0.2, id="a").to_dict()
            >>> row["perturbation"]["edits"]
            'text|6:a>'
        """
        linkage = self._source.linkages[self._row]
        return {"id": self.id, self.field: self.text, LINKAGE: {**linkage}}

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._source, RecordBatch):
            return Record, (KeptText.of(self._source, self._row), 0)
        return Record, (self._source, self._row)

    def __str__(self) -> str:
        return self._source.texts[self._row]

    def __repr__(self) -> str:
        what = f"{len(self.edits)} edits: " if self.status == "changed" else ""
        text = self.text if len(self.text) <= 60 else self.text[:59] + "…"
        return f"<Record {self.id} {self.status}: {what}{text!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.id, self.text, self.recipe))

    def _repr_html_(self) -> str:
        return html_table([self])


# The number of records in a table; a longer one says how many more there are.
_ROWS = 20


class RecordList(list["Record"]):
    """A list of records; in a notebook it shows as a table of texts with their edits marked."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> RecordList: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Record | RecordList:
        records = super().__getitem__(at)
        return RecordList(records) if isinstance(records, list) else records

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Say which attribute of its records is meant."""
            known = dir(self[0]) if self else ()
            meant = "[record.text for record in records], or record."
            hint = likely(name, known, OF_RECORDS, meant)
            raise AttributeError(f"a list of records has no attribute {name!r}{hint}")

    def _repr_html_(self) -> str:
        return html_table(self)


def html_table(records: Sequence[Record]) -> str:
    """Return the first records as a table of HTML: id, status, and the text with marks."""

    def row(record: Record) -> str:
        done = f"{len(record.edits)}" if record.edits else html_text(record.status)
        return (
            f"<tr><td>{html_text(record.id)}</td><td>{done}</td>"
            "<td style='text-align:left;white-space:pre-wrap'>"
            f"<bdi>{record.diff('html')}</bdi></td></tr>"
        )

    rows = "".join(map(row, records[:_ROWS]))
    more = len(records) - _ROWS
    below = f"<caption style='caption-side:bottom'>and {more:,} more</caption>" if more > 0 else ""
    return (
        f"<table>{below}<thead><tr><th>id</th><th>edits</th><th>text</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
