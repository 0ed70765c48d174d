"""A trained text classifier, perturbed more and more: the curve falls and the verdict says so."""

import orjson
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from perturb.draws import key64
from perturb.robustness.sampling import integers, uniforms

STRENGTHS = (0.02, 0.05, 0.1, 0.2, 0.4)
WORDS = {
    "sport": [
        "match",
        "goal",
        "team",
        "player",
        "coach",
        "league",
        "season",
        "stadium",
        "referee",
        "striker",
    ],
    "cooking": [
        "butter",
        "oven",
        "recipe",
        "flour",
        "garlic",
        "onion",
        "simmer",
        "roast",
        "pepper",
        "kitchen",
    ],
}
FILLER = [
    "the",
    "a",
    "today",
    "with",
    "very",
    "some",
    "another",
    "about",
    "after",
    "people",
    "often",
    "really",
]


def sentence(label, number):
    """Eleven words: eight of filler, two of the label and one of the other label."""
    other = next(name for name in WORDS if name != label)
    pools = [FILLER] * 8 + [WORDS[label]] * 2 + [WORDS[other]]
    places = (integers(key64("word", label, number, at), 1, 1000)[0] for at in range(11))
    return " ".join(pool[place % len(pool)] for pool, place in zip(pools, places, strict=True))


def replace_letters(text, p, key):
    """Replace each letter with chance p; a larger p replaces the same letters and more."""
    chances, letters = uniforms(key, len(text)), integers(key + 1, len(text), 26)
    return "".join(
        chr(97 + letter) if char != " " and chance < p else char
        for char, chance, letter in zip(text, chances, letters, strict=True)
    )


def upper_case(text, p, key):
    """Write each letter in upper case with chance p: a classifier that folds case sees nothing."""
    return "".join(
        char.upper() if chance < p else char
        for char, chance in zip(text, uniforms(key, len(text)), strict=True)
    )


PERTURBATORS = {"replace_letters": replace_letters, "upper_case": upper_case}


@pytest.fixture
def scored(write, linked):
    labelled = [(label, sentence(label, number)) for number in range(300) for label in WORDS]
    train, test = labelled[:300], labelled[300:]
    model = make_pipeline(CountVectorizer(), LogisticRegression())
    model.fit([text for _, text in train], [label for label, _ in train])
    rows = [{"id": at, "text": text, "label": label} for at, (label, text) in enumerate(test)]
    for at, (label, text) in enumerate(test):
        for name, perturb in PERTURBATORS.items():
            for p in STRENGTHS:
                for replicate in range(2):
                    noisy = perturb(text, p, key64(name, at, replicate))
                    status = "changed" if noisy != text else "unchanged"
                    row = linked(str(at), name, p, replicate, status, label=label)
                    rows.append({**row, "text": noisy})
    predictions = model.predict([row["text"] for row in rows])
    for row, prediction in zip(rows, predictions.tolist(), strict=True):
        row["prediction"] = prediction
    return write("scored.jsonl", rows)


def test_the_verdict_says_which_perturbator_hurts(command, scored, tmp_path):
    """300 originals, 2 replicates, fixed seed: the drop at 0.4 is some 25 points, se 2."""
    options = ("--prediction", "prediction", "--target", "label")
    text = command("score", scored, *options, "--json", "--plot", tmp_path / "plots")
    report = orjson.loads(text)
    curves = {
        name: [
            found
            for found in report["conditions"]
            if (found["perturbator"], found["scope"]) == (name, "all")
        ]
        for name in PERTURBATORS
    }
    hurt = [found["perturbed_mean"] for found in curves["replace_letters"]]
    assert [found["p"] for found in curves["replace_letters"]] == list(STRENGTHS)
    assert report["overall"][0]["clean_mean"] > 0.95
    assert hurt == sorted(hurt, reverse=True)
    assert hurt[0] - hurt[-1] > 0.15
    assert {found["verdict"] for found in curves["upper_case"]} == {"not shown"}
    assert [found["verdict"] for found in curves["replace_letters"]][2:] == ["worse"] * 3
    assert all(found["difference"] == 0 for found in curves["upper_case"])
    plots = {path.name for path in (tmp_path / "plots").iterdir()}
    assert plots == {
        f"{name}.{kind}"
        for name in ("score_over_p", "gamma_curve", "flips")
        for kind in ("png", "svg")
    }
