"""Noise fitted to pairs: what is counted, what is not, and how near it comes."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli.parser import COMMANDS
from perturb.fitting.counts import counted, counted_words
from perturb.fitting.pairs import align, align_words, distance, total_variation
from perturb.perturbators.shared.noise import checked
from perturb.resources import read_json

EXAMPLES = Path(__file__).parents[2] / "examples" / "questions.jsonl"
GREEK = "η γάτα κοιμάται στον ήλιο και ο σκύλος τρέχει στην αυλή με τα παιδιά".split()


def greek_pairs(count, seed=0):
    """Texts of shuffled words, in which one ι in four is an η, and one in eight words ends early."""
    rng = random.Random(seed)
    pairs = []
    for number in range(count):
        clean = " ".join([*rng.sample(GREEK, 9), str(number)])
        rate = rng.choice([0, 0, 0.25, 0.75])
        noisy = "".join("η" if c == "ι" and rng.random() < rate else c for c in clean)
        words = [word[:-1] if rng.random() < rate / 2 else word for word in noisy.split()]
        pairs.append((clean, " ".join(words)))
    return map(list, zip(*pairs, strict=True))


@pytest.fixture(scope="module")
def greek():
    return perturb.fit(*greek_pairs(500))


@pytest.fixture(scope="module")
def file(greek, tmp_path_factory):
    path = tmp_path_factory.mktemp("noise") / "noise.json"
    greek.save(path)
    return path


@pytest.mark.slow
def test_a_language_of_ones_own(greek, file) -> None:
    """N = 500: what is made is as near to the other half as the real halves are, or nearly."""
    assert any(row[1] == "ι" and row[3] == "η" for row in greek.noise["edits"])
    assert greek.noise["spread"] > 0.7
    assert greek.made.kinds < greek.real.kinds + 0.1
    assert greek.made.auc < 0.65
    assert not greek.left_out
    clean, _ = greek_pairs(200, seed=1)
    step = {"name": "fitted", "file": str(file)}
    records = perturb.apply(clean, step, p=0.05, seed=1)
    edits = [edit for record in records for edit in record.edits]
    assert {(edit.removed, edit.text) for edit in edits} >= {("ι", "η"), ("ς", "")}
    assert all(perturb.verify(record.to_dict(), trust=[str(file)]) for record in records[:3])
    assert "@sha256:" in records[0].to_dict()["perturbation"]["recipe"]


@pytest.mark.slow
def test_what_is_put_in_at_the_border_of_a_text_stays_there(tmp_path) -> None:
    """Each text begins with a sign that is not there, and no other word does."""
    clean = [" ".join(random.Random(n).sample(GREEK, 9)) for n in range(100)]
    noise = perturb.fit(clean, [f"‘{text}" for text in clean])
    assert {row[0] for row in noise.noise["edits"]} == {"\n"}
    noise.save(tmp_path / "noise.json")
    step = {"name": "fitted", "file": str(tmp_path / "noise.json")}
    for record in perturb.apply(clean, step, p=1.0):
        assert {(edit.start, edit.text) for edit in record.edits} <= {(0, "‘")}
        assert record.edits


def test_edits_are_nested_and_the_mean_is_p(file) -> None:
    """N = 500 texts of 50 characters or more: the standard error of the sum is below 0.5 sqrt(N)."""
    clean, _ = greek_pairs(500, seed=2)
    few, many = (
        perturb.apply(clean, {"name": "fitted", "file": str(file)}, p=p, seed=3)
        for p in (0.02, 0.06)
    )
    for less, more in zip(few, many, strict=True):
        assert {(e.start, e.end, e.text) for e in less.edits} <= {
            (e.start, e.end, e.text) for e in more.edits
        }
    tallies = [record.steps[0] for record in many]
    off = [tally.edits - 0.06 * tally.units for tally in tallies if not tally.saturated]
    assert abs(sum(off)) < 2.5 * len(off) ** 0.5


def test_protection_and_other_scripts(file) -> None:
    step = {"name": "fitted", "file": str(file)}
    record = perturb.apply("και και και", step, p=1, protect=["word:και"])
    assert record.text == "και και και"
    assert perturb.apply("nothing Greek in here", step, p=1).status != "changed"


@pytest.mark.slow
def test_what_fewer_than_five_texts_show_is_not_written() -> None:
    """The name stands in four noisy texts, and each of its letters is written for another one."""
    clean = [f"the name of number {n} is unknown" for n in range(60)]
    noisy = [text.replace("unknown", "Zyxqvu") if n < 4 else text.replace("the", "teh")
             for n, text in enumerate(clean)]  # fmt: skip
    content = json.dumps(perturb.fit(clean, noisy).noise)
    assert "Zyx" not in content
    assert not set("Zyxqv") & set(json.dumps([row[3] for row in json.loads(content)["edits"]]))


def slips(text, rng):
    """A text with a letter swapped, doubled, halved, lost or in the other case in most words."""
    words = []
    for word in text.split():
        at = rng.randrange(len(word))
        a, pair = word[at], word[at : at + 2]
        slip = rng.choice([pair[::-1], a + pair, pair[1:], a.swapcase() + pair[1:], pair])
        words.append(word[:at] + slip + word[at + 2 :])
    return " ".join(words)


def rows_of(noise):
    """Each string of the edits and words of a file, alone and with what stands beside it."""
    for left, removed, right, written, _ in noise["edits"]:
        yield from (left + removed + right, left + written + right, written)
    yield from (word for row in noise["words"] for word in row[:2])


@pytest.mark.slow
@pytest.mark.parametrize("secret", ["Zyxqvu", "qzatze", "Жucumber", "4711-x", "ßẞtaqt", "zz top"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_part_of_what_four_texts_hold_is_written(secret, seed) -> None:
    """The secret is in four texts, forty times each, once spoilt, and in copies of one of them."""
    rng = random.Random(seed)
    words = "The sea Had risen so the boats were Tied to trees and doors near Our inn".split()
    clean = [" ".join([*rng.sample(words, 12), f"{n:03}"]) for n in range(300)]
    clean[:10] = [text + f" {secret}" * 40 for text in clean[:4] + clean[:1] * 6]
    noisy = [slips(text, rng) for text in clean]
    for row in range(10):
        noisy[row] = clean[row].replace(secret, slips(secret, rng), 20)
    others = " ".join(clean[10:] + noisy[10:])
    spoilt = [secret, *(word for text in noisy[:10] for word in text.split()[13:])]
    parts = {
        word[start:end]
        for word in spoilt
        for end in range(1, len(word) + 1)
        for start in range(end)
        if word[start:end] not in others
    }
    noise = counted(align(clean, noisy))
    assert parts
    assert len(noise["edits"]) > 20
    public = counted(align(clean, noisy), tables=["typing"])["edits"]
    shipped = {(*row[:4],) for row in read_json("noise", "typing.json")["edits"]}
    assert {(*row[:4],) for row in public} == shipped | {(*row[:4],) for row in noise["edits"]}
    assert not [(row, part) for row in rows_of(noise) for part in parts if part in row]
    of_words = counted_words(align_words(clean, noisy), tables=["asr"])
    assert len(of_words["words"]) > 5
    assert not [row for row in rows_of(of_words) if {*secret.lower().split()} & {*row.split()}]
    assert secret not in json.dumps(noise, ensure_ascii=False)


def made(step, count=120, **strength):
    """Sentences that ship, and what a step makes of them."""
    lines = EXAMPLES.read_text("utf-8").splitlines()[:count]
    clean = [json.loads(line)["question"] for line in lines]
    return clean, [str(record) for record in perturb.apply(clean, step, **strength)]


@pytest.mark.parametrize("engine", ["tesseract", "ppocr_v4"])
def test_what_pairs_are_too_few_for_comes_from_the_table_nearest_to_them(engine) -> None:
    """N = 120: some 300 errors, of which five texts show few."""
    clean, noisy = made(f"ocr:engine={engine},digits=true", p=0.03)
    fitted = perturb.fit(clean, noisy)
    assert (fitted.noise["like"], fitted.noise["shown"] < 0.7) == (engine, True)
    assert f"The table {engine}, which ships, makes" in str(fitted)
    assert f" of whole words, with those of the table {engine}." in str(fitted)
    assert "of the edits of the pairs are left out: they are in fewer than 5 texts" in str(fitted)
    alone = perturb.fit(clean, noisy, like="none")
    assert (alone.noise["like"], alone.noise["share"]) == (None, 0)
    assert len(alone.noise["edits"]) < 100 < len(fitted.noise["edits"])
    assert fitted.made.kinds < alone.made.kinds
    assert perturb.fit(clean, noisy, least=1, like="none").noise["shown"] > 0.9


def test_a_table_of_another_script_or_language_or_name_is_refused() -> None:
    greek, german = [*greek_pairs(40)], ["Die Katze sitzt auf dem Dach und sie schläft nicht."] * 40
    assert perturb.fit(*greek).noise["like"] is None
    with pytest.raises(perturb.DataError, match="tesseract is of Latin script, and 40 of the 40"):
        perturb.fit(*greek, like="tesseract")
    with pytest.raises(perturb.DataError, match="whisper is of English, and 40 of the 40 pairs"):
        perturb.fit(german, german, like="whisper", words=True)
    with pytest.raises(perturb.UsageError, match="unknown table of characters 'teseract': did you"):
        perturb.fit(*greek, like="teseract")
    with pytest.raises(perturb.UsageError, match="least must be at least 1"):
        perturb.fit(*greek, least=0)


def test_a_tab_between_words_is_no_error_of_a_file(tmp_path) -> None:
    clean = [f"the sea is\twide here, {n}" for n in range(40)]
    noise = perturb.fit(clean, [text.replace("is\tw", "is W") for text in clean], least=1)
    noise.save(tmp_path / "n.json")
    perturb.apply("the sea is wide", {"name": "fitted", "file": str(tmp_path / "n.json")}, p=1)


def test_words_are_replaced_lost_and_added(tmp_path) -> None:
    learned = {"their": "there", "people": "", "house": "old house"}
    clean = [f"it was their own, so people left the big house, {n}" for n in range(60)]
    noisy = [" ".join(learned.get(w, w) for w in text.replace(",", " ,").split()) for text in clean]
    fitted = perturb.fit(clean, noisy, words=True, like="none")
    assert {(*row,) for row in fitted.noise["words"]} >= {(*row, 1.0) for row in learned.items()}
    fitted.save(tmp_path / "n.json")
    step = {"name": "fitted", "file": str(tmp_path / "n.json")}
    made = perturb.apply("Their boat, all people (people!) and the house.", step, p=1)
    assert made.text == "There boat, all (people!) and the old house."


def test_words_of_typos_take_nothing_from_a_recogniser() -> None:
    clean, noisy = made("human_typos", p=0.03)
    assert perturb.fit(clean, noisy, words=True, least=1).noise["like"] is None


@pytest.fixture(scope="module", params=["whisper", "classic"])
def spoken(request, tmp_path_factory):
    clean, noisy = made(f"asr:errors=0.3,style={request.param}")
    fitted = perturb.fit(clean, noisy, words=True)
    assert f", besides those of the table {fitted.noise['like']}." in str(fitted)
    assert fitted.noise["like"] == {"classic": "asr"}.get(request.param, request.param)
    assert fitted.noise["share"] > 0.5
    assert fitted.made.auc < 0.75
    path = tmp_path_factory.mktemp("noise") / "spoken.json"
    fitted.save(path)
    return {"name": "fitted", "file": str(path)}


PAIRS = st.lists(st.tuples(*2 * [st.text("abcé \t\n1’T.т", max_size=9)]), max_size=8)


@given(pairs=PAIRS, least=st.integers(1, 2), table=st.sampled_from([[], ["ppocr"], ["asr"]]))
def test_whatever_pairs_hold_what_is_counted_of_them_is_a_noise(pairs, least, table) -> None:
    clean, noisy = [*zip(*pairs, strict=True)] or [[], []]
    aligned, count = (align_words, counted_words) if table == ["asr"] else (align, counted)
    content = count(aligned(clean, noisy), least, table)
    if content["edits"] or content["words"]:
        assert checked(content, "noise") is content


PIECES = ["the", "Their", "house", "it's", "1519", "κόσμος", "Temüjin", "a-b", " ", ", ", "\n", "."]
some_text = st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join)


@given(text=some_text, few=st.floats(0, 1), many=st.floats(0, 1), seed=st.integers(0, 99))
def test_errors_of_words_are_nested_and_verified(spoken, text, few, many, seed) -> None:
    few, many = sorted((few, many))
    less, more = (perturb.apply(text, spoken, p=p, seed=seed) for p in (few, many))
    fewer, edits = ({(e.start, e.end, e.text) for e in each.edits} for each in (less, more))
    assert fewer <= edits
    assert perturb.verify(more.to_dict(), trust=[spoken["file"]])
    assert more.restore() == text


def test_whole_words_are_counted(tmp_path) -> None:
    clean = [f"turn left at the crossing {n}" for n in range(50)]
    noisy = [
        text.replace("crossing", "roundabout") if n % 2 else text for n, text in enumerate(clean)
    ]
    fitted = perturb.fit(clean, noisy)
    assert fitted.noise["words"] == [["crossing", "roundabout", 0.5]]
    fitted.save(tmp_path / "n.json")
    made = perturb.apply(
        "at the crossing", {"name": "fitted", "file": str(tmp_path / "n.json")}, p=1
    )
    assert made.text == "at the roundabout"


@pytest.mark.slow
def test_errors_that_follow_each_other_are_measured() -> None:
    rng = random.Random(0)
    clean, noisy = [], []
    for number in range(80):
        words = [rng.choice(GREEK) for _ in range(40)]
        first = rng.randrange(30)
        bad = [w.replace("α", "β") if first <= at < first + 4 else w for at, w in enumerate(words)]
        clean.append(f"{' '.join(words)} {number}")
        noisy.append(f"{' '.join(bad)} {number}")
    assert perturb.fit(clean, noisy).noise["bursts"] > 1


@pytest.mark.slow
def test_the_classifier_knows_what_is_the_same_and_what_is_not() -> None:
    """Some 200 edits of each: the standard error of an area is 0.03."""
    clean, noisy = greek_pairs(300)
    pairs = align(clean, noisy)
    halves = [pairs.part(range(first, 300, 2)) for first in (0, 1)]
    assert distance(*halves).auc == pytest.approx(0.5, abs=0.1)
    others = align(clean, [text.replace("α", "λ") for text in clean])
    assert distance(pairs, others).auc > 0.95
    assert total_variation("ab", "cd") == 1


def test_an_unknown_auc_is_told_in_words() -> None:
    """The halves of 20 pairs have ten edits each."""
    clean = [f"the sea is wide, said number {number}" for number in range(20)]
    said = str(perturb.fit(clean, [text.replace("the", "teh") for text in clean]))
    assert said.count("AUC unknown from so few edits") == 2
    assert "nan" not in said


def test_the_area_is_that_of_all_pairs() -> None:
    from perturb.fitting.pairs import _area

    rng = np.random.default_rng(0)
    high, low = rng.integers(0, 9, 40) + 1.0, rng.integers(0, 9, 50) + 0.0
    slow = np.mean([(a > b) + 0.5 * (a == b) for a in high for b in low])
    assert _area(high, low) == pytest.approx(slow)


def test_counts_of_half_the_pairs_differ_and_order_does_not_matter() -> None:
    clean, noisy = greek_pairs(100)
    forth, back = counted(align(clean, noisy)), counted(align(clean[::-1], noisy[::-1]))
    assert forth["edits"] == back["edits"]


@pytest.mark.parametrize(
    ("clean", "noisy", "error", "message"),
    [
        (["a"] * 30, ["b"] * 29, perturb.UsageError, "got 30 and 29"),
        (["a"] * 3, ["b"] * 3, perturb.UsageError, "at least 20 pairs; got 3"),
        (["a", None] * 15, ["b"] * 30, TypeError, "lists of strings; got None"),
        (["same words"] * 30, ["same words"] * 30, perturb.DataError, "no error occurs in 5"),
        (
            [""] * 30,
            ["words"] * 30,
            perturb.DataError,
            "none of the pairs could be aligned: in each a text is empty, or more",
        ),
    ],
)
def test_pairs_that_can_not_be(clean, noisy, error, message) -> None:
    with pytest.raises(error, match=message):
        perturb.fit(clean, noisy)


GOOD = {"format": "perturb noise 1", "rate": 0.1, "bursts": 0, "spread": 0, "words": [],
        "edits": [["", "a", "", "b", 0.5]]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "not a file of noise"),
        ({"rate": "high"}, "rate must be from 0 to 1; got 'high'"),
        ({"bursts": 1e9}, "bursts must be from 0 to 4"),
        ({"spread": None}, "spread must be from 0 to 4; got None"),
        ({"edits": {}}, "edits must be a list"),
        ({"edits": []}, "has no edits"),
        ({"edits": [["", "a", "", "b"]]}, "row 0 of edits is invalid"),
        ({"edits": [["", "a", "", "a", 0.5]]}, "row 0 of edits"),
        ({"edits": [["", "abcd", "", "a", 0.5]]}, "row 0 of edits"),
        ({"edits": [["x", "abc", "", "a", 0.5]]}, "row 0 of edits"),
        ({"edits": [["", "a", "", "\0", 0.5]]}, "row 0 of edits"),
        ({"edits": [["", "a", "", "b", 2]]}, "row 0 of edits"),
        ({"edits": [["", "a", "", "b" * 9, 0.5]]}, "row 0 of edits"),
        ({"edits": [["", chr(0x4E00 + n), "", "b", 0.5] for n in range(200)]}, "at most 125"),
        ({"words": [["", "b", 0.5]]}, "row 0 of words"),
        ({"unit": "word", "factor": 0.1, "like": "ocr"}, "like must be asr or whisper"),
        ({"unit": "word", "factor": "much"}, "factor must be from 0 to 1"),
    ],
)
def test_files_that_can_not_be(tmp_path, change, message) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(perturb.UsageError, match=message):
        perturb.apply("a text", {"name": "fitted", "file": str(path)})
    path.write_text("{")
    with pytest.raises(perturb.UsageError, match="is not JSON"):
        perturb.apply("a text", {"name": "fitted", "file": str(path)})


def test_a_file_by_hand_may_have_whole_numbers(tmp_path) -> None:
    path = tmp_path / "whole.json"
    path.write_text(json.dumps(GOOD | {"edits": [["", "a", "", "b", 1]]}))
    assert perturb.apply("a", {"name": "fitted", "file": str(path)}, p=1).text == "b"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "separator"), [("p.tsv", "\t"), ("p.csv", ","), ("p.jsonl", "")])
def test_the_command_reads_every_format(tmp_path, capsys, name, separator) -> None:
    from perturb.cli import main

    clean, noisy = greek_pairs(60)
    rows = [{"right": a, "wrong": b} for a, b in zip(clean, noisy, strict=True)]
    lines = ["right" + separator + "wrong"] * bool(separator)
    lines += [separator.join(row.values()) if separator else json.dumps(row) for row in rows]
    path, out = tmp_path / name, tmp_path / "n.json"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert main(["fit", str(path), "-o", str(out), "--clean", "right", "--noisy", "wrong"]) == 0
    assert "60 pairs" in capsys.readouterr().out
    assert json.loads(out.read_text("utf-8"))["format"] == "perturb noise 1"
    assert main(["fit", str(path), "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert "no text in the field 'clean'; name the fields with --clean and --noisy" in said
    assert "its fields are right, wrong" in said
    assert "fit" in COMMANDS


def test_a_pair_that_lacks_a_text_is_left_out_and_told(tmp_path, capsys) -> None:
    from perturb.cli import main

    rows = [{"clean": "the sea is wide", "noisy": "teh sea is wide"} for _ in range(40)]
    rows[3]["noisy"] = None
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["fit", str(path), "-o", str(tmp_path / "n.json")]) == 0
    said = capsys.readouterr().out
    assert "39 pairs:" in said
    assert "1 pair could not be aligned, such as number 4: a text is empty or null" in said
