"""`perturb dispersion`: the tables of the paper from files of scored rows."""

import re
from itertools import zip_longest

import numpy as np
import orjson
import pytest

import perturb as perturb_text
from perturb.robustness import bagging, eps_gamma

SCORES = {
    "calm": {"news": [0.4, 0.5, 0.6], "chat": [0.5, 0.5]},
    "wild": {"news": [0.0, 0.5, 1.0], "chat": [1.0, 0.1]},
}


@pytest.fixture
def systems(jsonl):
    return [
        jsonl(
            f"{name}.jsonl",
            *(
                {"id": f"{domain}{n}", "domain": domain, "bleu": score}
                for domain, scores in own.items()
                for n, score in enumerate(scores)
            ),
        )
        for name, own in SCORES.items()
    ]


def cells(table):
    """The cells of a table by their heads; one that goes on in the next line is whole."""
    rows = []
    for line in table.splitlines():
        row = [cell.strip() for cell in line.split("|")]
        if len(row) > 1 and rows and not row[0]:
            pairs = zip_longest(rows[-1], row, fillvalue="")
            rows[-1] = [" ".join(filter(None, pair)) for pair in pairs]
        elif len(row) > 1:
            rows.append(row)
    names, *rows = rows
    return [dict(zip_longest(names, row, fillvalue="")) for row in rows]


def test_measures_ranks_and_agreement(perturb, systems):
    done = perturb(
        "dispersion", *systems, "--score", "bleu", "--by", "domain", "--human", "calm=1,wild=2"
    )
    assert done.status == 0, done.err
    said, measures = done.out.decode().split("\n\n")
    rows = cells(measures)
    ranks, pairs = ([row for row in rows if word in row["system"]] for word in ("rank", " or "))
    rows = [row for row in rows if row not in (*ranks, *pairs)]
    assert [(row["system"], row["left out"]) for row in rows] == [
        (name, left_out) for name in SCORES for left_out in ("-", "news", "chat")
    ]
    # 40 50 60 50 50: mean 50, variance 40; two of five are at a distance of 10 or more.
    assert list(rows[0].values())[2:7] == ["5", "50.00", "40.00", "0.1265", "0.8000"]
    assert rows[2]["samples"] == "3"
    assert rows[1]["variance"] == "0.00"
    # 0 50 100 100 10: mean 52, variance 1816; all but one are at a distance of 10 or more.
    gamma = f"{0.8 * 100 / 1816:.4f}"
    assert rows[3]["gamma"] == gamma
    # Of five samples each no rank is sure.
    assert [list(row.values())[3:8] for row in ranks] == [
        ["2 [1, 2]", "1 [1, 2]", "1 [1, 2]", "1 [1, 2]", "2 [1, 2]"],
        ["1 [1, 2]", "2 [1, 2]", "2 [1, 2]", "2 [1, 2]", "1 [1, 2]"],
    ]
    assert [*pairs[0].values()] == [
        *("calm or wild", "", "", "wild", "calm", "calm", "calm", "wild", "calm", "no"),
    ]
    assert " ".join(said.split()) == (
        f"The most robust first, by gamma: wild ({gamma}, rank 1 [1, 2]), calm (1.0000, rank 2 [1, 2]). By variance, sd/mean and "
        "var/mean: calm, wild. Gamma divides by the variance, so that more spread may look more "
        "robust. Pairs in the judges' order: 0.00 % by mean and gamma, 100.00 % by variance, "
        "sd/mean and var/mean."
    )


def test_distances_of_their_own_and_blocks(perturb, systems):
    call = ("dispersion", *systems, "--score", "bleu")
    done = perturb(*call, "--eps-prime", "100")
    rows = cells(done.out.decode())
    assert [row["left out"] for row in rows] == ["-", "", "-", ""]
    # eps = 100 * 0.1265 = 12.65, beyond all five; 80.1 for the other system
    assert [row["gamma"] for row in rows] == ["0.0000", "1 [1, 2]"] * 2
    one, other, again = (
        perturb(*call, "--bagging", "design", "--seed", seed).out for seed in (1, 2, 1)
    )
    assert one == again
    assert one != other


def test_gamma_is_averaged_over_the_blocks_too(perturb, systems):
    call = ("dispersion", systems[1], "--score", "bleu", "--bagging", "plain", "--json")
    (row,) = orjson.loads(perturb(*call, "--blocks", "7").out)["measures"]
    pool = 100 * np.array([score for scores in SCORES["wild"].values() for score in scores])
    slow = bagging(pool, 3, 7, lambda block: eps_gamma(block, 10)).mean
    assert row["gamma"] == pytest.approx(slow)
    assert slow != eps_gamma(pool, 10)


def test_a_path_leads_to_the_domain(perturb, jsonl):
    """Noise is a domain: the condition in the record. Of each, the mean may be the one score."""
    rows = perturb_text.augment(
        [{"id": 1, "text": "a text"}], "case", p=1, replicates=2, with_original=True
    )
    file = jsonl(
        "a.jsonl", *({**row, "tags": [1, 2], "said": at + 1} for at, row in enumerate(rows))
    )
    call = ("dispersion", file, "--score", "said", "--scale", "1", "--by", "perturbation.condition")
    whole, *rest = orjson.loads(perturb(*call, "--format", "json").out)["measures"]
    assert [row["left_out"] for row in rest] == ["original", "case:p=1"]
    assert (whole["samples"], whole["mean"], whole["variance"]) == (3, 2, pytest.approx(2 / 3))
    whole, *_ = cells(perturb(*call, "--means").out.decode())
    assert (whole["samples"], whole["mean"], whole["variance"]) == ("2", "1.75", "0.56")
    curves = orjson.loads(perturb(*call, "--json").out)["curves"]
    assert [len(curve) for curve in curves.values()] == [100]
    assert "the mean score is 0" in perturb(*call[:4], "--scale", "0").message
    assert perturb(*call, "--csv").out.startswith(b"system,left_out,samples,mean,variance,")
    assert "a row has one domain" in perturb(*call[:-1], "tags[*]").message
    done = perturb("dispersion", file, "--score", "said", "--means")
    assert "name their field with --by" in done.message


def test_lost_replies_are_told_of(perturb, jsonl):
    rows = [{"id": f"q{at}", "prediction": said, "answer": "a"} for at, said in enumerate("aab")]
    done = perturb("dispersion", jsonl("some.jsonl", *rows, {**rows[0], "prediction": None}))
    assert done.status == 0
    assert (
        "some.jsonl: 1 of 4 replies never came or were not read: these have the score 0 here"
        in done.err
    )
    assert "never came" not in perturb("dispersion", jsonl("all.jsonl", *rows)).err


@pytest.mark.parametrize("match", ["wer", "distance"])
def test_errors_have_no_rank_by_the_largest_mean(perturb, jsonl, tmp_path, match):
    rows = [{"id": f"q{at}", "prediction": said, "answer": "1"} for at, said in enumerate("123")]
    done = perturb("dispersion", jsonl("some.jsonl", *rows), "--match", match)
    assert done.status == 2
    assert f"--match {match} counts errors, and more must be better: take chrf" in done.err
    for way in re.findall("chrf|close:", done.err):
        way = way.replace("close:", "close:1")
        assert perturb("dispersion", tmp_path / "some.jsonl", "--match", way).status == 0


@pytest.mark.slow
def test_the_curves_of_all_systems(perturb, systems, tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("curves.svg", "curves.png"):
        done = perturb("dispersion", *systems, "--score", "bleu", "--plot", tmp_path / name)
        assert done.status == 0
    svg = (tmp_path / "curves.svg").read_text("utf-8")
    assert svg.count("<!-- calm -->") == svg.count("<!-- wild -->") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--score", "rouge"), 1, "calm.jsonl:1: there is no field 'rouge'"),
        (
            ("--score", "bleu", "--by", "x"),
            1,
            "calm.jsonl:1: no field 'x': known: bleu",
        ),
        (("--score", "bleu", "--human", "calm"), 2, "--human takes ranks as A=1,B=2; got 'calm'"),
        (("--score", "bleu", "--human", "calm=1,x=2"), 2, "the systems are calm, wild"),
        (("--score", "bleu", "--eps", "0"), 1, "eps"),
        (("--score", "bleu", "--bagging", "plain", "--block-share", "2"), 1, "share of a block"),
    ],
)
def test_wrong_calls(perturb, systems, arguments, status, message):
    done = perturb("dispersion", *systems, *arguments)
    assert done.status == status
    assert message in done.message


def test_two_files_of_one_name(perturb, systems, jsonl, tmp_path):
    (tmp_path / "other").mkdir()
    other = jsonl("other/calm.jsonl", {"bleu": 1})
    done = perturb("dispersion", *systems, other, "--score", "bleu")
    assert done.message == "two files have the name calm; rename one, as its system"


def test_scores_beyond_one_are_points_already_and_ties_are_ties(perturb, jsonl):
    """Of shares and of the same in points all figures are the same; 100 is never 10,000."""
    scores = [0.2, 0.5, 0.4, 0.9, 0.7]
    files = [
        jsonl(f"{name}.jsonl", *({"id": str(at), "s": size * one} for at, one in enumerate(scores)))
        for name, size in (("points", 100), ("again", 100))
    ]
    said, measures = perturb("dispersion", *files, "--score", "s").out.decode().split("\n\n")
    assert {row["mean"] for row in cells(measures)} == {"54.00", "1 [1, 2]"}
    shares = jsonl("shares.jsonl", *({"id": str(at), "s": one} for at, one in enumerate(scores)))
    (row,) = cells(perturb("dispersion", shares, "--score", "s").out.decode())
    assert {key: row[key] for key in ("mean", "variance", "gamma")} == {
        key: cells(measures)[0][key] for key in ("mean", "variance", "gamma")
    }
    assert ") = again (" in said or ") = points (" in said


@pytest.mark.slow
def test_the_pairs_of_table_8(perturb, jsonl):
    """The coefficients of variation of Table 1, from two scores each; five of six pairs agree."""
    published = {"WMT": 0.83, "BIO": 1.18, "IWSLT": 1.39, "MTNT": 1.89}
    files = [
        jsonl(f"{name}.jsonl", *({"id": str(at), "s": 1 + (-spread, spread)[at]} for at in (0, 1)))
        for name, spread in published.items()
    ]
    human = "WMT=1,IWSLT=2,BIO=3,MTNT=4"
    call = ("dispersion", *files, "--score", "s", "--scale", "1", "--eps", "0.5", "--human", human)
    found = orjson.loads(perturb(*call, "--json").out)
    assert found["agreement"]["coefficient_of_variation"] == pytest.approx(5 / 6)
    pairs = {(pair["first"], pair["second"]): pair for pair in found["pairs"]}
    assert len(pairs) == 6
    differing = {
        pair for pair, one in pairs.items() if one["coefficient_of_variation"] != one["human"]
    }
    assert differing == {("BIO", "IWSLT")}
    assert pairs["BIO", "IWSLT"]["coefficient_of_variation"] == "BIO"
    assert [pair["agree"] for pair in pairs.values()] == [
        pair["gamma"] == pair["human"] for pair in pairs.values()
    ]


@pytest.mark.slow
def test_systems_without_a_reference_are_compared_with_themselves(perturb, jsonl):
    """One answers each version as its original, the other half of them; originals are no sample."""
    rows = list(
        perturb_text.augment(
            [{"id": at, "text": f"a text, {at}"} for at in range(20)],
            "case", p=1, replicates=2, with_original=True,
        )
    )  # fmt: skip
    files = [
        jsonl(
            f"{name}.jsonl",
            *(
                {**row, "prediction": "yes" if at % 6 != 1 or name == "same" else "no"}
                for at, row in enumerate(rows)
            ),
        )
        for name in ("same", "other")
    ]
    call = ("dispersion", *files, "--against", "original", "--json")
    same, other = orjson.loads(perturb(*call).out)["measures"]
    assert (same["samples"], same["mean"], same["variance"]) == (40, 100, 0)
    assert (other["samples"], other["mean"], other["variance"]) == (40, 75, 100**2 * 0.1875)
    assert (same["variance_rank"], other["variance_rank"]) == (1, 2)
    plain = jsonl("plain.jsonl", *({"id": at, "text": "x", "prediction": "yes"} for at in range(3)))
    assert "--against original" in perturb(*call[:1], plain, *call[3:], "--target", "t").message


@pytest.mark.slow
def test_equal_to_rounding_is_a_tie(perturb, jsonl):
    files = [
        jsonl(f"{name}.jsonl", *({"id": str(at), "s": one} for at, one in enumerate(scores)))
        for name, scores in {"a": (0.1 + 0.2, 0.6), "b": (0.3, 0.6)}.items()
    ]
    found = orjson.loads(perturb("dispersion", *files, "--score", "s", "--json").out)
    assert {row["variance_rank"] for row in found["measures"]} == {1}
    assert {row["mean_rank"] for row in found["measures"]} == {1}
    assert found["sentence"].startswith(
        "The most robust first, by gamma: a (0.4444, rank 1 [1, 2]) = b"
    )
