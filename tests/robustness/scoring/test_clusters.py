"""Originals that share a passage: the unit of whatever is judged, at every door."""

import json

import numpy as np
import pytest
from likelihood import limits, p_value

from perturb.cli import main
from perturb.errors import DataError
from perturb.evaluation.stopping import decided
from perturb.robustness import compare, power, score, tolerance

PASSAGE = "Passage number {} of the book, which several questions are about."
BEAM = "A question of its own, number {}"


@pytest.fixture
def asked(linked):
    """Questions, five to a passage; every third passage, and no other, breaks under typos."""

    def asked(passages=30, name="typos", p=0.1, broken=3, expect="same", size=5):
        rows = []
        for at in range(size * passages):
            shared = {"passage": PASSAGE.format(at // size), "chapter": at // size // 2}
            bad = at // size % broken == 0
            rows += [
                {"id": str(at), "prediction": "a", "answer": "a", **shared},
                linked(str(at), name, p, prediction="ab"[bad], answer="a", expect=expect, **shared),
            ]
        return rows

    return asked


def changes(rows):
    changed = [row for row in rows if "perturbation" in row]
    return [-float(row["prediction"] == "b") for row in changed], [
        row["passage"] for row in changed
    ]


def steady(rows):
    return [{**row, "prediction": "a"} for row in rows]


def test_interval_and_test_are_of_passages(asked):
    rows = asked()
    found = score(rows, cluster="passage").conditions[0]
    expected = limits(*changes(rows))
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-7)
    assert found.comparison.uncertainty.p_value == pytest.approx(p_value(*changes(rows)), rel=1e-5)
    assert (found.comparison.originals, found.comparison.units) == (150, 30)
    alone = score(rows).conditions[0]
    assert found.high - found.low > 2 * (alone.high - alone.low)


def test_a_field_that_repeats_is_named_with_what_it_does(asked):
    """All five of a passage break together, so the variance is five times that of originals."""
    rows = [{**row, "own": BEAM.format(row["id"])} for row in asked()]
    verdict = score(rows)
    (hint,) = (hint for hint in verdict.hints if "share" in hint)
    assert hint.startswith("150 originals share 30 different texts in 'passage'")
    assert "5.1 times as large" in hint  # 30 / 29 on the way to five
    assert "--cluster passage" in hint
    for alike, text in ((rows, "every difference is 0"), (steady(rows), "between the two is 5.1")):
        (hint,) = (hint for hint in compare(alike, rows).hints if "share" in hint)
        assert text in hint
        assert compare(rows, alike).hints == compare(alike, rows).hints
    for first, most in ((rows, "A"), (steady(rows), "B")):
        (hint,) = (hint for hint in compare(first, rows, rows).hints if "share" in hint)
        assert f"variance of the difference of {most}, the most affected, is 5.1 times" in hint
    (hint,) = (hint for hint in score(rows, cluster="passage").hints if "share" in hint)
    assert hint == (
        "Originals that share passage count as one: all intervals are of 30 clusters of 150 "
        "originals."
    )
    short = [{**row, "passage": row["passage"][15:18]} for row in rows]
    assert not [hint for hint in score(short).hints if "share" in hint]


def test_fields_join_whatever_shares_any_of_them(asked):
    """Two passages to a chapter: fifteen clusters, whichever is named first."""
    rows = asked()
    for fields in (("passage", "chapter"), ("chapter", "passage"), "chapter"):
        assert score(rows, cluster=fields).overall[0].comparison.units == 15
    chain = [
        {**row, "first": int(row["id"].partition("#")[0]) // 2,
         "second": (int(row["id"].partition("#")[0]) + 1) // 2}
        for row in rows
    ]  # fmt: skip
    with pytest.raises(DataError, match="so they are one cluster"):
        score(chain, cluster=("first", "second"))


def test_a_field_that_an_original_lacks_is_named(asked):
    rows = asked()
    del rows[0]["passage"]
    with pytest.raises(DataError, match="row 0: there is no field 'passage'"):
        score(rows, cluster="passage")


def test_two_systems_ranks_and_reactions_are_of_passages(asked):
    good, bad = asked(broken=99), asked()
    both = compare(good, bad, cluster="passage").overall[0]
    assert (both.originals, both.units) == (150, 30)
    beyond = np.subtract(changes(bad)[0], changes(good)[0])
    assert (both.low, both.high) == pytest.approx(tuple(limits(beyond, changes(bad)[1])), abs=1e-7)
    alone = compare(good, bad).overall[0]
    assert both.high - both.low > 1.5 * (alone.high - alone.low)
    few = [asked(10, broken=broken) for broken in (99, 4, 99)]
    ranks = [
        {one.system: (one.rank_low, one.rank_high) for one in compare(*few, **how).overall}
        for how in ({}, {"cluster": "passage"})
    ]
    assert ranks[0]["B"] == (3, 3)
    assert ranks[1]["B"] == (1, 3)
    other = asked(expect="other") + asked(name="case", broken=99)[1::2]
    wide, narrow = (
        next(one for one in score(other, **how).conditions if one.expect == "other").reaction
        for how in ({"cluster": "passage"}, {})
    )
    assert wide.reaction == narrow.reaction
    assert wide.reaction_high - wide.reaction_low > narrow.reaction_high - narrow.reaction_low


def test_tolerance_power_and_early_stops_are_of_passages(asked):
    rows = asked()
    for p, broken in ((0.2, 2), (0.4, 1)):
        rows += asked(p=p, broken=broken)[1::2]
    wide, narrow = (
        tolerance(rows, lose=0.2, **how).steps[0] for how in ({"cluster": "passage"}, {})
    )
    assert (narrow.low, narrow.high, wide.low) == (0.0, 0.1, 0.0)
    assert wide.high == 0.2
    assert all(one.high > two.high for one, two in zip(wide.curve[:2], narrow.curve, strict=False))
    needs = [
        power(score(asked(), **how), drop=0.1).needs[-1].originals
        for how in ({}, {"cluster": "passage"})
    ]
    assert needs[1] > 3 * needs[0]
    few = asked(8, broken=4)
    assert decided()(few)
    assert not decided(cluster="passage")(few)


def test_every_form_records_them(asked, write, command, tmp_path):
    path, rule = write("s.jsonl", asked()), "drop>0.9"
    given = ("score", path, "--cluster", "passage", "--cluster", "chapter")
    report = json.loads(command(*given, "--json"))
    said = "Originals that share passage or chapter count as one"
    assert report["hints"][0].startswith(said)
    assert {found["units"] for found in report["conditions"]} == {15}
    assert "150 originals in 15 clusters" in report["sentence"]
    for form in ("table", "md", "latex"):
        text = " ".join(command(*given, "--format", form).split())
        assert "150 originals in 15 clusters" in text.replace("\\", "")
    page, junit = tmp_path / "page.html", tmp_path / "junit.xml"
    options = ["--cluster", "passage", "--cluster", "chapter"]
    assert main(["report", str(path), *options, "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    assert said in text
    assert "--cluster passage --cluster chapter" in text
    assert main(["score", str(path), *options, "--junit", str(junit), "--fail-if", rule]) == 0
    assert said in junit.read_text("utf-8")


def test_clusters_of_unequal_size_weigh_as_their_rows(asked, linked):
    rows = asked(20)
    rows = [row for row in rows if int(row["id"].partition("#")[0]) % 5 <= len(row["passage"]) % 3]
    sizes = {}
    for row in rows[1::2]:
        sizes[row["passage"]] = sizes.get(row["passage"], 0) + 1
    assert len({*sizes.values()}) > 1
    found = score(rows, cluster="passage").conditions[0]
    assert found.difference == pytest.approx(np.mean(changes(rows)[0]))
    assert (found.low, found.high) == pytest.approx(tuple(limits(*changes(rows))), abs=1e-7)


@pytest.mark.parametrize(
    ("broken", "said"),
    [(0, "every difference is 0"), (1, "the variance of the difference is no larger by them")],
)
def test_a_field_without_effect_is_not_said_to_have_one(linked, broken, said):
    """Those that break share no text, so that they don't break together."""
    text = "The passage of many words number {}, which several originals share."
    rows = []
    for at in range(200):
        row = {"id": str(at), "passage": text.format(at % 100), "answer": "a"}
        lost = broken and at in (0, 1, 2)
        rows += [{**row, "prediction": "a"}, linked(at, **row | {"prediction": "ab"[lost]})]
    (hint,) = (hint for hint in score(rows).hints if "share" in hint)
    assert f"and here {said}: name it" in hint
