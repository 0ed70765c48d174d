"""Combinators and grids: what a text takes, and that it is all there is to it."""

import json

import numpy as np
import pytest
import yaml
from cases import SENTENCE
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sizes import of_all

import perturb
from perturb import Grid, Pipeline
from perturb.engine.gates import Between, Lowest
from perturb.engine.step import NOT_TAKEN
from perturb.pipeline.combinators import Combinator
from perturb.plan import recipe
from perturb.plan.job import job_of
from perturb.records.perturb_texts import perturb_batch
from perturb.records.texts import Texts
from perturb.testing import HOSTILE, texts

NAMES = ("case", "char_delete", "char_insert", "char_swap", "word_swap", "yz_swap", "ocr")
MANY = [f"{number} lazy dogs" for number in range(4000)]


@st.composite
def trees(draw, names=NAMES):
    """A spec string, and for reference the same as nested tuples; no name stands in it twice."""
    left = list(draw(st.permutations(names)))

    def steps(depth):
        return [part(depth) for _ in range(draw(st.integers(1, 2)))]

    def part(depth):
        kind = draw(st.sampled_from(["step", "one_of", "some_of", "sometimes"])) if depth else ""
        if kind in ("", "step") or len(left) < 5:
            assume(left)
            return f"{left.pop()}:p={draw(st.sampled_from([0.2, 1.0]))}"
        if kind == "sometimes":
            return perturb.sometimes(draw(st.floats(0, 1)), steps(depth - 1))
        branches = [steps(depth - 1) for _ in range(draw(st.integers(1, 3)))]
        if kind == "some_of":
            return perturb.some_of(draw(st.integers(1, len(branches))), branches)
        weights = draw(
            st.lists(st.floats(1e-3, 1e3), min_size=len(branches), max_size=len(branches))
        )
        return perturb.one_of(branches, weights)

    return steps(2)


@pytest.mark.slow
@given(trees(), st.lists(texts, max_size=4), st.integers(0, 3))
@settings(max_examples=of_all(60))
def test_a_text_gets_what_its_steps_alone_give(tree, batch, seed) -> None:
    """The reference is a plain pipeline of the steps that the record says were taken."""
    batch = [*batch, SENTENCE, "lazy"]
    for text, record in zip(batch, perturb.apply(batch, tree, seed=seed), strict=True):
        assert record == perturb.apply(text, tree, seed=seed)
        assert perturb.verify(record)
        assert recipe.read(record.recipe).conditions[0].pipeline == Pipeline.of(tree)
        if not record.steps:
            assert (record.text, record.status, record.rate) == (text, "not taken", 0.0)
            continue
        taken = [{"name": step.name, "p": step.p} for step in record.steps]
        alone = perturb.apply(text, taken, seed=seed)
        assert (record.text, record.edits, record.steps) == (alone.text, alone.edits, alone.steps)
        assert (record.status, record.expect) == (alone.status, alone.expect)


@pytest.mark.parametrize(
    ("written", "spec"),
    [
        ("- keyboard_typos: {p: 0.1, layout: de}\n- ocr:", "keyboard_typos:p=0.1,layout=de ocr"),
        ("one_of:\n- case: {p: 0.2}\n- [identity, ocr: {severity: 2}]",
         "one_of(case:p=0.2 | identity ocr:severity=2)"),
    ],
)  # fmt: skip
def test_settings_may_stand_below_the_name(written, spec) -> None:
    assert Pipeline.of(yaml.safe_load(written)) == Pipeline.of(spec)


@pytest.mark.slow
@given(trees())
def test_round_trips(tree) -> None:
    whole = Pipeline.of(tree)
    assert Pipeline.of(str(whole)) == whole
    assert Pipeline.of(json.loads(json.dumps(whole.to_dict()))) == whole
    assert Pipeline.of(yaml.safe_load(yaml.safe_dump(whole.to_dict()))) == whole
    assert Pipeline.of(whole) == Pipeline.of([whole]) == whole
    for part in whole.parts:
        assert Pipeline.of(str(part)) == Pipeline.of(part) == Pipeline.of(part.to_dict())


@pytest.mark.parametrize(
    "spec",
    [
        'char_delete:p=0.1,fill=" | " sometimes(0.5, char_delete:p=0.1,fill=")")',
        'one_of(1e-05*char_delete:p=0.5,fill="\\"" | 2.5*ocr:p=0.25 word_swap:p=0.1)',
        "some_of(2, case:p=0.1,style=upper | ocr:count=3 | sometimes(0.25, one_of(ocr:p=0.1)))",
    ],
)
def test_specs_that_are_canonical_stay(spec) -> None:
    assert str(Pipeline.of(spec)) == spec


def test_white_space_means_nothing_but_between_steps() -> None:
    tight = Pipeline.of("ocr:p=0.1,max_edits=2 one_of(2*case:p=0.2|ocr:p=0.3 case:p=0.5)")
    loose = " ocr : p = 0.1 , max_edits = 2\n one_of ( 2 * case:p=0.2 | ocr:p=0.3  case:p=0.5 ) "
    assert Pipeline.of(loose) == tight
    assert [str(part) for part in Pipeline.of("ocr:p=1 case:p=1").parts] == [
        "ocr:p=1.0",
        "case:p=1.0",
    ]


@given(
    st.lists(
        st.sampled_from(
            ["one_of(", "sometimes(0.5,", "some_of(1,", "grid(", "ocr", "case:p=0.5", *'|)*,:=" 2']
        ),
        max_size=12,
    )
)
def test_any_text_is_read_or_refused(pieces) -> None:
    text = "".join(pieces)
    try:
        made = Pipeline.of(text)
    except (perturb.UsageError, TypeError):
        return
    assert Pipeline.of(str(made)) == made


def test_every_form_says_the_same() -> None:
    wanted = Pipeline.of("one_of(ocr:p=0.1 | 2*case:p=0.2 word_swap:p=0.3)")
    ocr, case, swap = (
        "ocr:p=0.1",
        {"name": "case", "p": 0.2},
        Pipeline.of("word_swap:p=0.3").steps[0],
    )
    for form in (
        perturb.one_of([ocr, [case, swap]], weights=[1, 2]),
        {"one_of": [ocr, [case, swap]], "weights": [1, 2]},
        {"steps": [{"one_of": [ocr, {"steps": [case, swap]}], "weights": [1, 2]}]},
        [perturb.one_of((ocr, "case:p=0.2 word_swap:p=0.3"), (1, 2.0))],
    ):
        assert Pipeline.of(form) == wanted
    for form in (perturb.some_of(1, [ocr, case]), {"some_of": [ocr, case], "k": 1}):
        assert Pipeline.of(form) == Pipeline.of("some_of(1, ocr:p=0.1 | case:p=0.2)")
    for form in (perturb.sometimes(1, swap), {"sometimes": swap, "probability": 1}):
        assert Pipeline.of(form) == Pipeline.of("sometimes(1, word_swap:p=0.3)")


def test_a_strength_reaches_into_combinators() -> None:
    spec = "one_of(ocr | sometimes(0.5, case:p=0.9 yz_swap))"
    assert [step.p for step in Pipeline.of(spec, p=0.1).steps] == [0.1, 0.9, 0.1]
    (only,) = Pipeline.of("sometimes(0.5, char_delete)", p=0.1, fill="X").steps
    assert (only.p, only.parameters["fill"]) == (0.1, "X")
    with pytest.raises(perturb.UsageError, match="every step already has a strength"):
        Pipeline.of("one_of(ocr:p=0.1 | case:p=0.2)", p=0.1)


def test_labels_go_by_the_whole_pipeline() -> None:
    """The second `ocr` writes what a second `ocr` writes anywhere; the others are unmoved by it."""
    either = perturb.apply(MANY[:50], "one_of(ocr:p=0.3 | ocr:p=0.6)")
    second = perturb.apply(MANY[:50], "ocr:p=0 ocr:p=0.6")
    first = perturb.apply(MANY[:50], "ocr:p=0.3")
    took = [record.steps[0].p for record in either]
    assert {0.3, 0.6} == set(took)
    for p, got, one, two in zip(took, either, first, second, strict=True):
        assert got.edits == (one if p == 0.3 else two).edits
    plan = Pipeline.of(
        "sometimes(0.5, ocr) one_of(case | sometimes(0.5, ocr)) sometimes(0.5, case)"
    )
    assert [place.label for place in plan.places] == ["ocr", "case", "ocr#2", "case#2"]
    assert [[own for own, _, _ in place.branches] for place in plan.places] == [
        ["sometimes()"],
        ["one_of()"],
        ["one_of()", "sometimes()#2"],
        ["sometimes()#3"],
    ]


def took(spec, **settings):
    """For each of many texts the names of the steps that it took."""
    records = perturb.apply(MANY, spec, p=0.0, **settings)
    return [tuple(step.name for step in record.steps) for record in records]


@pytest.mark.slow
def test_shares_are_as_written() -> None:
    """N = 4000 texts; a count of share q has sd sqrt(N q (1 - q)); 4.5 of them are allowed."""

    def check(found, wanted) -> None:
        assert set(found) == set(wanted)
        for choice, q in wanted.items():
            expected, sd = len(MANY) * q, (len(MANY) * q * (1 - q)) ** 0.5
            assert abs(found.count(choice) - expected) < 4.5 * sd, (choice, found.count(choice))

    check(
        took("one_of(ocr | 2*case | 5*yz_swap)"),
        {("ocr",): 1 / 8, ("case",): 2 / 8, ("yz_swap",): 5 / 8},
    )
    check(took("sometimes(0.3, ocr case)"), {("ocr", "case"): 0.3, (): 0.7})
    pairs = {(a, b): 1 / 6 for i, a in enumerate(NAMES[:4]) for b in NAMES[i + 1 : 4]}
    check(took(f"some_of(2, {' | '.join(NAMES[:4])})"), pairs)
    nested = took("one_of(ocr | sometimes(0.5, case)) sometimes(0.5, yz_swap)")
    both = {((a, b) if b else (a,)) if a else ((b,) if b else ()): q / 2 for a, q in
            (("ocr", 0.5), ("case", 0.25), ("", 0.25)) for b in ("yz_swap", "")}  # fmt: skip
    check(nested, both)


@pytest.mark.slow
def test_more_only_adds() -> None:
    """The texts of a smaller probability, and the steps of a smaller k, are among the others'."""
    few, more = took("sometimes(0.2, ocr)"), took("sometimes(0.6, ocr)")
    assert all(set(a) <= set(b) for a, b in zip(few, more, strict=True))
    spec = " | ".join(NAMES)
    for k in range(1, len(NAMES)):
        fewer, more = took(f"some_of({k}, {spec})"), took(f"some_of({k + 1}, {spec})")
        assert all(set(a) < set(b) for a, b in zip(fewer, more, strict=True))


@pytest.mark.slow
def test_never_and_always() -> None:
    assert set(took("sometimes(0, ocr)")) == {()}
    assert set(took("sometimes(1, ocr)")) == {("ocr",)} == set(took("one_of(ocr)"))
    assert set(took("some_of(2, ocr | case)")) == {("ocr", "case")}


@pytest.mark.slow
def test_seeds_and_replicates_choose_anew() -> None:
    spec = "one_of(ocr | case)"
    base = took(spec)
    for other in (took(spec, seed=1), took(spec, replicate=1), took(spec, id=range(len(MANY)))):
        same = sum(a == b for a, b in zip(base, other, strict=True))
        assert abs(same - len(MANY) / 2) < 4.5 * (len(MANY) / 4) ** 0.5


def test_gates_are_pinned() -> None:
    """What a text takes hangs on these, as its bytes hang on the draws."""
    keys = np.arange(6, dtype=np.uint64)
    assert Between(7, 0.0, 0.5).open(keys).tolist() == [False, True, False, False, True, False]
    lowest = [Lowest(7, place, 3, 1).open(keys) for place in range(3)]
    assert np.argmax(lowest, axis=0).tolist() == [1, 0, 2, 2, 1, 2]
    record = perturb.apply(SENTENCE, f"some_of(3, {' | '.join(NAMES)})")
    assert [step.name for step in record.steps] == ["case", "char_swap", "ocr"]


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["protect", "only"])
def test_scopes_and_spans_go_with_their_texts(scope) -> None:
    """Each text is what it is alone, wherever in a batch it stands and whatever the others take."""
    batch = [text for text in HOSTILE.values() for _ in range(3)]
    spec = "one_of(char_delete:p=0.5 | word_duplicate:p=0.5 char_insert:p=0.2 | ocr:p=1 | identity)"
    job = job_of(spec, only=() if scope == "only" else None)
    ids = [str(row) for row in range(len(batch))]
    spans = [[(len(text) // 3, len(text))] for text in batch]
    together = perturb_batch(Texts(batch, ids, spans=spans, **{scope: spans}), job.versions[0])
    for row, text in enumerate(batch):
        own = spans[row : row + 1]
        alone = perturb_batch(
            Texts([text], ids[row : row + 1], spans=own, **{scope: own}), job.versions[0]
        )
        assert alone.linkages[0] == together.linkages[row]
        assert alone.texts[0] == together.texts[row]
    taken = np.stack([tally.reasons != NOT_TAKEN for tally in together.outcome.tallies], axis=1)
    assert {tuple(np.flatnonzero(row)) for row in taken} == {(0,), (1, 2), (3,), (4,)}


def test_verify_makes_the_choice_again() -> None:
    """A record that says other steps than its draws give is found out."""
    spec = "one_of(ocr:p=0.5 | case:p=0.5)"
    record = next(r for r in perturb.apply(MANY[:20], spec) if r.steps[0].name == "ocr")
    row = record.to_dict()
    said = row["perturbation"]
    assert record.condition == spec
    forged = perturb.apply(record.original, "case:p=0.5").to_dict()
    forged["id"], forged["perturbation"] = (
        row["id"],
        forged["perturbation"] | {name: said[name] for name in ("condition", "recipe")},
    )
    backwards = said["recipe"].replace("ocr@", "x@").replace("case@", "ocr@").replace("x@", "case@")
    for damaged in (
        forged,
        *({**row, "perturbation": said | {"recipe": one}} for one in (backwards, 5)),
    ):
        with pytest.raises((perturb.VerificationError, perturb.DataError, perturb.UsageError)):
            perturb.verify(damaged)


def test_grids_cross_steps_and_strengths() -> None:
    made = perturb.grid(
        ["ocr", "case:p=1", "one_of(ocr | yz_swap:p=0.3)", ["case", "ocr"]], p=[0.1, 0.2]
    )
    assert [str(one) for one in made] == [
        "ocr:p=0.1",
        "ocr:p=0.2",
        "case:p=1.0",
        "one_of(ocr:p=0.1 | yz_swap:p=0.3)",
        "one_of(ocr:p=0.2 | yz_swap:p=0.3)",
        "case:p=0.1 ocr:p=0.1",
        "case:p=0.2 ocr:p=0.2",
    ]
    assert len(made) == 7
    assert (
        Grid.of(str(made))
        == Grid.of(json.loads(json.dumps(made.to_dict())))
        == Grid.of(made)
        == made
    )
    assert Grid.of("grid(ocr | case)", p=0.1) == perturb.grid(["ocr", "case"], p=0.1)
    assert Grid.of({"grid": ["ocr"], "intensity": ["low", "high"]}) == perturb.grid(
        ["ocr"], intensity=["low", "high"]
    )
    assert Grid.of("ocr case") == Grid((Pipeline.of("ocr case"),), ("ocr case",))


def test_the_control_of_a_grid_stands_in_it_once() -> None:
    """Whatever the strengths, and whatever it is called."""
    cells = perturb.grid(["ocr", "identity", "plain=identity"], p=[0.1, 0.2])
    assert cells.labels == ("ocr:p=0.1", "ocr:p=0.2", "identity", "plain")
    assert perturb.grid(["identity"], p=[0.1, 0.2]).labels == ("identity",)


def test_a_cell_of_a_grid_is_what_it_is_alone() -> None:
    rows = [{"id": f"r{n}", "text": text} for n, text in enumerate(MANY[:30])]
    cells = ["char_delete:p=0.2", "one_of(ocr:p=0.2 | case:p=0.2)"]
    made = list(perturb.augment(rows, perturb.grid(cells), replicates=2, with_original=True))
    assert len({row["id"] for row in made}) == len(made) == 30 * 5
    for at, cell in ((1, cells[0]), (3, cells[1])):
        alone = list(perturb.augment(rows, cell, replicates=2))
        both = [row for n in range(30) for row in made[5 * n + at : 5 * n + at + 2]]
        assert [row | {"id": ""} for row in alone] == [row | {"id": ""} for row in both]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pipeline.of("one_of(ocr | case"), "a \\) is missing"),
        (lambda: Pipeline.of("ocr)"), r"can't read '\)' in 'ocr\)'"),
        (lambda: Pipeline.of("char_delete:fill=("), r"can't read '\(' .*in double quotes"),
        (lambda: Pipeline.of("one_of()"), "needs steps in each branch"),
        (lambda: Pipeline.of("one_of(" * 100_000), "nested too deeply"),
        (lambda: Pipeline.of("one_of(" * 250 + "ocr" + ")" * 250), "nested too deeply"),
        (lambda: Pipeline.of("one_of(ocr | )"), "needs steps in each branch"),
        (lambda: Pipeline.of("two_of(ocr)"), "unknown combinator 'two_of': did you mean one_of"),
        (lambda: Pipeline.of("sometimes(ocr)"), r"takes a number first, as in sometimes\(0.5, ocr\)"),
        (lambda: Pipeline.of("sometimes(2, ocr)"), r"the probability must be in \[0, 1\]; got 2.0"),
        (lambda: Pipeline.of("sometimes(0.5, ocr | case)"), "takes one branch; got 2"),
        (lambda: Pipeline.of("some_of(1.5, ocr | case)"), "a whole number of branches; got 1.5"),
        (lambda: Pipeline.of("some_of(3, ocr | case)"), "from 1 to 2; got 3"),
        (lambda: Pipeline.of("some_of(2, 2*ocr | case)"), "some_of takes no weights"),
        (lambda: Pipeline.of("one_of(0*ocr | case)"), "finite number above 0; got 0.0"),
        (lambda: perturb.one_of([]), "takes a list of steps to choose from; got"),
        (lambda: perturb.one_of("ocr"), "takes a list of steps to choose from; got 'ocr'"),
        (lambda: perturb.one_of(["ocr"], [1, 2]), "1 steps need as many weights; got 2"),
        (lambda: perturb.one_of(["ocr"], ["1"]), "finite number above 0; got '1'"),
        (lambda: perturb.one_of(["ocr"], "1"), "weights must be a list of numbers; got '1'"),
        (lambda: perturb.one_of(["ocr"], [float("inf")]), "finite number above 0; got inf"),
        (lambda: perturb.one_of(["ocr", "case"], [1e308, 1e308]), "sum of the weights must be finite"),
        (lambda: perturb.some_of(True, ["ocr"]), "whole number from 1 to 1; got True"),
        (lambda: perturb.sometimes("0.5", "ocr"), "got '0.5'"),
        (lambda: perturb.sometimes(float("nan"), "ocr"), "got nan"),
        (lambda: Pipeline.of({"some_of": ["ocr"]}), "got None"),
        (lambda: Pipeline.of({"one_of": ["ocr"], "p": 0.1}), "unknown key of one_of 'p'"),
        (lambda: Pipeline.of({"sometimes": [], "probability": 0.5}), "sometimes needs steps in each branch"),
        (lambda: Pipeline.of("one_of(orc)"), "did you mean ocr"),
        (lambda: Pipeline.of("orc char_swop"), "unknown perturbator 'orc': did you mean ocr"),
        (lambda: Pipeline.of("weave.a weave.b weave.c"), "unknown drop-in name 'weave.a'"),
        (lambda: perturb.apply("a", "grid(ocr | case)"), "a grid gives several versions"),
        (lambda: perturb.apply("a", perturb.grid(["ocr"])), "a grid gives several versions"),
        (lambda: perturb.apply("a", "ocr grid(ocr | case)"), "a grid isn't a pipeline"),
        (lambda: perturb.grid([]), "a grid takes a list of steps; got"),
        (lambda: perturb.grid("ocr"), "a grid takes a list of steps; got 'ocr'"),
        (lambda: perturb.grid(["ocr"], p=[]), "at least one strength"),
        (lambda: perturb.grid(["ocr:p=1"], p=[0.1]), "every step already has a strength"),
        (lambda: perturb.grid(["ocr"], p=0.1, intensity="low"), "one of p, intensity and severity, once"),
        (lambda: Grid.of({"grid": ["ocr"], "p": 0.1}, p=0.2), "once; got p"),
        (lambda: Grid.of("ocr", p=[]), "p: give at least one strength; got an empty list"),
        (lambda: Grid.of({"grid": ["ocr"], "q": 0.1}), "unknown key of a grid 'q'"),
        (lambda: Grid.of("ocr", p=[0.1, 0.2]), r"several values of p need a grid \(--grid\).*; got 0.1, 0.2"),
        (lambda: list(perturb.augment([], perturb.grid(["ocr:p=0.1", "ocr"], p=[0.1]))), "have the same label"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(make, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        make()


def test_types() -> None:
    assert isinstance(perturb.one_of(["ocr"]), Combinator)
    assert perturb.one_of(["ocr"]).kind == "one_of"
    assert perturb.some_of(1, ["ocr"]).kind == "some_of"
    assert perturb.sometimes(1, "ocr").kind == "sometimes"
    with pytest.raises(TypeError, match=r"got \['ocr'\]"):
        Pipeline.of([["ocr"]])
