"""Measures of a corpus, each against its usual library, and by a slow reading of the jackknife."""

import json
import random

import numpy as np
import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.robustness import OfCorpus, compare, score, tolerance
from perturb.robustness.grading.corpus_matches import of_all
from perturb.robustness.grading.plan import Grading
from perturb.robustness.grading.ways import WAYS, match_of
from perturb.robustness.metrics.bounded import bounded_interval
from perturb.robustness.metrics.corpus import shares

WAY = {way.name: way for way in WAYS if way.corpus}
NOISE = ["keyboard_typos", "char_delete"]
WORDS = (
    "The old fox, near a stone bridge: it's asleep until dawn (again). Übermut! 3.5 % of 20".split()
)


def texts(count=40):
    draw = random.Random(7)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 15))) for _ in range(count)]


@pytest.fixture(scope="module")
def rows():
    """Rows of which the reply is the noisy text, with a label in which the rarer are few."""
    draw = random.Random(3)
    originals = [
        {"id": at, "text": text, "answer": text, "label": "aaaaaaaaaaaabbbbbccd"[at % 20]}
        for at, text in enumerate(texts())
    ]
    noise = perturb.grid(NOISE, p=(0.05, 0.2))
    found = list(perturb.augment(originals, noise, with_original=True))
    for row in found:
        said = draw.choices([row["label"], "b", "none"], [85, 10, 5])[0]
        row.update(prediction=row["text"], said=said)
    return found


def condition(row):
    return row["perturbation"]["condition"]


def corpora(rows, said="prediction", right="answer"):
    """The replies of each condition, the originals among them, with the right answers."""
    found = {}
    for row in rows:
        name = "clean" if row["perturbation"]["status"] == "original" else condition(row)
        replies, answers = found.setdefault(name, ([], []))
        replies.append(row[said])
        answers.append(row[right])
    return found


def sacrebleu_of(name):
    library = pytest.importorskip("sacrebleu")
    return lambda said, right: getattr(library, name)(said, [right]).score / 100


def macro(said, right):
    metrics = pytest.importorskip("sklearn.metrics")
    return metrics.f1_score(right, said, labels=[*"abcd"], average="macro", zero_division=0)


def error_rate(units):
    """Edits by the table of Wagner and Fischer, over all units of right answers."""

    def edits(a, b):
        last = [*range(len(b) + 1)]
        for at, one in enumerate(a, 1):
            now = [at]
            for place, other in enumerate(b):
                now.append(min(last[place] + (one != other), last[place + 1] + 1, now[-1] + 1))
            last = now
        return last[-1]

    def rate(said, right):
        pairs = [(units(a), units(b)) for a, b in zip(said, right, strict=True)]
        return sum(edits(*pair) for pair in pairs) / sum(len(b) for _, b in pairs)

    return rate


LIBRARY = {
    "corpus-bleu": (lambda: sacrebleu_of("corpus_bleu"), "prediction", "answer", {}),
    "corpus-chrf": (lambda: sacrebleu_of("corpus_chrf"), "prediction", "answer", {}),
    "corpus-wer": (lambda: error_rate(str.split), "prediction", "answer", {"range": (0, 2)}),
    "corpus-cer": (lambda: error_rate(str.strip), "prediction", "answer", {"range": (0, 2)}),
    "macro-f1": (lambda: macro, "said", "label", {}),
}


def test_all_measures_of_a_corpus_but_own_ones_are_compared_with_a_library():
    assert {*LIBRARY, "corpus:FILE.py:FUNCTION"} == {*WAY}


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_a_measure_of_each_condition_is_that_of_its_library(rows, name):
    made, said, right, how = LIBRARY[name]
    measure, by_name = made(), corpora(rows, said, right)
    found = score(rows, match=name, prediction=said, target=right, **how)
    assert next(iter(found.metrics)) == WAY[name].label
    assert f"{WAY[name].title} (corpus)" in found.sentence
    means = []
    for one in found.whole(WAY[name].label)[0]:
        compared, (replies, answers) = one.comparison, by_name[f"{one.perturbator}:p={one.p:g}"]
        assert compared.perturbed_mean == pytest.approx(measure(replies, answers), abs=1e-9)
        assert compared.clean_mean == pytest.approx(measure(*by_name["clean"]), abs=1e-9)
        assert one.low <= one.difference <= one.high
        assert compared.worst_of_k is compared.effect.cohens_d is compared.effect.cohens_h is None
        means.append(compared.perturbed_mean)
    overall = found.whole(WAY[name].label)[1].comparison.perturbed_mean
    assert overall == pytest.approx(np.mean(means))  # all conditions have as many rows


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_the_interval_is_that_of_leaving_out_originals_one_by_one(rows, name):
    """Computed again from the library's values alone; the unit that was not seen as it is weighed."""
    made, said, right, how = LIBRARY[name]
    measure, (clean, noisy) = (
        made(),
        [corpora(rows, said, right)[each] for each in ("clean", "char_delete:p=0.2")],
    )
    changes = []
    for replies, answers in (clean, noisy):
        whole, count = measure(replies, answers), len(replies)
        rest = [
            measure(replies[:at] + replies[at + 1 :], answers[:at] + answers[at + 1 :])
            for at in range(count)
        ]
        values = whole + (count - 1) * (whole - np.array(rest))
        changes.append(values - values.mean() + whole)
    found = score(rows, match=name, prediction=said, target=right, **how)
    one = next(each for each in found.conditions if each.name == "char_delete p=0.2")
    reach = one.comparison.score_range
    again = bounded_interval(changes[1] - changes[0], range(len(rest)), ends=(-reach, reach))
    assert (one.low, one.high) == pytest.approx((*again,), abs=1e-6)


def test_the_jackknife_of_a_mean_is_the_mean_of_each_unit():
    function = of_all(
        lambda said, right: np.mean([a == b for a, b in zip(said, right, strict=True)]), "share"
    )
    pairs = [("a", "a"), ("b", "a"), ("a", "b"), ("c", "c"), ("c", "c")]
    table = np.array([function.compare(*pair)[0][1:] for pair in pairs])
    unit = np.array([0, 0, 1, 2, 2], np.int32)
    assert shares(function.corpus, table, unit) == pytest.approx([0.5, 0.5, 0, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 30])
def test_counts_are_those_of_sacrebleu_for_short_empty_and_strange_texts(count):
    draw, some = (
        random.Random(count),
        ["", " ", "a", "a b c", "a b c d e f", "Ü – ü", "über a b c d"],
    )
    for _ in range(60):
        said, right = (draw.choices(some, k=count) for _ in range(2))
        for name in ("bleu", "chrf"):
            made = match_of(f"corpus-{name}")
            table = np.array([made.compare(*pair)[0][1:] for pair in zip(said, right, strict=True)])
            whole, _ = made.corpus.without(table, np.zeros(count, np.int32), 1, None)
            assert whole == pytest.approx(sacrebleu_of(f"corpus_{name}")(said, right), abs=1e-9)
            for reply, answer, row in zip(said, right, table, strict=True):
                alone, _ = match_of(name)(reply, answer)
                library = sacrebleu_of(f"sentence_{name}")(reply, answer)
                is_blank = not reply.split() and not answer.split()
                assert alone == pytest.approx(1.0 if is_blank else library, abs=1e-9)
                assert made.corpus.right(row[None]).tolist()[0] == pytest.approx(
                    made.compare(answer, answer)[0][1:]
                )


@pytest.mark.slow
def test_an_own_function_is_judged_as_the_measure_that_it_computes(rows):
    by = {"prediction": "said", "target": "label"}
    own, built_in = (score(rows, match=way, **by) for way in (OfCorpus(macro), "macro-f1"))
    assert [*own.metrics] == ["macro (corpus)"]
    for one, other in zip(own.conditions, built_in.conditions, strict=True):
        assert one.difference == pytest.approx(other.difference)
        # Only how much the heaviest original weighs is found in another way.
        assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.25)


def test_a_function_is_called_for_at_most_300_groups():
    originals = [{"id": at, "text": f"Is {at} odd?", "answer": str(at % 2)} for at in range(400)]
    noisy = list(perturb.augment(originals, "char_delete", p=0.5, with_original=True))
    sizes = []

    def accuracy(said, right):
        sizes.append(len(said))
        return sum(map(str.__eq__, said, right)) / len(said)

    answered = [{**row, "prediction": row["answer"]} for row in noisy]
    found = score(answered, match=OfCorpus(accuracy))
    # Two sides alike, whose values are remembered; then each group right, and with other replies.
    assert len(sizes) <= 3 * 301
    assert found.overall[0].comparison.units <= 300
    assert "groups of the 400 originals" in " ".join(found.hints)
    assert found.sentence.startswith("Holds under char_delete.") or "No outcome" in found.sentence
    assert found.overall[0].verdict == "robust"


def test_a_measure_beyond_its_range_asks_for_one(rows):
    by = {
        "prediction": "said",
        "target": "label",
        "match": OfCorpus(lambda said, _: 50 + len({*said})),
    }
    with pytest.raises(DataError, match=r"the measure of all replies is 5\d, .* state it"):
        score(rows, **by)
    found = score(rows, **by, range=(0, 100), margin=20)
    assert found.overall[0].verdict == "robust"


@pytest.mark.parametrize("unanswered", ["bounds", "out", "wrong"])
def test_lost_replies_are_right_or_wrong_as_wholes(rows, unanswered):
    """A class whose replies are all lost under noise is right, wrong or left out."""
    lost = [{**row, "said": row["label"]} for row in rows]
    for row in lost:
        if "#" in str(row["id"]) and row["label"] == "b":
            row["said"] = None
    found = score(lost, match="macro-f1", prediction="said", target="label", unanswered=unanswered)
    one = found.overall[0]
    if unanswered == "wrong":
        assert one.difference == pytest.approx(-1 / 4)
    else:
        assert one.difference == 0
    if unanswered == "bounds":
        assert one.comparison.uncertainty.least == pytest.approx(-1 / 4)
        assert one.comparison.uncertainty.most == 0
        assert one.low <= -1 / 4
    else:
        assert one.comparison.uncertainty.least is None


@pytest.mark.slow
def test_rows_that_are_missing_count_as_lost(rows):
    kept = [
        row
        for row in rows
        if not (condition(row) == "char_delete:p=0.2" and row["label"] == "a" and row["text"] < "T")
    ]
    found = score(kept, match="macro-f1", prediction="said", target="label")
    (one,) = (
        each
        for each in found.conditions
        if each.name == "char_delete p=0.2" and each.scope == "all"
    )
    whole = score(rows, match="macro-f1", prediction="said", target="label").conditions[1]
    assert one.comparison.quality.missing > 0
    sure = one.comparison.uncertainty
    assert sure.least < sure.most
    assert sure.least <= whole.difference <= sure.most


@pytest.mark.slow
def test_systems_and_strengths_are_compared_by_a_measure_of_a_corpus(rows):
    better = [
        {**row, "prediction": row["answer"] if "5" in str(row["id"]) else row["text"]}
        for row in rows
    ]
    both = compare(rows, better, match="corpus-bleu")
    alone = [score(each, match="corpus-bleu").overall[0].difference for each in (rows, better)]
    assert (both.overall[0].change_a, both.overall[0].change_b) == pytest.approx(tuple(alone))
    assert "Perturbing changes the BLEU (corpus) of A by" in both.sentence
    three = compare({"one": rows, "two": better, "three": better}, match="corpus-bleu")
    assert [one.rank for one in three.overall] == [1, 1, 3]
    assert {one.verdict for one in tolerance(rows, match="corpus-bleu").steps} == {"loses"}


def test_agreement_with_the_originals_is_a_measure_of_a_corpus_too(rows):
    again = [{**row, "answer": "nothing"} for row in rows]
    found = score(again, match="corpus-chrf", against="original").overall[0]
    same = score(rows, match="corpus-chrf").overall[0]
    assert found.difference == pytest.approx(same.difference)


def test_a_plan_names_the_function_where_it_has_a_name():
    assert Grading(match=OfCorpus(macro)).to_dict()["match"] == f"corpus:{__file__}:macro"
    plan = Grading(match=OfCorpus(lambda said, right: 0.5)).to_dict()
    assert plan["match"].startswith("a function without a name")
    with pytest.raises(UsageError, match="which no text can name"):
        Grading.read(plan)


def test_a_person_grades_no_corpus():
    with pytest.raises(UsageError, match="a measure of all together"):
        score([], match="macro-f1", human="human")


@pytest.mark.parametrize(
    "text", ["corpus", "corpus:", "corpus:f.py", "corpus-bleu:4", "macro-f1:x"]
)
def test_a_measure_that_is_none_is_refused(rows, text):
    with pytest.raises(UsageError, match=r"unknown match|a function is named as"):
        score(rows, match=text)


def test_the_command_line_takes_a_function_and_says_what_it_measures(
    rows, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(
        "def share(replies, answers):\n"
        "    return sum(map(str.__eq__, replies, answers)) / len(replies)\n"
    )
    (tmp_path / "scored.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    by = ["scored.jsonl", "--prediction", "said", "--target", "label"]
    assert main(["score", *by, "--match", "corpus:own.py:share"]) == 0
    assert "share (corpus) from " in " ".join(capsys.readouterr().out.split())
    assert (
        main(["score", *by, "--match", "macro-f1", "--format", "json", "--fail-if", "drop>0.9"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert {one["metric"] for one in found["conditions"]} == {"macro F1 (corpus)"}
    assert found["overall"][0]["worst_of_k"] is None
    assert main(["score", *by, "--match", "macro-f1", "--wide"]) == 0
    assert main(["report", *by, "--match", "macro-f1", "-o", "page.html"]) == 0
    assert "macro F1 (corpus)" in (tmp_path / "page.html").read_text()


def test_a_mean_of_replies_says_so(rows):
    assert "BLEU (mean of replies) from 1.000 to" in score(rows, match="bleu").sentence
