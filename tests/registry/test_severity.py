"""A severity is the same error rate, of characters or of words, whichever step makes the errors."""

import json
import warnings
from itertools import pairwise

import pytest
import severity as benchmark
import yaml
from pages_shown import ROOT

import perturb
from perturb import Grid, Pipeline, cli, resources
from perturb.registry.severity import RATES, measured, share_of

ROWS = resources.read_rows("english", "severities.tsv")
REACHED = [row for row in ROWS if row[3] != "-"]
SPECS = [f"{name}:{given}" if given else name for name, given, *_ in REACHED]
MANY = [f"The quick brown fox number {n} jumped over the lazy dogs today" for n in range(40)]


@pytest.fixture(scope="module")
def questions():
    """The texts that were measured."""
    lines = [line for at in benchmark.SOURCES for line in at.read_text("utf-8").splitlines()]
    rows = list(map(json.loads, lines))
    prose = [row["question"] for row in rows if row["topic"] in benchmark.PROSE]
    return prose, [row["question"] for row in rows if row["topic"] not in benchmark.PROSE]


@pytest.mark.parametrize(
    "spec", [pytest.param(one, marks=pytest.mark.slow if ":" in one else ()) for one in SPECS]
)
def test_the_rates_are_those_of_the_table(spec, questions, monkeypatch, in_full) -> None:
    """Other draws than the table's, and fewer: 40,000 characters; 400,000 in full.

    The number of edits of a text is rounded by chance to one of its two neighbours, so that their
    sum over N texts has a standard deviation of at most sqrt(N) / 2. 40,000 characters are some 400
    texts, so 10 edits; of the 400 words of severity 3 these are 2.5 %, and 10 % are four times as
    much. Edits of several words, such as sentences and phrases, are fewer and are left 30 %.
    Severity 1, in full alone, has some 500 edits in 4,000 texts, give or take 32: it is left 15 %.
    """
    monkeypatch.setattr(benchmark, "CHARACTERS", 400_000 if in_full else 40_000)
    prose, others = questions
    _, chosen = benchmark.typical(prose, spec, others)
    for wanted in RATES if in_full else (3, 4):
        try:
            rate = benchmark.rate(chosen, spec, seed=9, severity=wanted)
        except perturb.UsageError:
            continue
        long = spec.startswith(("date", "duplicate", "truncate", "filler", "mojibake"))
        tolerance = 0.3 if long else 0.15 if wanted == 1 else 0.1
        assert rate == pytest.approx(RATES[wanted], rel=tolerance)


def test_a_severity_is_a_p() -> None:
    for spec in ("ocr", "case:style=upper", "random_delete"):
        settings = {"spread": 0} if spec == "ocr" else {}
        step = Pipeline.of(spec, severity=3).steps[0]
        assert 0 < step.p < 1
        mild = perturb.apply(MANY, spec, severity=3)
        same = perturb.apply(MANY, perturb.Pipeline.of(spec, p=step.p, **settings))
        assert [one.text for one in mild] == [one.text for one in same]


@pytest.mark.parametrize("name", ["keyboard_typos", "ocr", "typo_mix", "word_mask", "homoglyph"])
def test_milder_edits_are_among_severer_ones(name) -> None:
    runs = [perturb.apply(MANY, name, severity=n) for n in RATES]
    for mild, severe in pairwise(runs):
        for less, more in zip(mild, severe, strict=True):
            assert set(less.edits) <= set(more.edits)
        assert sum(len(one.edits) for one in mild) < sum(len(one.edits) for one in severe)


@pytest.mark.parametrize("row", REACHED, ids=SPECS)
def test_the_p_of_a_row_grow(row) -> None:
    given = [float(p) for p in row[3:8] if p != "-"]
    assert given == sorted(set(given))
    assert all(p == "-" for p in row[3 + len(given) : 8])
    assert 0 < given[0] <= given[-1] <= 1
    assert 0 < float(row[9]) <= float(row[10]) <= float(row[11])
    assert 0 < float(row[8]) <= 1


def test_every_built_in_perturbator_was_measured_or_changes_texts_as_a_whole() -> None:
    measured = {name for name, given, *_ in ROWS if not given}
    whole = {n for n in perturb.names() if set(perturb.describe(n)["intensities"].values()) == {1}}
    assert measured == set(perturb.names()) - whole


@pytest.mark.parametrize("row", ROWS, ids=lambda row: ":".join(row[:2]))
def test_each_severity_but_those_out_of_reach_has_a_p(row) -> None:
    """The first that is refused is above the rate at p = 1; so are all after it."""
    typical = float(row[10])
    for rate, p in zip(RATES.values(), row[3:8], strict=True):
        assert (p == "-") == (rate > typical * 1.0005), row


def test_words_are_counted_where_words_change() -> None:
    scales = {name: perturb.describe(name)["scale"].get("unit") for name in perturb.names()}
    by_words = {name for name, unit in scales.items() if unit == "word"}
    assert by_words >= {"synonym", "antonym", "hypernym", "homophone", "emoji", "word_delete"}
    assert by_words.isdisjoint(("keyboard_typos", "ocr", "case", "whitespace", "punctuation"))


def test_language_is_no_other_scale() -> None:
    """`language` says which texts are English, not how much is done to these."""
    step = Pipeline.of("synonym:severity=2,language=en").steps[0]
    assert step.p == Pipeline.of("synonym:severity=2").steps[0].p


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("punctuation:severity=3", "severity 3 is a character error rate of 0.05, but a typical text has only "
         r"0.02\d* at p = 1; the highest severity that it reaches is 2; give p"),
        ("synonym:severity=5", "synonym: severity 5 is a word error rate of 0.2, but a typical text has only "
         r"0.08\d* at p = 1; the highest severity that it reaches is 3; give p"),
        ("identity:severity=1", "identity: it has no severity 1, since it changes nothing"),
        ("encode:severity=1", "a text as a whole or not at all, so p is the share of texts; give p"),
        ("option_shuffle:severity=1", "option_shuffle has no severity because it changes a text as"),
        ("keyboard_typos:layout=ru,severity=2", "no severity with layout=ru, since it was measured "
         "only with its defaults, digits=true, layout=be"),
        ("ocr:severity=0", "severity must be 1, 2, 3, 4 or 5; got 0"),
        ("ocr:severity=6", "severity must be 1, 2, 3, 4 or 5; got 6"),
        ("ocr:severity=2,p=0.5", r"one of p and severity; severity 2 is p=0.0\d+, but got p=0.5"),
        ("ocr:severity=2,count=1", "one of p, intensity, severity and count; got severity and count"),
        ("ocr:severity=2,intensity=low", "got intensity and severity"),
    ],
)  # fmt: skip
def test_what_has_no_severity_says_why(spec, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        Pipeline.of(spec)


@pytest.mark.parametrize("given", [2.0, "2", True])
def test_a_severity_is_a_whole_number(given) -> None:
    with pytest.raises(TypeError, match="severity must be a whole number from 1 to 5"):
        perturb.apply("a", "ocr", severity=given)


def test_perturbators_of_others_have_none(forget) -> None:
    mine = perturb.from_regex("mine", "a", lambda match, draws: "b")
    assert measured(mine) is None
    with pytest.raises(perturb.UsageError, match=r"mine has no severity because only .* built-in"):
        share_of(mine, "", 3)


def test_records_hold_severity_and_p() -> None:
    record = perturb.apply(MANY[0], "ocr", severity=4)
    row = record.to_dict()
    assert row["perturbation"]["recipe"] == f"ocr@{record.steps[0].version}:severity=4 --contract 4"
    assert record.condition == record.steps[0].spec == "ocr:severity=4"
    assert record.steps[0].p == measured(perturb.registry.registry.lookup("ocr")).shares[4]
    assert perturb.verify(row)
    for forged, message in (("severity=3", "made again it is"), ("severity=4,p=0.5", "one of p")):
        damaged = json.loads(json.dumps(row))
        said = damaged["perturbation"]
        said["recipe"] = said["recipe"].replace("severity=4", forged)
        with pytest.raises(perturb.PerturbError, match=message):
            perturb.verify(damaged)


def test_every_form_of_a_step_takes_one() -> None:
    wanted = Pipeline.of("ocr:severity=3")
    assert str(wanted) == "ocr:severity=3"
    assert Pipeline.of("ocr", severity=3) == wanted
    assert Pipeline.of({"name": "ocr", "severity": 3}) == wanted
    assert Pipeline.of(yaml.safe_load("steps: [{name: ocr, severity: 3}]")) == wanted
    assert Pipeline.of(json.loads(json.dumps(wanted.to_dict()))) == wanted
    assert str(Pipeline.of("one_of(ocr | case:p=0.1) char_swap", severity=2)) == (
        "one_of(ocr:severity=2 | case:p=0.1) char_swap:severity=2"
    )
    assert str(perturb.grid(["ocr", "case:p=1"], severity=[1, 2])) == (
        'grid(ocr:severity=1 | ocr:severity=2 | "case:p=1"=case:p=1.0)'
    )
    assert Grid.of({"grid": ["ocr"], "severity": [1, 2]}) == perturb.grid(["ocr"], severity=[1, 2])
    (row,) = perturb.augment([{"text": MANY[0]}], "ocr", severity=3)
    assert row["perturbation"]["condition"] == "ocr:severity=3"


@pytest.mark.slow
def test_the_command_line(tmp_path, capfd) -> None:
    source, noisy = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({"text": text, "label": 1}) + "\n" for text in MANY))
    paths = ["-i", str(source), "-o", str(noisy)]
    call = ["apply", "ocr", "case", "--grid", "--severity", "1,5", "--with-original", *paths]
    assert cli.main(call) == 0
    assert cli.main(["verify", str(noisy)]) == 0
    rows = [json.loads(line) for line in noisy.read_text("utf-8").splitlines()]
    assert len(rows) == 40 * 5
    scored = tmp_path / "scored.jsonl"
    scored.write_text("".join(json.dumps({**row, "answer": 1}) + "\n" for row in rows))
    capfd.readouterr()
    call = ["score", str(scored), "--prediction", "answer", "--target", "label", "--wide"]
    assert cli.main(call) == 0
    conditions = [line.split("|")[0].strip() for line in capfd.readouterr().out.splitlines()]
    wanted = [f"{name} severity={n}" for name in ("case", "ocr") for n in (1, 5)]
    assert [one for one in conditions if "severity" in one] == wanted
    assert cli.main(["apply", "ocr", "--severity", "x"]) == 2
    assert (
        "a whole number from 1 to 5; give words such as low to --intensity; got 'x'"
        in capfd.readouterr().err
    )
    assert cli.main(["apply", "ocr", "--severity", "1,2"]) == 2
    assert "several values of severity need a grid" in capfd.readouterr().err


@pytest.mark.slow
def test_show(capfd) -> None:
    assert cli.main(["show", "ocr", "--more"]) == 0
    said = perturb.describe("ocr")["severities"]
    shown = ", ".join(f"{n} {p:g}" for n, p in said.items())
    scale = "a severity is a character error rate: 1 0.01, 2 0.02, 3 0.05, 4 0.1, 5 0.2"
    rates = "differ from text to text as counted: spread=1.11"
    assert (
        f"severity    {shown}\nrates       {rates}\nscale       {scale}\n" in capfd.readouterr().out
    )
    assert list(said) == list(RATES)
    assert cli.main(["show", "synonym", "--more"]) == 0
    out = capfd.readouterr().out
    assert "scale       a severity is a word error rate: 1 0.01, 2 0.02, 3 0.05, 4 0.1" in out
    assert "spread      texts that p = 1 changes typically have an error" in out
    assert cli.main(["show", "encode", "--more"]) == 0
    out = capfd.readouterr().out
    assert "severity    none\n" in out
    assert "scale" not in out
    assert cli.main(["show", "ocr", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["severities"]["1"] == said[1]


def test_the_check_covers_what_the_run_did() -> None:
    run = json.loads((ROOT / "benchmarks" / "results" / "severity.json").read_text("utf-8"))
    assert set(SPECS) >= {spec for spec in run["deviation"] if ":" not in spec} & set(
        perturb.names()
    )


def test_a_grid_leaves_out_what_a_step_cant_reach() -> None:
    """And names all such steps at once, with what they reach; the others have all strengths."""
    steps = ["punctuation", "char_delete", "misspelling", "encode", "identity"]
    words = (
        "the grid leaves out severity 3 and 5 of punctuation, which reaches 2; 5 of misspelling, "
        "which reaches 4; 1 and 3 and 5 of encode, which has none; give such a step a p"
    )
    with pytest.warns(UserWarning, match="the grid leaves out") as said:
        made = perturb.grid(steps, severity=[1, 3, 5])
    assert [str(one.message) for one in said] == [words]
    assert list(made.labels) == [
        "punctuation:severity=1",
        *(f"char_delete:severity={n}" for n in (1, 3, 5)),
        *(f"misspelling:severity={n}" for n in (1, 3)),
        "identity",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Grid.of(str(made)).labels == made.labels


def test_a_grid_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(perturb.UsageError, match="5 of punctuation, which reaches 2; 5 of synonym"):
        perturb.grid(["punctuation", "synonym"], severity=5)
    with pytest.raises(perturb.UsageError, match="severity 3 is a character error rate"):
        perturb.grid(["punctuation:severity=3", "ocr"], severity=[1, 2])
