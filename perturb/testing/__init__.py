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

from perturb.testing.checks import (
    CHECKS,
    Check,
    check_all_taken,
    check_clusters_whole,
    check_edits_rebuild,
    check_global_state,
    check_hostile,
    check_independent,
    check_large,
    check_nested,
    check_other_process,
    check_perturbator,
    check_protected,
    check_rate,
    check_replicates_differ,
    check_round_trips,
    check_spans,
    check_zero_is_identity,
)
from perturb.testing.declared import (
    check_digits_stay,
    check_intensities_differ,
    check_languages,
    check_open_units,
    check_status,
    check_types,
)
from perturb.testing.strategies import HOSTILE, SENTENCES, seeds, shares, texts

__all__ = [
    "CHECKS",
    "HOSTILE",
    "SENTENCES",
    "Check",
    "check_all_taken",
    "check_clusters_whole",
    "check_digits_stay",
    "check_edits_rebuild",
    "check_global_state",
    "check_hostile",
    "check_independent",
    "check_intensities_differ",
    "check_languages",
    "check_large",
    "check_nested",
    "check_open_units",
    "check_other_process",
    "check_perturbator",
    "check_protected",
    "check_rate",
    "check_replicates_differ",
    "check_round_trips",
    "check_spans",
    "check_status",
    "check_types",
    "check_zero_is_identity",
    "seeds",
    "shares",
    "texts",
]
