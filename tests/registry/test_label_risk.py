"""A label risk is what the written rule gives from the measured shares."""

import label_risk as benchmark
import pytest
from common import read_result
from lines import rows_in

import perturb
from perturb.registry.definition import LABEL_RISKS, TOUCHES
from perturb.registry.label_risk import AT_LEAST, LIMITS, WEIGHTS, measured, risk_of
from perturb.registry.registry import MODULE_OF, known

NAMES = [name for name in perturb.names() if name in MODULE_OF]
TEXT = "Does Tom not pay $2.40 in Lima for 12 pens?\nA. no\nB. yes"


@pytest.mark.parametrize("name", NAMES)
def test_the_label_is_what_the_rule_gives(name) -> None:
    """If it is not: python scripts/described.py, or measure it again."""
    said = perturb.describe(name)
    assert set(said["risk"]) == set(WEIGHTS)
    assert said["label_risk"] == risk_of(name, said["risk"], said["touches"])


def test_the_table_is_that_of_the_run() -> None:
    """If it is not: python benchmarks/label_risk.py."""
    shares = read_result("label_risk")["shares"]
    assert {name: measured(name) for name in NAMES} == {
        name: levels["medium"] for name, levels in shares.items()
    }


def test_the_rule() -> None:
    assert tuple(LIMITS) == LABEL_RISKS
    assert set(AT_LEAST) <= set(TOUCHES)
    nothing = dict.fromkeys(WEIGHTS, 0.0)
    for kind, weight in WEIGHTS.items():
        for risk, limit in list(LIMITS.items())[:-1]:
            over = LABEL_RISKS[LABEL_RISKS.index(risk) + 1]
            assert risk_of("x", nothing | {kind: limit / weight}, ()) == risk
            if limit < weight:
                assert risk_of("x", nothing | {kind: min(limit / weight * 1.01, 1.0)}, ()) == over
    assert risk_of("x", nothing, ["words", "meaning"]) == "medium"
    assert risk_of("x", nothing | {"numbers": 1.0}, ["meaning"]) == "high"


def test_what_was_not_measured_has_no_figures() -> None:
    with known(perturb.from_regex("query", "!", "?")):
        assert perturb.describe("query")["risk"] == {}


def record(old: str, new: str) -> perturb.Record:
    """The record of a text in which `old` became `new`."""
    return perturb.apply(TEXT, perturb.from_regex("replaced", rf"(?<!\w){old}(?!\w)", new), p=1.0)


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("pens", "caps", set()),
        ("not", "now", set()),  # two of three letters are right
        ("not", "just", {"negations"}),
        ("not", "NOT", set()),
        ("Does Tom not", "Doesn't Tom", set()),
        ("Lima", "Lma", set()),
        ("Lima", "Peru", {"names"}),
        ("Lima", "Li\u200bm\u0301a", set()),
        ("12", "21", {"numbers"}),
        ("12", "twelve", set()),
        ("12", "thirteen", {"numbers"}),
        ("12", "&#49;2", set()),
        ("pens", "p3ns", {"numbers"}),
        ("2.40", "240", {"numbers"}),
        ("A", "C", {"options"}),
        ("A", "А", set()),  # the Cyrillic letter
    ],
)
def test_what_counts_as_lost(old, new, kinds) -> None:
    row = {"question": TEXT}
    made = record(old, new)
    assert made.status == "changed"
    places = benchmark.things(row, "question")
    assert all(places.values())
    found = {
        kind for kind, spans in places.items() if any(benchmark.lost(kind, made, *s) for s in spans)
    }
    assert found | ({"numbers"} if benchmark.appears(made) else set()) == kinds


def test_the_texts_have_what_is_counted() -> None:
    """40 questions with options and 40 of search; every name stands in its text."""
    rows = rows_in(benchmark.TEXTS)
    assert [row["topic"] for row in rows] == ["multiple choice"] * 40 + ["search"] * 40
    for row in rows:
        assert all(name in row["question"] for name in row["names"])
        options = benchmark.things(row, "question")["options"]
        assert len(options) == 4 * (row["topic"] == "multiple choice")
