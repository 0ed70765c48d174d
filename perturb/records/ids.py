"""Ids, keys and checks of originals; all random numbers are computed from keys."""

from __future__ import annotations

import contextlib
import json
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from perturb.engine.native import binding, kernels
from perturb.engine.text.strings import Strings, as_list, column, decode
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.jsonl import dumps
from perturb.records.notation import ABSENT, written_value
from perturb.rng import blake2b, sha256
from perturb.values.arrays import NDArray, UInt64
from perturb.values.fields import plain

# The texts that are hashed at once: few enough to stay in the cache.
_AT_ONCE = 1 << 10

_EMPTY_DIGEST = blake2b(digest_size=8)
# The id of an original that was given none is `text:KEY.ROW`, that of a text without a row
# `text:KEY`. KEY, of 64 bits, makes the noise. ROW, of 48, keeps rows of one text apart: of n such
# rows two that differ share an id once in 2**49 / n**2 files, which is once in 500,000,000 for a
# thousand rows, and once in 50,000 for a hundred thousand.
TEXT_PREFIX = "text:"
_TEXT_ID = re.compile(rf"{TEXT_PREFIX}([0-9a-f]{{16}})(?:\.([0-9a-f]{{12}}))?")
_ROW = re.compile(rf"(?<=^{TEXT_PREFIX}[0-9a-f]{{16}})\.[0-9a-f]{{12}}\Z")
ROW_BITS = np.uint64(48)


def record_keys(ids: Sequence[str] | Strings, paths: Sequence[str] | None) -> UInt64:
    """Return the key of each text whose original has an id.

    Args:
        ids: the ids of the originals.
        paths: what tells the texts of one row apart; "" for the text that has the key of its row.
            None if all have.
    """
    if paths is not None:
        ids = [
            f"{_ROW.sub('', name)}\0{path}" if path else name
            for name, path in zip(as_list(ids), paths, strict=True)
        ]
    keys = keys_of_texts(ids)
    for row, (key, _) in _of_texts(ids):
        keys[row] = int(key, 16)
    return keys


def _of_texts(ids: Sequence[str] | Strings) -> Iterable[tuple[int, Sequence[str]]]:
    """Return the numbers of the ids that are made of texts, each with its parts."""
    whole = decode(ids.codes) if isinstance(ids, Strings) else "\0".join(ids)
    if TEXT_PREFIX not in whole:  # hardly ever, which is seen sooner than of each
        return ()
    found = enumerate(map(_TEXT_ID.fullmatch, as_list(ids)))
    return [(row, match.groups("0")) for row, match in found if match]


def rows_of_ids(ids: Sequence[str] | Strings) -> UInt64:
    """Return of each id the ROW that keeps rows of one text apart, 0 for nothing."""
    apart = np.zeros(len(ids), np.uint64)
    for row, (_, digits) in _of_texts(ids):
        apart[row] = int(digits, 16)
    return apart


def id_of_text(text: str, row: str = "") -> str:
    """Return the id of an original that was given none, by its text and the hash of its row."""
    (key,) = keys_of_texts([text])
    return f"{TEXT_PREFIX}{key:016x}{'.' * bool(row)}{row}"


def row_in(name: str) -> str:
    """Return the hash of a row in the id of one of its versions; "" if there is none."""
    match = _TEXT_ID.match(name)
    return match[2] or "" if match else ""


def hashes_of_rows(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a hash of each row as it is, which keeps apart those of one text and no id.

    It is of the row as JSON, with NaN and infinities by name. A value without a form in JSON counts
    by its type alone, except bytes, numbers, durations and arrays.
    """
    texts = [_as_json(row if type(row) is dict else dict(row)) for row in rows]
    return digits_of(keys_of_texts(texts) << np.uint64(64) - ROW_BITS, ",")[:-4].split("0000,")


def _as_json(row: Mapping[str, Any]) -> str:
    with contextlib.suppress(DataError):
        line = dumps(row)
        if b"null" in line and not _is_finite(row):
            line = dumps(row, odd=True)
        return line[:-1].decode()
    try:
        by = (",", ":")  # as in what `dumps` writes
        return json.dumps(row, skipkeys=True, ensure_ascii=False, separators=by, default=_form_of)
    except (RecursionError, ValueError):  # the latter of one that holds itself
        raise DataError("the row is nested too deeply") from None


def _is_finite(row: Mapping[str, Any]) -> bool:
    """Return true if each null of the row's JSON is one, and neither NaN nor infinite."""
    try:
        json.dumps(row, skipkeys=True, allow_nan=False, default=str)
    except ValueError:
        return False
    return True


def _form_of(part: Any) -> Any:
    """Return what counts of a value that JSON has no form for."""
    if hasattr(part, "tolist"):
        return part.tolist()
    told = isinstance(part, bytes | numbers.Number | timedelta)
    return str(part) if told else type(part).__name__


def keys_of_texts(texts: Sequence[str] | Strings) -> UInt64:
    """Return the 64-bit BLAKE2b of each text in UTF-8."""
    native = kernels.keys_of_texts(texts) if isinstance(texts, Strings) else None
    if native is not None:
        return native
    texts = as_list(texts)
    if binding.LIBRARY is None or len(texts) == 1:
        return _digests(texts)
    keys = np.empty(len(texts), np.uint64)
    for first in range(0, len(texts), _AT_ONCE):
        some = texts[first : first + _AT_ONCE]
        native = kernels.keys_of_texts(column(some))
        keys[first : first + _AT_ONCE] = _digests(some) if native is None else native
    return keys


def _digests(texts: Sequence[str]) -> UInt64:
    """Return the 64-bit BLAKE2b of each text in UTF-8, lone surrogates too."""
    try:
        encoded = list(map(str.encode, texts))
    except UnicodeEncodeError:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    empty = _EMPTY_DIGEST.copy
    digests = []
    for data in encoded:
        digest = empty()  # faster than a new one
        digest.update(data)
        digests.append(digest.digest())
    return np.frombuffer(bytearray().join(digests), "<u8")


def digits_of(hashes: NDArray[Any], separator: str) -> str:
    """Return the hexadecimal digits of hashes, with a separator between them."""
    big = hashes.astype(hashes.dtype.newbyteorder(">"))
    return big.tobytes().hex(separator, hashes.itemsize)


def checked_id(id: Any) -> str:
    """Return an id as a string.

    Raises:
        TypeError: it is neither a string nor a whole number.
    """
    if isinstance(id, str):
        return id
    if type(number := plain(id)) is int:
        return str(number)
    raise TypeError(f"an id is a string or a whole number; got {shown(id)}")


def check_of(texts: Iterable[str]) -> str:
    """Return the check of the texts and string answers of a row, in the order of the recipe.

    It is against accidents, not forgers: `x`, and the first 8 hexadecimal digits of the SHA-256 of
    all texts, each as the number of its bytes in UTF-8, a colon, and these bytes.

    Examples:
        >>> check_of(["How many eggs?"])
        'x5346abe8'
    """
    digest = sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return f"x{digest.hexdigest()[:8]}"


def given_id(row: Mapping[str, Any], id_field: str, default: Any = None) -> Any:
    """Return the id of a row, by a field or a path; `default` if it has no such field.

    Raises:
        DataError: a path leads nowhere.
    """
    if id_field in row or not json_path.is_path(id_field):
        return row.get(id_field, default)
    return json_path.locate(row, id_field)[0][1]


def with_id(row: Mapping[str, Any], id_field: str, name: Any) -> dict[str, Any]:
    """Return a row with another id, where `given_id` finds it."""
    if id_field in row or not json_path.is_path(id_field):
        return {**row, id_field: name}
    copy = dict(row)
    json_path.put_into(copy, [(json_path.locate(row, id_field)[0][0], name)])
    return copy


def is_no_id(given: Any) -> bool:
    """Return true if a row has no id: null, or no such field."""
    return given is None or given is ABSENT


def id_change(id_field: str, given: Any) -> str:
    """Return what a record says of an id that is no string, in its notation; "" for a string."""
    return "" if isinstance(given, str) else written_value(id_field, plain(given))


def id_changes(id_field: str, given: Sequence[Any] | Strings) -> list[str] | None:
    """Return `id_change` for each id; None where all are strings."""
    if isinstance(given, Strings) or set(map(type, given)) <= {str}:
        return None
    return [id_change(id_field, each) for each in given]
