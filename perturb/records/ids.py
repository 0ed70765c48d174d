"""Ids, keys and checks of originals; all random numbers are computed from keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from perturb.engine.native import binding, kernels
from perturb.engine.text.strings import Strings, column
from perturb.errors import shown
from perturb.records.notation import ABSENT, written_value
from perturb.rng import blake2b, sha256
from perturb.values.arrays import NDArray, UInt64
from perturb.values.scalars import plain

# The texts that are hashed at once: few enough to stay in the cache.
_AT_ONCE = 1 << 10

_EMPTY_DIGEST = blake2b(digest_size=8)
# Before the digits of a key: the id of an original that was given none.
TEXT_PREFIX = "text:"
_TEXT_ID = re.compile(rf"{TEXT_PREFIX}[0-9a-f]{{16}}")


def record_keys(ids: Sequence[str], paths: Sequence[str] | None) -> UInt64:
    """Return the key of each text whose original has an id.

    Args:
        ids: the ids of the originals.
        paths: what tells the texts of one row apart; "" for the text that has the key of its row.
            None if all have.
    """
    if paths is not None:
        names = [f"{name}\0{path}" if path else name for name, path in zip(ids, paths, strict=True)]
        return record_keys(names, None)
    keys = _keys(ids)
    # Hardly ever is some id made of its text, which is seen sooner than of each.
    if TEXT_PREFIX in "\0".join(ids):
        for row, name in enumerate(ids):
            if _TEXT_ID.fullmatch(name):
                keys[row] = int(name.removeprefix(TEXT_PREFIX), 16)
    return keys


def keys_of_texts(texts: Callable[[], Sequence[str]], source: Strings | None) -> UInt64:
    """Return the key of each text whose original has no id.

    Args:
        texts: the texts, where they are needed.
        source: the same texts, as `Strings.of_texts` gives them, if they are there.
    """
    native = None if source is None else kernels.keys_of_texts(source)
    return _keys(texts()) if native is None else native


def id_of_text(text: str) -> str:
    """Return the id of an original that was given none."""
    (key,) = _keys([text])
    return f"{TEXT_PREFIX}{key:016x}"


def _keys(texts: Sequence[str]) -> UInt64:
    """Return the 64-bit BLAKE2b of each text in UTF-8."""
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


def id_change(id_field: str, given: Any) -> str:
    """Return what a record says of an id that is no string, in its notation; "" for a string."""
    if isinstance(given, str):
        return ""
    return written_value(id_field, ABSENT if given is None else plain(given))


def id_changes(id_field: str, given: Sequence[Any]) -> list[str] | None:
    """Return `id_change` for each id; None where all are strings."""
    if set(map(type, given)) <= {str}:
        return None
    return [id_change(id_field, each) for each in given]
