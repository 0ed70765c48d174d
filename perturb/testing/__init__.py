"""Check that a perturbator keeps the contract of all perturbators.

    from perturb.testing import check_perturbator

    def test_contract():
        check_perturbator("vowel_drop")

Each check raises `AssertionError` with the step and the text that broke it. This module needs
`hypothesis`, which the extra `testing` installs.
"""

try:
    import hypothesis  # noqa: F401
except ImportError:
    from perturb.errors import installing

    raise ImportError(f"perturb.testing needs hypothesis: {installing('testing')}") from None

from perturb.values.exports import exports

_HOME, __getattr__ = exports(__name__)
__all__ = sorted(_HOME)
