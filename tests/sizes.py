"""The number of examples of a property, in CI and without --slow."""

from hypothesis import settings


def of_all(examples: int) -> int:
    """Return the number of examples to see now, of as many as CI sees."""
    return max(1, examples * settings.default.max_examples // 100)
