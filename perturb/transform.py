"""One callable for tables wherever they live: the same kind comes out as goes in. Private."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from perturb._version import CONTRACT, __version__
from perturb.api import Protection, Steps, augmented
from perturb.arrays import Bool, Int64
from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.frames import Frame, frame_of, kind_of, rows_of, schema_with
from perturb.pipeline.grids import Grid
from perturb.records.batch import RecordBatch
from perturb.records.ids import checked_id, id_of_text
from perturb.records.run import perturb_batches
from perturb.records.run_config import RunConfig
from perturb.records.schema import LINKAGE, arrow_type
from perturb.records.texts import Texts
from perturb.registry.vocabulary import Intensity, Severity, SpanPolicy
from perturb.rows.job import Job

if TYPE_CHECKING:
    import pyarrow as pa

# What becomes of a row without a text.
Missing = Literal["raise", "keep"]


class Transform:
    """Perturb a text in each row of a table, and give back a table of the same kind.

    It takes lists and iterables of rows, dicts of columns, data frames of pandas, Dask and Polars
    (lazy ones too), tables and record batches of Arrow, and data sets of Hugging Face. Ray takes it
    in `map_batches(transform, batch_format="pyarrow")`, and Spark in
    `mapInArrow(transform.batches, transform.schema(frame))`. It is immutable,
    and it pickles and hashes by its steps and their versions, so a cache that goes by its hash is
    the same in every process, and stale after an upgrade. What comes out of a row does not depend
    on the other rows, so data can be cut into partitions and shards at will.

    Args:
        steps: see `perturb.apply`; or a grid.
        p: see `perturb.apply`.
        field: the column with the text, or in rows a path to it.
        id_field: the column that names a row; a row without it is named by its text.
        replicates: how many versions of each row, at least 1.
        with_original: whether each untouched row comes before its versions.
        missing: "raise" an error for a row without a text, or "keep" the row as it is, without a
            record.
        spans_field: see `perturb.augment`.
        answer_field: see `perturb.augment`.
        seed: see `perturb.apply`.
        intensity: see `perturb.apply`.
        severity: see `perturb.apply`.
        protect: see `perturb.apply`.
        only: see `perturb.apply`.
        span_policy: see `perturb.apply`.
        settings: limits and parameters; see `perturb.apply`.

    Raises:
        UsageError: as `perturb.apply`.

    Examples:
        >>> noisy = Transform("char_swap", p=0.2, field="question", seed=7)
        >>> noisy({"id": [1, 2], "question": ["How many eggs?", "Who came?"]})["question"]
        ['How mayn eggs?', 'Woh came?']
    """

    def __init__(
        self,
        steps: Steps | Grid,
        p: float | None = None,
        *,
        field: str = "text",
        id_field: str = "id",
        replicates: int = 1,
        with_original: bool = False,
        missing: Missing = "raise",
        spans_field: str | None = None,
        answer_field: str | None = None,
        seed: int = 0,
        intensity: Intensity | None = None,
        severity: Severity | None = None,
        protect: Protection | None = None,
        only: Protection | None = None,
        span_policy: SpanPolicy = "grow",
        **settings: Any,
    ) -> None:
        given = locals()
        if missing not in get_args(Missing):
            raise UsageError(f"missing is one of {', '.join(get_args(Missing))}; got {missing!r}")
        del given["self"], given["missing"], given["settings"]
        self._missing = missing
        self._job = Job.of(**given, **settings)

    def epoch(self, number: int) -> Transform:
        """Return this transform with other noise, the same whenever the number is.

        Args:
            number: of the epoch, from 0; epoch 0 is the transform itself.
        """
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise UsageError(f"an epoch is a whole number from 0; got {number!r}")
        made = Transform.__new__(Transform)
        made.__dict__ |= self.__dict__
        made._job = replace(self._job, first_replicate=number * self._job.replicates)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as text where that can hold it, so that the bytes are the same everywhere."""
        job = self._job
        steps = [step for pipeline in job.pipelines for step in pipeline.steps]
        state = {
            "perturb": __version__,
            "contract": CONTRACT,
            "versions": [f"{step.perturbator.name} {step.perturbator.version}" for step in steps],
            "missing": self._missing,
            "first_replicate": job.first_replicate,
            "job": {"pipelines": job.pipelines, **job.options},
        }
        if all(step.perturbator.built_in for step in steps):
            with contextlib.suppress(TypeError):
                return _restored, (json.dumps({**state, "job": job.to_dict()}),)
        return _restored, (state,)

    def __call__(self, data: Any) -> Any:
        """Perturb a table, or rows.

        Args:
            data: see the class. An iterator or generator of rows gives an iterator.

        Returns:
            The same kind: the column of the text and that of the ids replaced, the record in the
            column `perturbation`, all else as it was, each row repeated for its versions.

        Raises:
            DataError: a column is missing, or a row has no text; see `missing`.
            TypeError: it is neither a table nor rows.
        """
        kind = kind_of(data)
        if kind == "datasets":
            return type(data)({split: self(one) for split, one in data.items()})
        if kind == "dataset lazy":
            return data.map(self, batched=True)
        if kind == "dask":
            return data.map_partitions(self, meta=self(data.head(0)))
        if kind == "polars lazy":
            return data.map_batches(self, validate_output_schema=False, schema=self.schema(data))
        if kind is None and isinstance(data, Mapping):
            kind = "columns"
        if kind is not None:
            return self._frame(frame_of(data, kind))
        return self._rows(data)

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Perturb tables one after the other, lazily; for Spark's mapInArrow and mapInPandas.

        Yields:
            For each table one of the same kind.
        """
        return map(self, batches)

    def schema(self, given: Any) -> Any:
        """Return the schema that a table will have.

        Args:
            given: the schema of a table in Arrow's form, or a table of Arrow, Polars or Spark.

        Returns:
            The schema, in the form of the same library.
        """
        import pyarrow as pa

        job = self._job
        new = {job.id_field: pa.string(), LINKAGE: self._record_type}
        return schema_with(given, new)

    @property
    def _record_type(self) -> pa.DataType:
        job = self._job
        record = arrow_type(spans=job.spans_field is not None, answer=job.answer_field is not None)
        if not job.many:
            return record
        import pyarrow as pa

        return pa.list_(record)

    def _rows(self, data: Any) -> Any:
        if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
            raise TypeError(f"expected a table or rows; got {type(data).__name__}")
        made = augmented(iter(data), self._job)
        return made if isinstance(data, Iterator) else list(made)

    def _frame(self, frame: Frame) -> Any:
        """Perturb a table that is all in memory."""
        job = self._job
        root = json_path.parse(job.field)[0]
        if root not in frame.names:
            there_are = ", ".join(map(str, frame.names))
            raise DataError(f"the table has no column {root!r} with the text; it has {there_are}")
        if LINKAGE in frame.names:
            raise DataError(
                f"the table has a column {LINKAGE!r} already; to perturb a text several times "
                "give all steps in one transform"
            )
        texts = frame.column(root)
        there = np.array([text is not None for text in texts], np.bool_)
        if self._missing == "raise" and not there.all():
            raise DataError(
                f"row {int(there.argmin()) + 1} has no text in {root!r}; missing='keep' leaves "
                "such rows as they are"
            )
        plain = root == job.field and not (job.reads_more or job.with_original)
        made = self._by_column if plain else self._by_row
        rows = np.repeat(np.arange(len(texts)), np.where(there, job.versions, 1))
        columns = made(frame, texts, np.flatnonzero(there).tolist())
        if not there.all():
            columns = _with_missing(frame, columns, rows, there)
        return frame.replaced(rows, columns)

    def _by_column(self, frame: Frame, texts: list[Any], there: list[int]) -> dict[str, Any]:
        """Return the new columns of the rows that have a text, from the engine's columns."""
        job = self._job
        given = [texts[row] for row in there]
        for row, text in zip(there, given, strict=True):
            if not isinstance(text, str):
                raise DataError(f"row {row + 1}: {job.field!r} must be a text; got {text!r}")
        names = _names(frame, job.id_field, there, given)
        column = Texts(given, names, [job.field] * len(given))
        versions = [_version(column, config, frame.arrow) for config in job.settings]
        merged: dict[str, Any] = {
            job.field: _interleaved([one[0] for one in versions]),
            job.id_field: _interleaved([one[1] for one in versions]),
            LINKAGE: _interleaved([one[2] for one in versions]),
        }
        return merged

    def _by_row(self, frame: Frame, _: list[Any], there: list[int]) -> dict[str, Any]:
        """Return the new columns of the rows that have a text, perturbed as rows."""
        job, rows = self._job, rows_of(frame)
        made = list(augmented((rows[row] for row in there), job))
        paths = (job.field, job.answer_field, job.spans_field)
        changed = {json_path.parse(path)[0] for path in paths if path is not None}
        columns: dict[str, Any] = {
            name: [row[name] for row in made] for name in [*sorted(changed), job.id_field, LINKAGE]
        }
        if frame.arrow:
            import pyarrow as pa

            kinds = {LINKAGE: self._record_type, job.id_field: pa.string()}
            columns = {name: pa.array(v, kinds.get(name)) for name, v in columns.items()}
        return columns


def _names(frame: Frame, id_field: str, rows: list[int], texts: list[str]) -> list[str] | None:
    """Return the names of rows; None if all are named by their texts."""
    if id_field not in frame.names:
        return None
    ids = frame.column(id_field)
    made = []
    for row, text in zip(rows, texts, strict=True):
        try:
            made.append(id_of_text(text) if ids[row] is None else checked_id(ids[row]))
        except TypeError as error:
            raise DataError(f"row {row + 1}: the column {id_field!r}: {error}") from None
    return made


def _version(texts: Texts, config: RunConfig, arrow: bool) -> tuple[list[str], list[str], Any]:
    """Return the texts, the ids and the records of one version of each text, in order."""
    written: list[Any] = [None] * len(texts.texts)
    names: list[Any] = [None] * len(texts.texts)
    order: list[int] = []
    parts: list[Any] = []
    for rows, batch in perturb_batches(texts, config):
        order += rows
        for row, text, name in zip(rows, batch.texts, batch.original_ids, strict=True):
            written[row], names[row] = text, name + config.suffix
        parts.append(_record_array(batch) if arrow else batch.in_rows())
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return written, names, _joined(parts, place, arrow)


def _record_array(batch: RecordBatch) -> Any:
    from perturb.records.arrow import record_array  # imports pyarrow

    return record_array(batch)


def _joined(parts: list[Any], place: Int64, arrow: bool) -> Any:
    """Return the records of all batches in the order of their texts."""
    if arrow:
        import pyarrow as pa

        if not parts:
            return pa.array([], arrow_type())
        return pa.concat_arrays(parts).take(pa.array(place))
    flat = [record for part in parts for record in part]
    return list(map(flat.__getitem__, place.tolist()))


def _interleaved(versions: Sequence[Any]) -> Any:
    """Return the values of each row's versions side by side."""
    if len(versions) == 1:
        return versions[0]
    if isinstance(versions[0], list):
        return [value for row in zip(*versions, strict=True) for value in row]
    import pyarrow as pa

    rows = len(versions[0])
    by_row = np.arange(rows * len(versions)).reshape(len(versions), rows).T.ravel()
    return pa.concat_arrays(versions).take(pa.array(by_row))


def _with_missing(
    frame: Frame, columns: Mapping[str, Any], rows: Int64, there: Bool
) -> dict[str, Any]:
    """Return columns in which rows without a text stand as they were, without a record."""
    made, filled = {}, there[rows]
    for name, values in columns.items():
        before = frame.column(name) if name in frame.names else [None] * len(there)
        if isinstance(values, list) or str(getattr(values, "type", "")) == "string":
            before = [None if value is None else str(value) for value in before]
        new = iter(values.to_pylist() if hasattr(values, "to_pylist") else values)
        pairs = zip(rows.tolist(), filled.tolist(), strict=True)
        column = [next(new) if has else before[row] for row, has in pairs]
        if hasattr(values, "type"):
            import pyarrow as pa

            column = pa.array(column, values.type)
        made[name] = column
    return made


def _restored(state: str | Mapping[str, Any]) -> Transform:
    """Return a transform from its state, as pickles hold it."""
    read = json.loads(state) if isinstance(state, str) else state
    made = Transform.__new__(Transform)
    made._missing = read["missing"]
    made._job = replace(Job.from_dict(read["job"]), first_replicate=read["first_replicate"])
    return made
