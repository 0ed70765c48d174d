"""Random numbers from hashes of keys, without the state of a generator. Private.

A draw is a function of a 64-bit key (of the text), a counter (the place) and a lane (the purpose).
So a draw doesn't depend on earlier draws, their order, or the process. All functions work on whole
arrays; none allocates a generator or reads a global one.
"""

from __future__ import annotations

import numpy as np

from perturb.values.arrays import Float64, Int64, UInt32, UInt64

try:  # `hashlib` loads OpenSSL, which takes as long as perturbing a small file
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b
try:
    from _sha2 import sha256 as sha256  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # before Python 3.12
    try:
        from _sha256 import sha256 as sha256  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        from hashlib import sha256 as sha256

# The constants are arrays without dimensions: NumPy uses these directly, but converts scalars in
# every operation, which is noticeable for one short text.
# Odd, so that multiplying by it permutes the 32-bit counters (2**32 / golden ratio).
_GOLDEN = 0x9E3779B1
_STRIDE = np.array(_GOLDEN, np.uint32)
# Lanes lie this far apart on the counter: more than 2**24 places between any two of the first 64.
_LANE = 0x9E3779B9
_LANES = [np.array(lane * _LANE & 0xFFFFFFFF, np.uint32) for lane in range(64)]
# C. Wellons' "lowbias32" constants, public domain.
_FIRST = np.array(0x7FEB352D, np.uint32)
_SECOND = np.array(0x846CA68B, np.uint32)
_15, _16 = (np.array(bits, np.uint32) for bits in (15, 16))
# The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
_MIX64_FIRST = np.array(0xBF58476D1CE4E5B9, np.uint64)
_MIX64_SECOND = np.array(0x94D049BB133111EB, np.uint64)
_32_BITS, _64_BITS = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
_27, _30, _31, _32 = (np.array(bits, np.uint64) for bits in (27, 30, 31, 32))


def key64(*parts: str | int) -> int:
    """Hash `parts` to a 64-bit key with BLAKE2b.

    Every part is hashed with its type and length, so that different lists of parts never collide:
    `("ab", "c")` and `("a", "bc")` differ, and so do `1` and `"1"`.

    Args:
        parts: strings (any code points, lone surrogates too) and integers of any size.

    Returns:
        An integer in [0, 2**64).

    Examples:
        >>> key64("ab", "c") == key64("a", "bc")
        False
        >>> hex(key64("keyboard_typos", 7))
        '0x5ea0568147a0792f'
    """
    data = b""
    for part in parts:
        text = str(part).encode("utf-8", "surrogatepass")
        data += b"%c%d:%b" % (b"s" if isinstance(part, str) else b"i", len(text), text)
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def mix64(keys: UInt64, salt: int) -> UInt64:
    """Combine every key with `salt` into a new key; a bijection of the keys for a given salt."""
    if len(keys) == 1:
        return np.array([_mix64_of_one(int(keys[0]), salt)], np.uint64)
    x = keys ^ np.uint64(salt)
    x ^= x >> _30
    x *= _MIX64_FIRST
    x ^= x >> _27
    x *= _MIX64_SECOND
    x ^= x >> _31
    return x


def hash32(keys: UInt64, counters: Int64, lane: int = 0) -> UInt32:
    """Draw one 32-bit number for each counter.

    For one key and lane this is a bijection of the counters, so no two places of one text draw the
    same rank.

    Args:
        keys: shape (n,); the key of each draw.
        counters: shape (n,); in [0, 2**32).
        lane: in [0, 64); draws for different purposes take different lanes.

    Returns:
        Shape (n,), uniform over the 32-bit integers.
    """
    if len(counters) == 1:
        return np.array([hash32_of_one(int(keys[0]), int(counters[0]), lane)], np.uint32)
    return hash32_halves(*halves(keys), counters.astype(np.uint32), lane)


def hash32_in_lanes(keys: UInt64, lanes: Int64) -> UInt32:
    """Return `hash32` for the counter 0, in a separate lane for each key."""
    return hash32(keys, lanes.astype(np.int64) * _LANE & _32_BITS)


def halves(keys: UInt64) -> tuple[UInt32, UInt32]:
    """Return the low and the high 32 bits of each key."""
    return keys.astype(np.uint32), (keys >> _32).astype(np.uint32)


def moved(low: UInt32, origins: Int64) -> UInt32:
    """Return low halves of keys for counters that start at `origins` instead of 0.

    `hash32_halves(moved(low, origins), high, origins + c)` is `hash32_halves(low, high, c)`, so
    that places in a batch serve as counters as well as places in their texts.
    """
    return low - origins.astype(np.uint32) * _STRIDE


def hash32_halves(low: UInt32, high: UInt32, counters: UInt32, lane: int = 0) -> UInt32:
    """Return `hash32` for keys in halves; `counters` is overwritten with the draws."""
    if lane:
        counters += _LANES[lane]
    counters *= _STRIDE
    counters += low
    shifted = counters >> _16
    counters ^= shifted
    counters *= _FIRST
    counters ^= high
    np.right_shift(counters, _15, out=shifted)
    counters ^= shifted
    counters *= _SECOND
    np.right_shift(counters, _16, out=shifted)
    counters ^= shifted
    return counters


def hash32_of_key(key: int, counters: UInt32, lane: int, origin: int) -> UInt32:
    """Return `hash32` for one key and counters from `origin` on; these are overwritten."""
    low = key - origin * _GOLDEN & _32_BITS
    return hash32_halves(np.array(low, np.uint32), np.array(key >> 32, np.uint32), counters, lane)


# For a single number, plain integers are faster than arrays.


def _mix64_of_one(key: int, salt: int) -> int:
    x = key ^ salt
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _64_BITS
    return x ^ x >> 31


def hash32_of_one(key: int, counter: int, lane: int = 0) -> int:
    """Return `hash32` for one key and counter."""
    x = (counter + lane * _LANE) * _GOLDEN + key & _32_BITS
    x = ((x ^ x >> 16) * 0x7FEB352D & _32_BITS) ^ key >> 32
    x = (x ^ x >> 15) * 0x846CA68B & _32_BITS
    return x ^ x >> 16


def uniform(draws: UInt32) -> Float64:
    """Turn 32-bit draws into floats in [0, 1)."""
    return np.multiply(draws, 2.0**-32, dtype=np.float64)


def below(draws: UInt32, limit: int | Int64 | UInt64 | UInt32) -> Int64:
    """Turn 32-bit draws into integers in [0, limit); `limit` is one number or one for each draw.

    The bias is below limit / 2**32.
    """
    scaled = draws.astype(np.uint64)
    scaled *= np.asarray(limit, np.uint64)
    scaled >>= _32
    return scaled.view(np.int64).astype(np.intp, copy=False)
