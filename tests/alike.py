"""Equality of JSON values that `==` is too generous for."""

import math


def same(one, other):
    """Whether two values are alike to the last type and sign, with a NaN like a NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return (math.isnan(one) and math.isnan(other)) or repr(one) == repr(other)
    return one == other
