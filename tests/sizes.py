"""The number of examples of a property, in full and without --heavy."""

from hypothesis import settings


def of_all(examples: int) -> int:
    """Return the number of examples to see now, of as many as --heavy sees."""
    return max(1, examples * settings.default.max_examples // 100)
