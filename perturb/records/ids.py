"""What names an original, and the key that is drawn from: of its id, or of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import regex

from perturb.rng import UInt64

_EMPTY_DIGEST = blake2b(digest_size=8)
_TEXT_ID = regex.compile(r"text:[0-9a-f]{16}")


def record_keys(
    texts: Sequence[str], ids: Sequence[str] | None, fields: Sequence[str] | None
) -> UInt64:
    """The key of each record: of its id, or of its text where it has none.

    A path into a list belongs to the key, so that the texts of one row draw on their own.
    """
    if ids is None:
        digests = _digests(texts)
    elif fields is None or "[" not in fields[0]:
        digests = _digests(ids)
        for row, name in enumerate(ids):
            if name.startswith("text:") and _TEXT_ID.fullmatch(name):
                digests[row] = bytes.fromhex(name[5:])[::-1]
    else:
        digests = _digests(map("\0".join, zip(ids, fields, strict=True)))
    return np.frombuffer(b"".join(digests), "<u8")


def id_of_text(text: str) -> str:
    """The id of an original that has no other."""
    (digest,) = _digests([text])
    return f"text:{digest[::-1].hex()}"


def _digests(texts: Iterable[str]) -> list[bytes]:
    empty = _EMPTY_DIGEST.copy
    made = []
    for text in texts:
        digest = empty()  # faster than a new one
        try:
            digest.update(text.encode())
        except UnicodeEncodeError:
            digest.update(text.encode("utf-8", "surrogatepass"))
        made.append(digest.digest())
    return made


def checked_id(id: Any) -> str:
    """An id as a string.

    Raises:
        TypeError: it is neither a string nor a whole number.
    """
    if isinstance(id, str):
        return id
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)
    raise TypeError(f"an id is a string or a whole number; got {id!r}")
