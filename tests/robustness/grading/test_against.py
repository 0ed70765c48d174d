import numpy as np
import orjson
import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.evaluation import evaluate
from perturb.robustness import compare, score
from perturb.robustness.grading.against import by_original, compared_rows
from perturb.robustness.grading.grade import by_match
from perturb.robustness.grading.ways import REFERENCE
from perturb.robustness.linking.sources import listed_source
from perturb.robustness.tables.tables import flat

TEXTS = [{"id": at, "text": f"Review {at}: this film was {'good' * (at % 2)}."} for at in range(40)]
QUESTION = "Who has most? Tom has 3, Ann 2.\nA. Tom\nB. Ann\nC. neither"


def label(text):
    return "pos" if "good" in text else "neg"


def noisy(step, **options):
    return list(perturb.augment(TEXTS, step, with_original=True, **options))


def agreement(rows, match="exact"):
    """Return the score of each row."""
    sources = [listed_source(rows)]
    compared = compared_rows(sources, "prediction", moved=match != "choice")
    grade = by_original(by_match(match, "prediction", REFERENCE), compared)
    return [scores[0] for scores, _ in grade(rows)]


@pytest.mark.slow
def test_it_is_what_copied_answers_give():
    """With the answer to the original as the target of all its versions, figures are the same."""
    rows = evaluate(label, noisy("char_replace", p=0.2, replicates=3, seed=1))
    original = {str(row["id"]): row["prediction"] for row in rows}
    copied = [{**row, "answer": original[row["perturbation"]["original_id"]]} for row in rows]
    ours, theirs = score(rows, against="original"), score(copied)
    for one, other in zip(ours.conditions, theirs.conditions, strict=True):
        assert {**flat(one), "metric": "score"} == flat(other)
    assert 0.5 < ours.overall[0].comparison.perturbed_mean < 1
    assert "Agreement with the answer to the original from 1.000 to" in ours.sentence
    assert any("Each original was asked once" in hint for hint in ours.hints)


def asked(seeds=(None,), copies=0):
    """Return rows of two noises and a control, with answers drawn from three."""
    rng = np.random.default_rng(5)
    texts = TEXTS[:9]
    rows = list(perturb.augment(texts, "char_replace", p=0.2, replicates=2, with_original=True))
    rows += perturb.augment(texts, "case", p=0.4)
    if copies:
        rows += perturb.augment(texts, "identity", replicates=copies)
    return evaluate(lambda text, **_: str(rng.integers(3)), rows, seeds=list(seeds), concurrency=1)


def slow(rows):
    """Return the agreement of each row by loops over all others."""
    scores = []
    for row in rows:
        record = row["perturbation"]
        others = [
            other
            for other in rows
            if other["perturbation"]["original_id"] == record["original_id"]
            if other["perturbation"]["condition"] in ("original", "identity")
        ]
        seed = row["response"]["seed"]
        apart = [other for other in others if other["response"]["seed"] != seed]
        apart = apart or [other for other in others if other is not row] or [row]
        scores.append(np.mean([other["prediction"] == row["prediction"] for other in apart]))
    return scores


@pytest.mark.parametrize(
    ("seeds", "copies"), [((None,), 0), ((None,), 1), ((None,), 3), ((1, 2), 0), ((1, 2, 3), 2)]
)
def test_the_answers_that_a_row_is_compared_with(seeds, copies):
    rows = asked(seeds if len(seeds) > 1 else [7], copies)
    assert agreement(rows) == pytest.approx(slow(rows))


@pytest.mark.slow
def test_a_control_takes_away_what_the_system_does_by_itself():
    """A system that says one of three at random agrees with itself in a third of all answers."""
    verdict = score(asked([7], 3), against="original")
    compared = verdict.overall[0].comparison
    assert compared.clean_mean == pytest.approx(1 / 3, abs=0.2)  # 9 originals, asked 4 times
    assert abs(compared.difference) < 0.2
    assert not any("asked once" in hint for hint in verdict.hints)
    never = [{**row, "prediction": str(at)} for at, row in enumerate(asked([7], 3))]
    reason = "the system does not agree with itself about the originals"
    assert score(never, against="original").sentence == f"Cannot judge: {reason}."
    always = [{**row, "prediction": "0"} for row in never]
    for systems, name in (((never, always), "A"), ((always, never), "B")):
        sentence = compare(*systems, against="original").sentence
        assert sentence == f"Cannot judge: of {name}, {reason}."


@pytest.mark.parametrize(
    ("step", "match", "clean", "same", "other"),
    [
        ("name_swap", "exact", "Tom", "{Tom}", "Tom"),
        ("name_swap", "normalized", "It is Tom, (A).", "It is {Tom}, (A).", "It is Tom, (A)."),
        ("name_swap", "choice", "A", "a) {Tom}", "b"),
        ("option_shuffle", "exact", "B", "{Ann}", None),
        ("option_shuffle", "exact", "(B)", "({Ann})", None),
        ("option_shuffle", "exact", "Ann", "Ann", "Tom"),
        ("option_shuffle", "choice", "The answer is (b).", "So I choose {Ann}.", None),
        ("option_shuffle", "choice", "Ann", "{Ann}", "Tom"),
        ("option_labels:numbering=roman", "exact", "C", "iii", "C"),
        ("option_labels:numbering=roman", "choice", "I think it is C.", "III", "II"),
    ],
)
def test_an_answer_follows_what_its_step_maps(step, match, clean, same, other):
    """A name in braces stands for what the step writes for it: a name, or its option's label."""
    row = {"id": 1, "text": QUESTION}
    for seed in range(4):
        original, version = perturb.augment([row], step, 1.0, seed=seed, with_original=True)
        lines = version["text"].splitlines()[1:]
        if step == "option_shuffle":
            ann = next(line[0] for line in lines if line.endswith("Ann"))
            fill = {"Ann": ann}
        else:
            fill = {"Tom": lines[0].split()[1]}
        rows = [{**original, "prediction": clean}, {**version, "prediction": same.format(**fill)}]
        assert agreement(rows, match) == [1, 1], version
        if other is not None:
            rows[1]["prediction"] = other
            assert agreement(rows, match) == [1, 0], version


@pytest.mark.slow
def test_numbers_and_labels_with_scores():
    versions = noisy("char_replace", p=0.2, seed=1)
    priced = evaluate(lambda text: 10.0 + text.count("o"), versions)
    change = score(priced, against="original", match="distance", margin=0.5)
    assert change.overall[0].metric == "change"
    assert change.overall[0].verdict == "worse"
    assert "distance from the answer to the original from 0.000 to" in change.sentence.lower()
    spoken = evaluate(lambda text: f"the label is {label(text)}", versions)
    graded = score(spoken, against="original", match="chrf")
    assert graded.overall[0].metric == "agreement, chrF (mean of replies)"
    assert "to the original by chrF (mean of replies) from 1.000 to" in graded.sentence
    near = score(priced, against="original", match="close:100")
    assert near.overall[0].difference == 0
    for said in (
        lambda text: {"label": label(text), "score": 0.9},
        lambda text: [0.1, 0.9] if "good" in text else [0.8, 0.2],
    ):
        scored = evaluate(said, versions)
        plain = evaluate(label, versions)
        match = "exact" if isinstance(scored[0]["prediction"], dict) else "label"
        ours = score(scored, against="original", match=match)
        theirs = score(plain, against="original")
        assert ours.overall[0].difference == theirs.overall[0].difference < 0


def test_two_systems_have_an_original_each():
    """One that turns all labels round agrees with itself as often."""
    versions = noisy("char_replace", p=0.2, seed=1)
    a = evaluate(label, versions)
    b = evaluate(lambda text: {"pos": "neg", "neg": "pos"}[label(text)], versions)
    contrast = compare(a, b, against="original").overall[0]
    assert contrast.change_a == contrast.change_b < 0


def test_what_can_not_be_read_agrees_with_nothing():
    rows = evaluate(label, noisy("char_replace", p=0.2))
    rows[0]["prediction"] = None
    assert agreement(rows)[0] == 0
    sentence = score(rows, against="original", match="number").sentence
    assert sentence == "Cannot judge: 100 % of the perturbed replies are unread."


def test_errors_say_what_to_do():
    rows = evaluate(label, noisy("char_replace", p=0.2))
    with pytest.raises(DataError, match="or take the answer to the original with --against orig"):
        score(rows)
    with pytest.raises(UsageError, match="--metrics names the scores; leave out --against"):
        score(rows, against="original", metrics={"x": {"threshold": 0.5}})
    with pytest.raises(DataError, match="row 0: there is no field 'said'"):
        score(rows, against="original", prediction="said")


@pytest.mark.slow
def test_each_command_takes_it(tmp_path, capsys):
    file, page = tmp_path / "a.jsonl", tmp_path / "page.html"
    rows = evaluate(label, noisy("char_replace", p=0.2, seed=1))
    file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    against = ["--against", "original"]

    def said(*args, status=0):
        assert main([*map(str, args), *against]) == status
        return " ".join(capsys.readouterr().out.split())

    sentence = score(rows, against="original").sentence
    assert said("score", file).startswith(sentence)
    assert said("score", file, "--fail-if", "drop>0.05", status=3)
    assert "the agreement with the answer to the original of A" in said("compare", file, file)
    assert "agreement 1 -> 0 (good -> bad)" in said("flips", file)
    assert "Cannot judge" in said("tolerance", file, "--lose", "0.05")
    pytest.importorskip("jinja2")
    said("report", file, "-o", page)
    assert "--against original" in page.read_text("utf-8")
    for option in (["--target", "answer"], ["--score", "x"]):
        assert main(["score", str(file), *against, *option]) == 2
        assert "leave out" in capsys.readouterr().err
    assert main(["flips", str(file), *against, "--match", "distance"]) == 2
    assert "--match distance has no threshold" in capsys.readouterr().err
