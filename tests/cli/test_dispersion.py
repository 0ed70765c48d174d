"""`perturb dispersion`: the tables of the paper from files of scored rows."""

import pytest

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
    header, _, *rows = [line for line in table.splitlines() if line]
    names = [name.strip() for name in header.split("|")]
    return [
        dict(zip(names, (cell.strip() for cell in row.split("|")), strict=True)) for row in rows
    ]


def test_measures_ranks_and_agreement(perturb, systems):
    done = perturb(
        "dispersion", *systems, "--score", "bleu", "--by", "domain", "--human", "calm=1,wild=2"
    )
    assert done.status == 0, done.err
    measures, ranks, said = done.out.decode().split("\n\n")
    rows = cells(measures)
    assert [(row["system"], row["left out"]) for row in rows] == [
        (name, left_out) for name in SCORES for left_out in ("none", "news", "chat")
    ]
    # 40 50 60 50 50: mean 50, variance 40; two of five are at a distance of 10 or more.
    assert list(rows[0].values())[2:] == ["5", "50.00", "40.00", "0.1265", "0.8000", "1.0000"]
    assert rows[2]["samples"] == "3"
    assert rows[1]["variance"] == "0.00"
    wild = cells(ranks)
    # 0 50 100 100 10: mean 52, variance 1816; all but one are at a distance of 10 or more.
    assert wild[0] == {"system": "wild", "gamma": f"{0.8 * 100 / 1816:.4f}", "rank": "1"}
    assert said == "pairs in the judges' order: 0.00 % by gamma, 0.00 % by mean score\n"


def test_distances_of_their_own_and_blocks(perturb, systems):
    call = ("dispersion", *systems, "--score", "bleu")
    done = perturb(*call, "--eps-prime", "100")
    rows = cells(done.out.decode().split("\n\n")[0])
    assert [row["left out"] for row in rows] == ["none", "none"]
    # eps = 100 * 0.1265 = 12.65, beyond all five; 80.1 for the other system
    assert [row["gamma"] for row in rows] == ["0.0000", "0.0000"]
    one, other, again = (
        perturb(*call, "--bagging", "design", "--seed", seed).out for seed in (1, 2, 1)
    )
    assert one == again
    assert one != other


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
        (("--score", "bleu", "--by", "x"), 1, "calm.jsonl:1: there is no field 'x'"),
        (("--score", "bleu", "--human", "calm"), 2, "--human takes ranks as A=1,B=2; got 'calm'"),
        (("--score", "bleu", "--human", "calm=1,x=2"), 2, "there are calm, wild"),
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
    assert done.message == "two systems are named calm: rename a file"
