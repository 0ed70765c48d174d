"""The linkage record: one text, what it was before, and every edit between the two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.jsonl import value_of_json
from perturb.records import schema
from perturb.records.contract1 import upgraded
from perturb.records.edit import Edit, edits_and_original, project, restore
from perturb.records.flat import with_record
from perturb.records.marked import Style, marked
from perturb.records.record_list import html_table
from perturb.records.schema import LINKAGE


class StepResult(NamedTuple):
    """One step of the pipeline and what it did with the text, as files hold it.

    Attributes:
        name: of the perturbator.
        version: of the perturbator.
        p: the strength, in [0, 1]; 0.0 where `params` has a `count`.
        params: all settings that are not the defaults, as a spec has them: parameters, `count`,
            `min_edits`, `max_edits`, `skip_first`, `skip_last` and `min_word_length`.
        intensity: that `p` was given as; "" where it was not.
        severity: that `p` was given as; 0 where it was not.
        units: how many open units the text had when the step came to it.
        closed: how many more there were that are protected, out of scope or of another script.
        sites: at how many places it could act.
        edits: how many edits it made.
        saturated: whether there were fewer sites than edits wanted.
        note: what the perturbator says beyond that, such as the order that options were put in, as
            JSON; "" for one that says nothing.
    """

    name: str
    version: int
    p: float
    params: str
    intensity: str
    severity: int
    units: int
    closed: int
    sites: int
    edits: int
    saturated: bool
    note: str


class RecordSource(Protocol):
    """The source that records read from: the columns of a batch, or a row of a file."""

    @property
    def originals(self) -> Sequence[str]:
        """The texts before."""

    @property
    def texts(self) -> Sequence[str]:
        """The texts after."""

    def id(self, row: int) -> str:
        """Return the name of this version of the text of a row."""

    def edits(self, row: int) -> tuple[Edit, ...]:
        """Return the edits of a row."""

    def value(self, row: int, key: str) -> Any:
        """Return one value of the `perturbation` object of a row; None where it has none."""

    def linkage(self, row: int) -> dict[str, Any]:
        """Return the `perturbation` object of a row: all that files hold but its text."""


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
        seed: as given.
        replicate: as given; 0 for the first version.
        status: "changed" or "unchanged".
        reason: why a text is unchanged: "no site", "protected", "drew zero", "p is 0",
            "filtered", "cancelled out" (a later step undid an earlier one), "not taken" (its
            combinators drew no step for it), or "not English"; else "".
        units: of the steps, summed.
        sites: of the steps, summed.
        rate: edits a unit over all steps, in [0, 1]; 0.0 for a text without units.
        field: where in a row the text stood; "" for a bare text.
        categories: labels to group by, such as "perturbed_by:keyboard_typos:p=0.05".
        contract: the version of the contract between seed and bytes.
        pipeline: where steps were chosen by chance, what they were chosen from, such as
            "one_of(ocr:p=0.1 | case:p=0.2)"; else "".
        protect: the rules and spans that no edit could touch.
        only: the rules and spans that alone were open to edits; None for the whole text.
        spans: the caller's spans in `text`, None for one that was dropped; None if none were given.
    """

    # Lists of texts become lists of these: they keep nothing that the source has.
    __slots__ = ("_row", "_source")

    def __init__(self, source: RecordSource, row: int) -> None:
        self._source = source
        self._row = row

    def _value(self, key: str) -> Any:
        return self._source.value(self._row, key)

    @property
    def text(self) -> str:  # noqa: D102 (the class describes all attributes)
        return self._source.texts[self._row]

    @property
    def original(self) -> str:  # noqa: D102
        return self._source.originals[self._row]

    @property
    def id(self) -> str:  # noqa: D102
        return self._source.id(self._row)

    @property
    def original_id(self) -> str:  # noqa: D102
        return str(self._value("original_id"))

    @property
    def edits(self) -> tuple[Edit, ...]:  # noqa: D102
        return self._source.edits(self._row)

    @property
    def steps(self) -> tuple[StepResult, ...]:  # noqa: D102
        return tuple(
            StepResult(*map(step.__getitem__, StepResult._fields)) for step in self._value("steps")
        )

    @property
    def seed(self) -> int:  # noqa: D102
        return int(self._value("seed"))

    @property
    def replicate(self) -> int:  # noqa: D102
        return int(self._value("replicate"))

    @property
    def status(self) -> str:  # noqa: D102
        return str(self._value("status"))

    @property
    def reason(self) -> str:  # noqa: D102
        return str(self._value("reason"))

    @property
    def units(self) -> int:  # noqa: D102
        return sum(step["units"] for step in self._value("steps"))

    @property
    def sites(self) -> int:  # noqa: D102
        return sum(step["sites"] for step in self._value("steps"))

    @property
    def rate(self) -> float:  # noqa: D102
        return float(self._value("rate"))

    @property
    def field(self) -> str:  # noqa: D102
        return str(self._value("field"))

    @property
    def categories(self) -> tuple[str, ...]:  # noqa: D102
        return tuple(self._value("categories"))

    @property
    def contract(self) -> int:  # noqa: D102
        return int(self._value("contract"))

    @property
    def pipeline(self) -> str:  # noqa: D102
        return str(self._value("pipeline"))

    @property
    def protect(self) -> tuple[Any, ...]:  # noqa: D102
        return tuple(self._scope().get("protect", ()))

    @property
    def only(self) -> tuple[Any, ...] | None:  # noqa: D102
        only = self._scope().get("only")
        return None if only is None else tuple(only)

    def _scope(self) -> dict[str, Any]:
        scope: dict[str, Any] = value_of_json(self._value("scope") or "{}")
        return scope

    @property
    def spans(self) -> tuple[tuple[int, int] | None, ...] | None:  # noqa: D102
        spans = self._value("spans")
        if spans is None:
            return None
        return tuple(None if one["start"] < 0 else (one["start"], one["end"]) for one in spans)

    def restore(self) -> str:
        """Give the original back from the text, the edits and what they removed.

        Examples:
            >>> import perturb
            >>> record = perturb.apply("Keep calm", "char_delete", p=0.5)
            >>> record.restore()
            'Keep calm'
        """
        removed = (self.original[edit.start : edit.end] for edit in self.edits)
        return restore(self.text, self.edits, removed)

    def project(self, start: int, end: int) -> tuple[int, int]:
        """Move a span of the original into the text.

        A span that an edit only partly covers grows to the whole of what the edit wrote; an
        insertion at its border stays outside.

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
        return project(self.edits, start, end)

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
        """Return a JSON-able mapping: `id`, `text`, and `perturbation` as files hold it."""
        return {"id": self.id, "text": self.text, LINKAGE: self._source.linkage(self._row)}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Record:
        """Make a record from a mapping that `to_dict` returned.

        Raises:
            DataError: something is missing or of a wrong form; the message names it.
        """
        for key, kind in (("id", str), ("text", str), ("perturbation", dict)):
            if not isinstance(row.get(key), kind):
                raise DataError(
                    f"a record needs {key!r}, a {kind.__name__}; got {shown(row.get(key))}"
                )
        return cls(_FileRow(row["id"], row["text"], row[LINKAGE]), 0)

    @classmethod
    def from_row(cls, row: Mapping[str, Any], id_field: str = "id") -> Record:
        """Return the record in a row that `perturb apply` wrote, whichever field holds its text.

        Args:
            row: the row.
            id_field: the field that names it.

        Raises:
            DataError: it holds no record, several, or a damaged one; the message names it.

        Examples:
            >>> import perturb
            >>> rows = [{"id": 7, "question": "How many eggs?"}]
            >>> (row,) = perturb.augment(rows, "char_delete", p=0.2, field="question")
            >>> Record.from_row(row).restore()
            'How many eggs?'
        """
        found = list(records_in(row, id_field))
        if len(found) != 1:
            raise DataError(f"the row must hold one record; it holds {len(found)}")
        return found[0]

    def __str__(self) -> str:
        return self._source.texts[self._row]

    def __repr__(self) -> str:
        what = f"{len(self.edits)} edits" if self.status == "changed" else f"{self.reason}"
        return f"<Record {self.id} {self.status}: {what}: {_short(self.text)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.id, self.text, self.seed, self.replicate))

    def _repr_html_(self) -> str:
        return html_table([self])

    def __reduce__(self) -> tuple[Any, ...]:
        return Record.from_dict, (self.to_dict(),)


class _FileRow:
    """One record of a file, as the source of itself."""

    def __init__(self, id: str, text: str, linkage: Mapping[str, Any]) -> None:
        linkage = upgraded(linkage)
        schema.check(linkage)
        edits, original = edits_and_original(linkage, text)
        assert original is not None  # it is restored from the text
        self._id = id
        self._linkage = linkage
        self._edits = tuple(edits)
        self.originals = [original]
        self.texts = [text]

    def id(self, row: int) -> str:  # noqa: ARG002
        return self._id

    def edits(self, row: int) -> tuple[Edit, ...]:  # noqa: ARG002
        return self._edits

    def value(self, row: int, key: str) -> Any:  # noqa: ARG002
        return self._linkage.get(key)

    def linkage(self, row: int) -> dict[str, Any]:  # noqa: ARG002
        return self._linkage


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


class TextRecord(NamedTuple):
    """A record as a row of a file holds it, not yet checked.

    Attributes:
        id: of the row.
        text: that the record is of.
        linkage: the `perturbation` object.
    """

    id: str
    text: str
    linkage: Mapping[str, Any]

    def checked(self) -> Record:
        """Return the record.

        Raises:
            DataError: it is damaged.
        """
        return Record.from_dict({"id": self.id, "text": self.text, LINKAGE: self.linkage})


def records_in(row: Mapping[str, Any], id_field: str = "id") -> Iterator[Record]:
    """Read the records in a row of a file, of either contract.

    Raises:
        DataError: the row holds no record, or a damaged one.
    """
    return (found.checked() for found in text_records_in(row, id_field))


def text_records_in(row: Mapping[str, Any], id_field: str) -> Iterator[TextRecord]:
    """Find the records in a row of a file.

    Raises:
        DataError: the row holds no record, or no text or id to it.
    """
    row = with_record(row) if isinstance(row, Mapping) else {}
    if LINKAGE not in row:
        raise DataError(f"the row has no {LINKAGE!r}: perturb apply did not write it")
    said = row[LINKAGE]
    for linkage in said if isinstance(said, list) else [said]:
        field = linkage.get("field") if isinstance(linkage, Mapping) else None
        if not isinstance(field, str):
            raise DataError(f"the {LINKAGE!r} of the row does not say its field")
        if not isinstance(row.get(id_field), str):
            raise DataError(f"the row has no id in {id_field!r}; name the field that holds it")
        text = _text_at(row, field or "text")  # where `to_dict` puts a bare text
        yield TextRecord(row[id_field], text, linkage)


def _text_at(row: Mapping[str, Any], field: str) -> str:
    """Return the text at a path, of which a list of strings holds an item a line."""
    found = json_path.locate(row, field)
    if len(found) == 1:
        value = found[0][1]
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return "\n".join(value)
        if isinstance(value, str):
            return value
    raise DataError(f"the record's field {field!r} is not one text of the row")
