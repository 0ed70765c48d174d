"""The formats of files of rows: a table, and how files are opened by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from perturb.boundary import needed
from perturb.errors import UsageError, unknown
from perturb.io.addresses import public
from perturb.io.files import COMPRESSIONS, STANDARD, SeenBytes, beginning
from perturb.io.outputs import Writable, replaceable


class Input(Protocol):
    """A file of rows, whatever its format: the `Reader` of a module of a format.

    Attributes:
        name: the name of the file, for messages.
        total: its size in bytes; 0 where that is not known.
        digest: the SHA-256 of the file, and how much of it was read so far.
        header: the names of its columns, where the file names them, once the first row was read.
        schema: their types in Arrow's form; None where the file has none.
    """

    name: str
    total: int
    digest: SeenBytes
    header: Any
    schema: Any

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with the number of the first."""

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows, with the numbers of their lines, from 1.

        Raises:
            DataError: the file is damaged; the message says where.
        """

    def close(self) -> None:
        """Close the file."""


class Columns:
    """What a run knows of the columns that it writes; a `Writer` asks when it has the first rows.

    Attributes:
        typed: whether rows come as tables of Arrow, and not as lines of JSON.
    """

    typed = False

    def dialect(self) -> Any:
        """Return that of the input, where it has the format of the output; else None."""

    def ended(self, lines: bytes | memoryview) -> bytes | memoryview:
        """Return lines with the ends of the input's, where it has the format of the output."""
        return lines

    def names(self) -> list[str]:
        """Return the names of the columns where there is no row."""
        return []

    def flat(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row of which each column has one value."""
        return row

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of the columns in Arrow's form, of which these rows are the first."""
        raise NotImplementedError


class RowWriter(Protocol):
    """A writer of rows in one format: the `Writer` of a module of a format."""

    def write(self, data: Any) -> None:
        """Write the rows of a block, which are lines of JSON, or of a table if both files are."""

    def finish(self) -> None:
        """Write what is left."""


class Format(NamedTuple):
    """A format of files of rows.

    Attributes:
        name: as `--format` and manifests have it.
        title: its name in a sentence.
        suffixes: the suffixes of the names of its files.
        module: the module of this package, which has its `Reader` and its `Writer`.
        options: what both are given beside.
        typed: whether its columns have types. Rows then pass as tables of Arrow from file to file,
            the file is compressed within, and needs pyarrow.
        begins: with which bytes its files begin, one of these, where they are like no other's.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    module: str
    options: Mapping[str, Any] = MappingProxyType({})
    typed: bool = False
    begins: tuple[bytes, ...] = ()

    def reader(
        self, path: str, max_row: int | None, *, hashed: bool, encoding: str | None = None
    ) -> Input:
        """Return the open file at a path; see `perturb.io.inputs.Inputs`."""
        options = dict(self.options)
        if encoding is not None:
            if self.typed:
                raise UsageError(f"{self.title} files are in no other encoding: leave it out")
            options["encoding"] = encoding
        reader: Input = self._code().Reader(path, max_row, hashed=hashed, **options)
        return reader

    def writer(self, out: Writable, target: str, columns: Columns) -> RowWriter:
        """Return what writes rows.

        Args:
            out: where to.
            target: the path of the file, for messages.
            columns: the columns of the rows.
        """
        name = "standard output" if target == STANDARD else target
        writer: RowWriter = self._code().Writer(out, name, columns, **self.options)
        return writer

    def _code(self) -> Any:
        if self.typed:
            needed("pyarrow", "arrow", f"{self.title} files need")
        return import_module(f"perturb.io.{self.module}")


_JSON = (b"{", b"[")
_ARROW = (b"ARROW1", b"\xff\xff\xff\xff")  # a file, a stream
FORMATS = {
    form.name: form
    for form in (
        Format("jsonl", "JSON lines", (".jsonl", ".ndjson"), "jsonl", begins=_JSON),
        Format("json", "JSON", (".json",), "json_files", begins=_JSON),
        Format("csv", "CSV", (".csv",), "csv_files"),
        Format("tsv", "TSV", (".tsv",), "csv_files", options={"delimiter": "\t"}),
        Format(
            *("parquet", "Parquet", (".parquet",), "parquet_files"), typed=True, begins=(b"PAR1",)
        ),
        Format("arrow", "Arrow", (".arrow", ".feather"), "arrow_files", typed=True, begins=_ARROW),
        Format("text", "plain text", (".txt",), "text_files"),
        Format("conll", "CoNLL", (".conll", ".bio"), "text_files", options={"unit": "sentence"}),
        # Of suffixes that others have first: for --format alone.
        Format("paragraphs", "paragraphs", (".txt",), "text_files", options={"unit": "paragraph"}),
        Format("mmlu", "MMLU's CSV", (".csv",), "csv_files", options={"headerless": True}),
    )
}


def _any_of(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"


# For help and messages: the formats, and how the names of their files usually end.
TITLES = _any_of(form.title for form in FORMATS.values())
ENDINGS = _any_of(dict.fromkeys(form.suffixes[0] for form in FORMATS.values()))
# Of files whose names don't tell it.
_DEFAULT = FORMATS["jsonl"]
_BY_SUFFIX = {suffix: form for form in [*FORMATS.values()][::-1] for suffix in form.suffixes}
# Files that are read in no way here, and what to do with them.
_ADVICE = {
    suffix: advice
    for suffixes, advice in {
        ".xlsx .xls .ods": "a spreadsheet: save the sheet as CSV, or in Python perturb what "
        "pandas.read_excel gives",
        ".docx .doc .odt .rtf .pdf .html .htm .epub": "a document: save it as plain text, FILE.txt,"
        " whose lines are rows; with --format paragraphs what blank lines part",
        ".zip .tar .tgz .7z .rar .bz2 .xz": "packed: unpack it, and name what was in it",
        ".yaml .yml": "YAML: --config FILE reads steps; of other YAML, python -c 'import json, sys,"
        " yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)' < FILE > FILE.json "
        "makes JSON, and --field leads to its texts",
        ".db .sqlite .sqlite3": "a data base: sqlite3 -json FILE 'SELECT ...' > rows.json writes "
        "rows",
        ".srt .vtt": "subtitles: grep -vE '^[0-9]*[[:space:]]*$|-->|^WEBVTT' FILE > FILE.txt "
        "writes their lines",
        ".xml": "a tree and no rows: write what holds the texts as JSON lines",
        ".eval": "a log of Inspect: inspect log dump FILE > FILE.json writes JSON, in which "
        "--field 'samples[*].input' leads to the questions",
        ".m2": "sentences with corrections: sed -n 's/^S //p' FILE > FILE.txt writes the sentences",
        ".conllu": "a treebank: grep -vE '^[0-9]+[-.]' FILE | cut -f 2,4 > FILE.conll writes words "
        "with their tags",
    }.items()
    for suffix in suffixes.split()
}


def suffix_format(path: str) -> Format | None:
    """Return the format that the name of a file tells; None where it tells none."""
    return _BY_SUFFIX.get(_bare(path).suffix.lower())


def names_file(word: str) -> bool:
    """Return true if a word ends as the name of a file of rows, or of what people try as one."""
    return suffix_format(word) is not None or _bare(word).suffix.lower() in _ADVICE


def _bare(path: str) -> Path:
    """Return a path without the suffix of a compression."""
    name = Path(public(path))
    return name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name


def output_format(path: str, given: str | None, source: str, read: Format) -> Format:
    """Return the format of a file that is written, which names its columns.

    Args:
        path: the path of the file.
        given: the name of a format. A suffix that is not that of the input wins over it, but for
            that of plain text, which any format of text is.
        source: the path of the input.
        read: the format of the input.

    Raises:
        UsageError: as `format_of`; or the format that was given is of neither file.
    """
    suffix, theirs = (_bare(each).suffix.lower() for each in (path, source))
    follows = suffix == theirs and read.name == given
    is_open = follows or suffix in (".txt", *FORMATS[given or "text"].suffixes)
    form = _format_of(path, given if is_open or suffix_format(path) is None else None)
    if given not in (None, read.name, form.name):
        raise UsageError(
            f"--format {given} is of no file here: {public(source)} is {read.title}, and "
            f"{public(path)} is {form.title} by its name; leave it out"
        )
    return FORMATS["csv"] if form.options.get("headerless") else form


def format_of(path: str, given: str | None = None) -> Format:
    """Return the format of a file that is read.

    Args:
        path: the path of the file.
        given: the name of its format, whatever its suffix says, unless the file begins as the
            suffix says and no file of that format does; by default that of the suffix, and JSON
            lines for a name without one, and for what is no regular file.

    Raises:
        UsageError: the name has a suffix of no known format, or a format that is not compressed
            from without.
        DataError: the file can't be read.
    """
    told, wanted = suffix_format(path), FORMATS.get(given or "")
    if told and wanted and told.begins not in ((), wanted.begins) and replaceable(path):
        start = beginning(path).removeprefix(b"\xef\xbb\xbf").lstrip()
        given = None if start.startswith(told.begins) else given
    return _format_of(path, given)


def _format_of(path: str, given: str | None) -> Format:
    """Return the format that was given, or that a name tells; see `format_of`."""
    bare = _bare(path)
    form = suffix_format(path)
    if given is not None:
        if given not in FORMATS:
            raise unknown("format", given, FORMATS)
        form = FORMATS[given]
    if form is not None:
        if form.typed and (packed := Path(public(path)).suffix) != bare.suffix:
            raise UsageError(f"{path}: {form.title} is compressed within: leave out {packed}")
        return form
    if path == STANDARD or not bare.suffix or not replaceable(path):
        return _DEFAULT
    if advice := _ADVICE.get(bare.suffix.lower()):
        raise UsageError(f"{public(path)} is {advice}")
    endings = " or ".join(COMPRESSIONS)
    alone = " and ".join(suffix for suffix, form in _BY_SUFFIX.items() if form.typed)
    raise UsageError(
        f"can't tell the format of {public(path)} by {bare.suffix}; known are "
        f"{', '.join(_BY_SUFFIX)}, all but {alone} also with {endings}: "
        "rename the file, or give --format"
    )
