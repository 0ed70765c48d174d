"""One callable for tables wherever they live: the same kind comes out as goes in. Private."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack

from perturb._version import __version__
from perturb.api import Steps, augmented
from perturb.errors import UsageError, door
from perturb.io.arrow_schemas import schema_with
from perturb.io.frames import frame_of, is_example_of_dask, kind_of
from perturb.pipeline.pipeline import Grid
from perturb.plan import recipe
from perturb.plan.arguments import Options, spelled_out
from perturb.plan.job import Job, job_of
from perturb.plan.options import LINKAGE
from perturb.rows.seen_ids import SeenIds, check_apart, check_column, check_found, id_column, ids_of
from perturb.rows.table_rows import ids_of_table, new_types, perturb_table
from perturb.values.fields import plain


class Transform:
    """Perturb a text in each row of a table, and give back a table of the same kind.

    It takes lists and iterables of rows, dicts of columns, data frames of pandas, Dask, Polars
    (lazy ones too) and Spark, tables and record batches of Arrow, and datasets of Hugging Face and
    Ray. Any other source of Arrow batches, such as a reader of batches or a relation of DuckDB,
    gives a reader that makes each batch on demand. A transform is immutable; it pickles and hashes
    by its steps and their versions, so a cache with its hash as key is valid in every process, and
    stale after an upgrade. The output for a row doesn't depend on other rows, so you can split data
    into partitions and shards as you like.

    Args:
        steps: see `perturb.apply`; or a grid.
        p: see `perturb.apply`.
        shape: see `perturb.augment`; one whose rows are inside others is for files and `augment`.
        field: the column with the text, or in rows a path to it; or several.
        id_field: the column with the id of a row, or a path into one; without it, a row's text and
            a hash of the row give the id.
        replicates: how many versions of each row, at least 1.
        with_original: whether each untouched row comes before its versions.
        missing: see `perturb.augment`.
        target: see `perturb.augment`.
        choices: see `perturb.augment`.
        fixed: see `perturb.augment`.
        spans: see `perturb.augment`.
        lean: see `perturb.augment`.
        seed: see `perturb.apply`.
        per: see `perturb.apply`.
        intensity: see `perturb.apply`.
        severity: see `perturb.apply`.
        count: see `perturb.apply`.
        protect: see `perturb.augment`.
        only: see `perturb.augment`.
        span_policy: see `perturb.apply`.
        copies: see `perturb.augment`.
        offsets: see `perturb.augment`.
        expect: see `perturb.augment`.

    Raises:
        UsageError: as `perturb.apply`.

    Examples:
        >>> noisy = Transform("char_swap", p=0.2, field="question", seed=7)
        >>> noisy({"id": [1, 2], "question": ["How many eggs?", "Who came?"]})["question"]
        ['How many egsg?', 'Who acme?']
    """

    @door
    @spelled_out
    def __init__(
        self, steps: Steps | Grid, p: float | None = None, **options: Unpack[Options]
    ) -> None:
        if isinstance(p, str):
            raise UsageError(
                f"Transform takes steps first, and data when called: perturb.Transform({p!r})(data)"
            )
        self._job = job_of(steps, p, **options)
        if self._job.rows is not None:
            raise UsageError(
                f"the rows in {self._job.rows!r} are inside others; perturb.augment and perturb "
                "apply read them"
            )

    def __repr__(self) -> str:
        grid = self._job.grid
        steps = str(grid) if len(grid) > 1 else str(grid.pipelines[0])
        options = "".join(f", {name}={value!r}" for name, value in self._job.options.items())
        return f"perturb.Transform({steps!r}{options})"

    def epoch(self, number: int) -> Transform:
        """Return this transform with other noise, the same whenever the number is.

        Args:
            number: the number of the epoch, from 0; epoch 0 is the transform itself.
        """
        number = plain(number)
        if type(number) is not int or number < 0:
            raise UsageError(f"an epoch is a whole number from 0; got {number!r}")
        job = self._job.replaced(first_replicate=number * self._job.replicates)
        return _restored(__version__, job)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as text where that can hold it, so that the bytes are the same everywhere."""
        job = self._job
        is_text = all(step.perturbator.built_in for step in job.steps)
        state = recipe.written(job) if is_text else job
        return _restored, (__version__, state)

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
            return type(data)({split: self(part) for split, part in data.items()})
        if kind == "dataset lazy":
            return data.map(self, batched=True)
        if kind == "dask":
            # Enforced metadata would put Arrow's structs where a partition has no rows.
            return data.map_partitions(self, enforce_metadata=False)
        if kind == "ray":
            return data.map_batches(self, batch_format="pyarrow")
        if kind == "spark":
            return data.mapInArrow(self.batches, self.schema(data))
        if kind == "arrow stream":
            return self._stream(data)
        if kind == "polars lazy":
            return data.map_batches(self, validate_output_schema=False, schema=self.schema(data))
        if kind is None and isinstance(data, Mapping):
            kind = "columns"
        if kind == "pandas" and is_example_of_dask(data):
            import pandas as pd

            # By it Dask learns the type that each column has in a file; of mappings it can't.
            kinds = {LINKAGE: pd.ArrowDtype(new_types(self._job)[LINKAGE])}
            return self(data.iloc[:0]).astype(kinds)
        name = self._job.id_field
        if kind == "pandas" and name in data.index.names and name not in data.columns:
            levels = data.index.names
            made = self(data.reset_index(name)).set_index(name, append=len(levels) > 1)
            return made.reorder_levels(levels) if len(levels) > 1 else made
        if kind is None:
            return self._rows(data)
        frame = frame_of(data, kind, self)
        check_found((ids := ids_of_table(frame, name)) is not None, name)
        if ids is not None:
            check_column(ids, name)
        return perturb_table(frame, self._job).data

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

    def _stream(self, data: Any) -> Any:
        """Return a reader of what the batches of a stream become, each when it is asked for."""
        import pyarrow as pa

        given = pa.RecordBatchReader.from_stream(data)
        return pa.RecordBatchReader.from_batches(
            self.schema(given.schema), self.batches(self._apart(given))
        )

    def _apart(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield batches of Arrow; refuse an id that names two rows, be they of two batches."""
        ids, name, count = SeenIds(), self._job.id_field, 0
        for batch in batches:
            numbers = range(count + 1, count + 1 + len(batch))
            if (column := id_column(batch.schema.names, name)) is not None:
                check_apart(ids, ids_of(batch.select([column]).to_pylist(), numbers, name), name)
            count += len(batch)
            yield batch

    def _rows(self, data: Any) -> Any:
        if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
            raise TypeError(
                f"expected a table or rows; got {type(data).__name__}; apply takes texts"
            )
        rows = augmented(iter(data), self._job)
        return rows if isinstance(data, Iterator) else list(rows)


def _restored(_: str, job: str | Job) -> Transform:
    """Return a transform from its state, as pickles hold it beside the release that wrote it."""
    transform = Transform.__new__(Transform)
    transform._job = recipe.read(job) if isinstance(job, str) else job
    return transform
