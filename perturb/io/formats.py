"""The formats of files of rows: a table, and functions that open files by it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from perturb.boundary import needed
from perturb.errors import DataError, UsageError, unknown
from perturb.io.addresses import public
from perturb.io.files import AS_JSON, BLOCK, COMPRESSIONS, STANDARD, SeenBytes, beginning
from perturb.io.outputs import Writable, replaceable


class Input(Protocol):
    """A file of rows, whatever its format: the `Reader` of a module of a format.

    Attributes:
        name: the name of the file, for messages.
        total: its size in bytes; 0 if unknown.
        digest: the SHA-256 of the file, and the number of bytes read so far.
        header: the names of its columns, if the file has them, after the first row was read.
        schema: their types in Arrow's form; None if the file has none.
        inner: the rows inside its values, for a reader that can leave out others early.
    """

    name: str
    total: int
    digest: SeenBytes
    header: Any
    schema: Any
    inner: Any

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows in blocks of JSON lines, each with the number of the first."""

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows with the numbers of their lines, from 1.

        Raises:
            DataError: the file is damaged; the message says where.
        """

    def close(self) -> None:
        """Close the file."""


class Columns:
    """The columns that a run writes; a `Writer` asks when it has the first rows.

    Attributes:
        tables: whether rows come as tables instead of lines of JSON.
    """

    tables = False

    def dialect(self) -> Any:
        """Return the dialect of the input if it has the format of the output, else None."""

    def ended(self, lines: bytes | memoryview) -> bytes | memoryview:
        """Return lines with the line ends of the input if it has the format of the output."""
        return lines

    def names(self) -> list[str]:
        """Return the names of the columns if there is no row."""
        return []

    def flat(self, columns: Mapping[str, Sequence[Any]]) -> Mapping[str, Sequence[Any]]:
        """Return columns without objects in them."""
        return columns

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of the columns in Arrow's form, given the first rows."""
        raise NotImplementedError


def check_fields(
    name: str, first: int, rows: Sequence[Mapping[str, Any]], columns: Collection[str]
) -> None:
    """Refuse rows with a field that isn't a column of the output.

    Args:
        name: the name of the file.
        first: the number of the first row.
        rows: the rows.
        columns: the names of the columns.
    """
    known = dict.fromkeys(columns).keys()
    for number, row in enumerate(rows, first):
        if not row.keys() <= known:
            field = next(field for field in row if field not in known)
            raise DataError(
                f"{name}: row {number} has the field {field!r}, but there is no such column, since "
                "the first rows lack it: write JSON Lines, or give all rows the same fields"
            )


class RowWriter(Protocol):
    """A writer of rows in one format: the `Writer` of a module of a format."""

    def write(self, data: Any) -> None:
        """Write a block of rows: lines of JSON, or a table of the format's kind."""

    def finish(self) -> None:
        """Write the remaining rows."""


class Format(NamedTuple):
    """A format of files of rows.

    Attributes:
        name: its name in `--format` and manifests.
        title: its name in a sentence.
        suffixes: the suffixes of its files.
        module: the module of this package with its `Reader` and `Writer`.
        options: further arguments of both.
        tables: the kind of tables as which rows pass between files of this kind: "text", or "arrow"
            where columns have types, the file is compressed internally, and pyarrow is needed; ""
            for lines of JSON alone.
        begins: the bytes, one of these, with which only its files begin.
        spans: the fields of its rows with spans of the text, which move along if no other is named.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    module: str
    options: Mapping[str, Any] = MappingProxyType({})
    tables: str = ""
    begins: tuple[bytes, ...] = ()
    spans: tuple[str, ...] = ()

    @property
    def records(self) -> bool:
        """Whether its rows have a place for records, as those of plain text don't."""
        return self.module != "text_files" and not self.spans

    @property
    def typed(self) -> bool:
        """Whether its columns have types."""
        return self.tables == "arrow"

    @property
    def packs(self) -> bool:
        """Whether its files may be compressed as a whole."""
        return not self.typed and self.module != "brat_files"

    def reader(
        self, path: str, max_row: int | None, *, hashed: bool, encoding: str | None = None
    ) -> Input:
        """Return the open file at a path; see `perturb.io.inputs.Inputs`."""
        options = dict(self.options)
        if encoding is not None:
            if self.typed:
                raise UsageError(f"{self.title} files have no encoding: leave out --encoding")
            options["encoding"] = encoding
        reader: Input = self._code().Reader(path, max_row, hashed=hashed, **options)
        return reader

    def writer(self, out: Writable, target: str, columns: Columns) -> RowWriter:
        """Return a writer of rows.

        Args:
            out: the stream to write to.
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
_PARAGRAPHS = {"unit": "paragraph"}
FORMATS = {
    form.name: form
    for form in (
        Format("jsonl", "JSON lines", (".jsonl", ".ndjson"), "jsonl", begins=_JSON),
        Format("json", "JSON", (".json",), "json_files", begins=_JSON),
        Format("csv", "CSV", (".csv",), "csv_files", tables="text"),
        Format("tsv", "TSV", (".tsv",), "csv_files", options={"delimiter": "\t"}, tables="text"),
        Format(
            *("parquet", "Parquet", (".parquet",), "parquet_files"),
            tables="arrow",
            begins=(b"PAR1",),
        ),
        Format(
            *("arrow", "Arrow", (".arrow", ".feather"), "arrow_files"),
            tables="arrow",
            begins=_ARROW,
        ),
        Format("text", "plain text", (".txt",), "text_files"),
        Format("conll", "CoNLL", (".conll", ".bio"), "text_files", options={"unit": "sentence"}),
        Format("conllu", "CoNLL-U", (".conllu",), "conllu_files", _PARAGRAPHS, spans=("tokens",)),
        Format("brat", "BRAT", (".ann",), "brat_files", spans=("spans",)),
        # For --format only, since other formats have their suffixes.
        Format("paragraphs", "paragraphs", (".txt",), "text_files", _PARAGRAPHS),
        Format(
            *("unquoted", "TSV without quotes", (".tsv",), "csv_files"),
            options={"delimiter": "\t", "quoted": False},
            tables="text",
        ),
        Format(
            *("webanno", "WebAnno TSV", (".tsv",), "webanno_files"),
            begins=(b"#FORMAT=WebAnno TSV",),
            spans=("tokens", "parts"),
        ),
        Format(
            *("mmlu", "MMLU's CSV", (".csv",), "csv_files"),
            options={"headerless": True},
            tables="text",
        ),
    )
}


def _any_of(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"


# For help and messages: the formats, and the usual suffix of each.
TITLES = _any_of(form.title for form in FORMATS.values())
ENDINGS = _any_of(dict.fromkeys(form.suffixes[0] for form in FORMATS.values()))
# A field of TSV that has a quote, and isn't one in quotes.
_INNER_QUOTE = re.compile(rb'(?:^|\t)(?!"(?:[^"\t]|"")*"(?:\t|$))[^\t"]*"')
# The format of files without a suffix.
_DEFAULT = FORMATS["jsonl"]
_BY_SUFFIX = {suffix: form for form in [*FORMATS.values()][::-1] for suffix in form.suffixes}
# Files that perturb can't read, and how to convert them.
_ADVICE = {
    suffix: advice
    for suffixes, advice in {
        ".xlsx .xls .ods": "a spreadsheet: save the sheet as CSV, or in Python pass "
        "pandas.read_excel(FILE)",
        ".docx .doc .odt .rtf .pdf .html .htm .epub": "a document: save it as plain text, FILE.txt,"
        " in which each line is a row, or each paragraph with perturb apply --format paragraphs",
        ".zip .tar .tgz .7z .rar .bz2 .xz": "an archive: unpack it, and give a file from it",
        ".db .sqlite .sqlite3": "a database: sqlite3 -json FILE 'SELECT ...' > rows.json writes "
        "rows",
        ".srt .vtt": "subtitles: grep -vE '^[0-9]*[[:space:]]*$|-->|^WEBVTT' FILE > FILE.txt "
        "writes their lines",
        ".xml": "XML, which perturb can't read: extract the texts to JSON Lines",
        ".m2": "sentences with corrections, whose errors perturb fit counts: "
        "sed -n 's/^S //p' FILE > FILE.txt writes the sentences",
    }.items()
    for suffix in suffixes.split()
}


def suffix_format(path: str) -> Format | None:
    """Return the format in the name of a file; None if there is none."""
    return _BY_SUFFIX.get(_bare(path).suffix.lower())


def names_file(word: str) -> bool:
    """Return true if a word ends like a file of rows, or like a file that people try as one."""
    suffix = _bare(word).suffix.lower()
    return suffix_format(word) is not None or suffix in _ADVICE or suffix in AS_JSON


@lru_cache(maxsize=64)  # a run asks of one file's name a dozen times
def _bare(path: str) -> Path:
    """Return a path without its suffix of a compression."""
    name = Path(public(path))
    return name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name


def output_format(path: str, given: str | None, source: str, read: Format) -> Format:
    """Return the format of an output file, which names its columns.

    Args:
        path: the path of the file.
        given: the name of a format. A suffix other than that of the input takes precedence, except
            .txt, since any text format is plain text.
        source: the path of the input.
        read: the format of the input.

    Raises:
        UsageError: as `format_of`; or neither file has the given format.
    """
    suffix, theirs = (_bare(each).suffix.lower() for each in (path, source))
    if suffix in AS_JSON:
        raise UsageError(f"perturb reads {suffix} and writes JSON: name the output FILE.json")
    follows = suffix == theirs and read.name == given
    is_open = follows or suffix in (".txt", *FORMATS[given or "text"].suffixes)
    form = _format_of(path, given if is_open or suffix not in _BY_SUFFIX else None)
    if given is None and form.suffixes == read.suffixes:
        form = read  # TSV as that of the input, with quotes or without
    if given not in (None, read.name, form.name):
        raise UsageError(
            f"--format {given} fits neither file: {public(source)} is {read.title}, and "
            f"{public(path)} is {form.title} by its name; leave it out"
        )
    return FORMATS["csv"] if form.options.get("headerless") else form


def format_of(path: str, given: str | None = None) -> Format:
    """Return the format of an input file.

    Args:
        path: the path of the file.
        given: the name of its format, which overrides its suffix, unless the file begins like the
            format of its suffix and unlike the given one. By default the format of the suffix, and
            JSON Lines for names without one and for files that aren't regular.

    Raises:
        UsageError: the suffix is unknown, or belongs to a format that can't be compressed as a
            whole.
        DataError: the file can't be read.
    """
    told, wanted = suffix_format(path), FORMATS.get(given or "")
    if told and wanted and told.begins not in ((), wanted.begins) and replaceable(path):
        start = beginning(path).removeprefix(b"\xef\xbb\xbf").lstrip()
        given = None if start.startswith(told.begins) else given
    if told is FORMATS["tsv"] and given is None and replaceable(path):
        start = beginning(path)
        if start.removeprefix(b"\xef\xbb\xbf").startswith(FORMATS["webanno"].begins):
            return FORMATS["webanno"]
        return FORMATS["unquoted" if _is_unquoted(start) else "tsv"]
    return _format_of(path, given)


def with_quoting(given: str | None, quoting: str | None) -> str | None:
    """Return the name of the format that `--format` and `--quoting` choose together.

    Raises:
        UsageError: they contradict each other.
    """
    if quoting is not None and given not in (None, "tsv", "unquoted"):
        raise UsageError(f"--quoting none is for TSV; leave it out, or --format {given}")
    return given if quoting is None else "unquoted"


def _is_unquoted(start: bytes) -> bool:
    """Return true if the beginning of a TSV file shows that its quotes are parts of texts.

    Then each line has as many fields as the first, and a quote is where no quoted field has one.
    With one column, a field of two lines would look the same.
    """
    lines = start.splitlines()[: -1 if len(start) >= BLOCK else None]
    tabs = {line.count(b"\t") for line in lines if line}
    return len(tabs) == 1 and 0 not in tabs and any(map(_INNER_QUOTE.search, lines))


def _format_of(path: str, given: str | None) -> Format:
    """Return the given format, or that in a name; see `format_of`."""
    bare = _bare(path)
    form = _BY_SUFFIX.get(bare.suffix.lower())
    if given is not None:
        if given not in FORMATS:
            raise unknown("format", given, FORMATS)
        form = FORMATS[given]
    if form is not None:
        if not form.packs and (packed := Path(public(path)).suffix) != bare.suffix:
            why = "compresses its own data" if form.typed else "is two files"
            raise UsageError(f"{path}: {form.title} {why}: leave out {packed}")
        return form
    if path == STANDARD or not bare.suffix or not replaceable(path):
        return _DEFAULT
    if Path(public(path)).suffix.lower() in AS_JSON:
        return FORMATS["json"]
    if advice := _ADVICE.get(bare.suffix.lower()):
        raise UsageError(f"{public(path)} is {advice}")
    endings = " or ".join(COMPRESSIONS)
    alone = " and ".join(suffix for suffix, form in _BY_SUFFIX.items() if not form.packs)
    raise UsageError(
        f"can't tell the format of {public(path)} from {bare.suffix}; known: "
        f"{', '.join(_BY_SUFFIX)}, all except {alone} also with {endings}; "
        "rename the file, or give perturb apply --format"
    )
