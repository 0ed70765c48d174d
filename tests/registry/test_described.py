"""The table of what is said of the built-in perturbators."""

import runpy
from pathlib import Path

import perturb
from perturb.registry.describe import description
from perturb.registry.described import TABLE, built_in
from perturb.registry.registry import MODULE_OF, MODULES, known, lookup


def test_the_tables_are_up_to_date():
    """If one is not: python scripts/described.py."""
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "described.py"))
    assert MODULES.read_bytes() == script["modules"]()
    assert TABLE.read_bytes() == script["table"]()


def test_the_table_says_what_the_perturbators_say():
    for name in MODULE_OF:
        assert perturb.describe(name) == description(lookup(name))


def test_descriptions_are_the_callers_to_change():
    perturb.describe("ocr")["languages"].clear()
    assert perturb.describe("ocr")["languages"] == built_in()["ocr"]["languages"] != []


def test_own_perturbators_come_in_live():
    own = perturb.from_regex("named_here", "a", lambda match, rng: "b", label_risk="high")
    with known(own):
        assert "named_here" in perturb.names()
        assert "named_here" not in perturb.names(max_risk="low")
        assert perturb.describe("named_here")["label_risk"] == "high"
        assert perturb.describe("named_here")["reach"] == {}
    assert "named_here" not in perturb.names()
