"""Tables of other libraries: their columns are read and replaced, and their rows repeated.

The module and name of its type identify a table, so that only libraries that the caller has
imported are needed.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, Protocol

from perturb.engine.text.strings import Strings
from perturb.errors import shown
from perturb.io import json_path
from perturb.io.arrow_schemas import schema_with
from perturb.rng import blake2b
from perturb.values.arrays import Int64

# By the top-level module of a type and its name.
_KINDS = {
    ("dask", "DataFrame"): "dask",
    ("pandas", "DataFrame"): "pandas",
    ("polars", "DataFrame"): "polars",
    ("polars", "LazyFrame"): "polars lazy",
    ("pyarrow", "Table"): "arrow",
    ("pyarrow", "RecordBatch"): "arrow batch",
    ("datasets", "Dataset"): "dataset",
    ("datasets", "DatasetDict"): "datasets",
    ("datasets", "IterableDatasetDict"): "datasets",
    ("datasets", "IterableDataset"): "dataset lazy",
    ("pyspark", "DataFrame"): "spark",
    ("ray", "Dataset"): "ray",
}


def kind_of(data: Any) -> str | None:
    """Return the kind of a table, by its type or a base class; None for other values."""
    names = ((base.__module__.partition(".")[0], base.__name__) for base in type(data).__mro__)
    kind = next((_KINDS[name] for name in names if name in _KINDS), None)
    if kind is None and hasattr(type(data), "__arrow_c_stream__"):
        # Single columns export streams too: they have one type, or chunks.
        is_column = hasattr(type(data), "dtype") or hasattr(type(data), "chunks")
        return None if is_column else "arrow stream"
    return kind


def is_example_of_dask(data: Any) -> bool:
    """Return true for the made-up rows with which Dask learns the effect of a function."""
    if "dask.dataframe" not in sys.modules or len(data) != 2:
        return False
    from dask.dataframe.dispatch import meta_nonempty

    return bool(data.equals(meta_nonempty(data.iloc[:0])))


class Frame(Protocol):
    """A table in memory.

    Attributes:
        arrow: whether it holds structs like Arrow; otherwise they are mappings.
        names: the names of the columns.
    """

    arrow: bool
    names: list[str]

    def column(self, name: str) -> list[Any]:
        """Return the values of a column, None for missing ones."""

    def texts(self, name: str) -> Strings | list[Any]:
        """Return the same; strings as the engine has them, if they lie so in the table."""
        return self.column(name)

    def replaced(self, rows: Int64, columns: Mapping[str, Any], id_field: str) -> Any:
        """Return a table of the same kind and types, even without rows.

        Args:
            rows: shape (n,); for each row of the new table the row of this one.
            columns: new columns of n values, which replace those of the same name or are added:
                strings, as a list or as the engine has them; a list of values of the column's type;
                or an Arrow array.
            id_field: the column that becomes a column of strings.
        """


def frame_of(data: Any, kind: str, maker: Any = None) -> Frame:
    """Return a table in memory as a `Frame`.

    Args:
        data: the table.
        kind: the kind of the table, from `kind_of`.
        maker: the object that transforms the table, to be pickled: a dataset of Hugging Face needs
            a fingerprint, under which the result is cached.
    """
    frames: dict[str, Callable[[Any], Frame]] = {
        "pandas": _Pandas,
        "polars": _Polars,
        "arrow": _Arrow,
        "arrow batch": partial(_Arrow, as_batch=True),
        "arrow stream": partial(_Arrow, as_batch=True),  # read as one batch
        "dataset": partial(_Dataset, maker=maker),
        "columns": _Columns,
    }
    return frames[kind](data)


def rows_of(frame: Frame) -> list[dict[str, Any]]:
    """Return the rows of a table as mappings."""
    rows = zip(*map(frame.column, frame.names), strict=True)
    return [dict(zip(frame.names, row, strict=True)) for row in rows]


class _Columns(Frame):
    """A mapping from names to sequences of values."""

    arrow = False

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = {name: _column(name, values) for name, values in data.items()}
        self.names = list(self._data)

    def column(self, name: str) -> list[Any]:
        return self._data[name]

    def replaced(
        self,
        rows: Int64,
        columns: Mapping[str, Any],
        id_field: str,  # noqa: ARG002 - lists have no types
    ) -> dict[str, list[Any]]:
        order = rows.tolist()
        repeated = {
            name: list(map(values.__getitem__, order))
            for name, values in self._data.items()
            if name not in columns
        }
        own = repeated | {name: listed(values) for name, values in columns.items()}
        return {name: own[name] for name in [*self._data, *columns]}


def _column(name: str, values: Any) -> list[Any]:
    """Return a column as a list; refuse the value of a single row, such as a string."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping):
        return listed(values)
    raise TypeError(
        f"a mapping must hold columns, but {name!r} holds {shown(values)}: put a single row into a "
        "list, and map a Hugging Face dataset with batched=True"
    )


def listed(values: Any) -> list[Any]:
    """Return a column of any library as a list of Python values."""
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, method):
            return getattr(values, method)()  # type: ignore[no-any-return]
    return list(values)


def are_all(rows: Int64, count: int) -> bool:
    """Return true if these are all rows of a table, once each and in order."""
    return len(rows) == count and bool((rows[1:] == rows[:-1] + 1).all())


class _Arrow(Frame):
    """A table or a record batch of Arrow."""

    arrow = True

    def __init__(self, data: Any, *, as_batch: bool = False) -> None:
        import pyarrow as pa

        self._table = pa.table(data) if as_batch else data
        self._as_batch = as_batch
        self._listed: dict[str, list[Any]] = {}
        self.names = list(self._table.column_names)

    def column(self, name: str) -> list[Any]:
        if name not in self._listed:
            self._listed[name] = self._table[name].to_pylist()
        return self._listed[name]

    def texts(self, name: str) -> Strings | list[Any]:
        from perturb.io.arrow_arrays import strings_of

        return strings_of(self._table[name]) or self.column(name)

    def replaced(self, rows: Int64, columns: Mapping[str, Any], id_field: str) -> Any:
        import pyarrow as pa

        others = {name: self._table[name] for name in self.names if name not in columns}
        if not are_all(rows, self._table.num_rows):
            others = {name: _taken(column, rows) for name, column in others.items()}
        new = {name: each.type for name, each in columns.items() if hasattr(each, "type")}
        schema = schema_with(self._table.schema, {id_field: pa.string(), **new})
        arrays = [
            _as_arrow(columns[field.name], field.type)
            if field.name in columns
            else others[field.name]
            for field in schema
        ]
        table = pa.table(arrays, schema=schema)
        if not self._as_batch:
            return table
        batches = table.combine_chunks().to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], table.schema)


def _taken(column: Any, rows: Int64) -> Any:
    """Return a column of Arrow at some rows."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import number_array

    try:
        return column.take(number_array(rows))
    except pa.ArrowNotImplementedError:  # of a view of strings, also within lists and objects
        return pa.array(map(column.to_pylist().__getitem__, rows.tolist()), column.type)


def _as_arrow(values: Any, kind: Any) -> Any:
    """Return a column as an array of a type."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import text_array

    if isinstance(values, pa.Array):
        return values
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return text_array(values, kind)
    return pa.array(listed(values), kind)


class _Pandas(Frame):
    """A pandas data frame, with mappings as records.

    pandas itself reads structs of a Parquet file as mappings, and writes them as fast.
    """

    arrow = False

    def __init__(self, data: Any) -> None:
        self._frame = data
        self.names = list(data.columns)

    def column(self, name: str) -> list[Any]:
        column = self._frame[name]
        missing = column.isna()
        values: list[Any] = column.tolist()
        if not missing.any():
            return values
        return [None if no else value for value, no in zip(values, missing.tolist(), strict=True)]

    def replaced(self, rows: Int64, columns: Mapping[str, Any], id_field: str) -> Any:
        import pandas as pd

        frame = self._frame if are_all(rows, len(self._frame)) else self._frame.iloc[rows]
        series = {}
        for name, values in columns.items():
            kind = frame[name].dtype if name in frame else None
            if isinstance(kind, pd.CategoricalDtype):  # it has no category for new texts
                kind = kind.categories.dtype
            if name == id_field and (kind is None or not pd.api.types.is_string_dtype(kind)):
                kind = None if values else str
            series[name] = pd.Series(values, frame.index, kind)
        return frame.assign(**series)


class _Polars(Frame):
    """A Polars data frame; records are structs if Arrow is installed."""

    def __init__(self, data: Any) -> None:
        self._frame = data
        self.arrow = find_spec("pyarrow") is not None  # Polars doesn't install it
        self.names = list(data.columns)

    def column(self, name: str) -> list[Any]:
        values: list[Any] = self._frame[name].to_list()
        return values

    def replaced(self, rows: Int64, columns: Mapping[str, Any], id_field: str) -> Any:
        import polars as pl

        if self.arrow and json_path.is_path(id_field):
            import pyarrow as pa

            schema_with(self._frame, {id_field: pa.string()})  # which refuses an id in a list
        series = []
        for name, values in columns.items():
            if hasattr(values, "type"):
                series.append(pl.Series(name, pl.from_arrow(values)))
                continue
            values = listed(values)
            if any(isinstance(value, Mapping) for value in values):
                rows_of_one = [{name: value} for value in values]
                series.append(pl.DataFrame(rows_of_one, infer_schema_length=None)[name])
            else:
                kind = self._frame.schema.get(name, pl.String)
                # An enumeration has no member for new texts.
                texts = name == id_field or isinstance(kind, pl.Enum)
                series.append(pl.Series(name, values, pl.String if texts else kind))
        frame = self._frame if are_all(rows, len(self._frame)) else self._frame[rows]
        return frame.with_columns(series)


class _Dataset(_Arrow):
    """A dataset of Hugging Face's `datasets`."""

    def __init__(self, data: Any, maker: Any) -> None:
        super().__init__(data.with_format("arrow")[:].replace_schema_metadata())
        self._data = data
        self._maker = maker

    def replaced(self, rows: Int64, columns: Mapping[str, Any], id_field: str) -> Any:
        from datasets import Dataset, DatasetInfo, Features
        from datasets.table import InMemoryTable

        table = super().replaced(rows, columns, id_field)
        features = Features.from_arrow_schema(table.schema)
        before = {name: kind for name, kind in self._data.features.items() if name not in columns}
        info = DatasetInfo(features=Features({**features, **before}))
        # The library's own fingerprint pickles all types of the table in Python, which is slow.
        come_from = pickle.dumps((self._data._fingerprint, self._maker))
        dataset = Dataset(
            InMemoryTable(table),
            info=info,
            split=self._data.split,
            fingerprint=blake2b(come_from, digest_size=8).hexdigest(),
        )
        kind = self._data.format["type"]
        return dataset.with_format(kind) if kind else dataset
