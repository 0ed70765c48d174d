"""One callable for tables wherever they live: the same kind comes out as goes in. Private."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

from perturb._version import CONTRACT, __version__
from perturb.api import Protection, Steps, augmented
from perturb.errors import UsageError
from perturb.io.frames import Frame, frame_of, is_example_of_dask, kind_of, schema_with
from perturb.pipeline.grids import Grid
from perturb.registry.vocabulary import Intensity, Severity, SpanPolicy
from perturb.rows.job import Job
from perturb.rows.seen_ids import check_column
from perturb.rows.tables import new_types, perturb_table

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
        target: see `perturb.augment`.
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
        ['How many egsg?', 'Who acme?']
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
        target: str | None = None,
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
        made._job = self._job.replaced(first_replicate=number * self._job.replicates)
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
            return data.map_partitions(self)
        if kind == "polars lazy":
            return data.map_batches(self, validate_output_schema=False, schema=self.schema(data))
        if kind is None and isinstance(data, Mapping):
            kind = "columns"
        if kind == "pandas" and is_example_of_dask(data):
            data = data.iloc[:0]
        if kind is not None:
            return self._frame(frame_of(data, kind, self))
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
        return schema_with(given, new_types(self._job))

    def _rows(self, data: Any) -> Any:
        if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
            raise TypeError(
                f"expected a table or rows; got {type(data).__name__}; apply takes texts"
            )
        made = augmented(iter(data), self._job)
        return made if isinstance(data, Iterator) else list(made)

    def _frame(self, frame: Frame) -> Any:
        """Perturb a table that is all in memory."""
        name = self._job.id_field
        if name in frame.names:
            check_column(frame.column(name), name)
        return perturb_table(frame, self._job, missing=self._missing)


def _restored(state: str | Mapping[str, Any]) -> Transform:
    """Return a transform from its state, as pickles hold it."""
    read = json.loads(state) if isinstance(state, str) else state
    made = Transform.__new__(Transform)
    made._missing = read["missing"]
    made._job = Job.from_dict(read["job"]).replaced(first_replicate=read["first_replicate"])
    return made
