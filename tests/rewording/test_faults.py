"""The checks of a rewording: what passes, what doesn't, and how many planted faults each finds."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from perturb.errors import UsageError
from perturb.perturbators.shared.rewordings import table_at
from perturb.rewording.faults import CHECKS, checks_of

ROOT = Path(__file__).parents[2]
DUCKS = (
    "Janet's ducks lay 16 eggs per day. She eats three for breakfast. How much in dollars does she "
    "make every day at $2 an egg?"
)
GOOD = [
    (
        DUCKS,
        "Each day, sixteen eggs come from Janet's ducks, and she has 3 of them for breakfast. At 2 "
        "dollars an egg, what does she earn daily?",
    ),
    ("When did people first land on the Moon?", "In what year was the first landing on the Moon?"),
    (
        "Betty has half of the $100 for a wallet, her parents give $15, her grandparents twice as "
        "much as her parents. How much more money does she need?",
        "A wallet costs $100 and Betty has just half. Her parents add $15 and her grandparents "
        "twice what her parents give. How much is Betty still missing?",
    ),
    (
        "James writes a 3-page letter to 2 different friends twice a week. How many pages is that?",
        "Twice every week James sends 2 friends a letter of 3 pages each. What's the total of it?",
    ),
    ("Why did Kodak never sell it?", "For what reason was it never sold by Kodak?"),
    ("Which city is the capital of Peru?", "What's the name of Peru's capital city?"),
    ("Where was he born?", "In which city was his birth?"),
    ("How did he get there?", "What did he do to arrive at it?"),
    (
        "Two-thirds of the people who travelled left at Stop B.",
        "Of those persons on the trip, two thirds levelled off at Stop B.",
    ),
    (
        "He has 2 eggs. When he eats 1, what is the number left?",
        "Of 2 eggs he eats 1: how many stay?",
    ),
    ("How many of the 1.5 kg did Mr. Hill eat?", "Of 1.5 kg, how many were eaten by Mr. Hill?"),
    ("Tom ran twice as far as Mr. Hill.", "Compared with Mr. Hill, Tom ran double the way."),
    (
        "Which planet has no moons?\nA) Mars\nB) Venus",
        "Without any moons: what planet?\nA) Mars\nB) Venus",
    ),
    ("Dear {name}, see https://example.org/a.", "{name}, look at https://example.org/a."),
    (
        "Welche Farbe hat der Himmel über der Stadt?",
        "Was ist die Farbe von dem Himmel über der Stadt?",
    ),
    ("東京の人口は何人ですか。", "東京には何人が住んでいますか。"),
]
BAD = [
    ("numbers", DUCKS, DUCKS.replace("three", "four"), "lost 3; new 4"),
    ("numbers", "Half of 1,200 eggs", "A third of 1200 eggs", "lost 1/2; new 1/3"),
    ("numbers", "Two dozen eggs", "Two eggs", "lost 12"),
    ("numbers", "One-quarter of an inch", "A neighbourhood of an inch", "lost 1/4"),
    ("units", "How many hours are 5 km at 10 km an hour?", "How long are 5 km?", "lost hour"),
    ("units", "It costs $5.", "It costs €5.", "lost $; new €"),
    ("names", "Tom sold eggs to Ann.", "Tim sold eggs to Ann.", "lost Tom; new Tim"),
    ("names", "Who left New York?", "Who left York?", "lost New"),
    ("names", "A man pays Publisher A.", "Publisher is paid by a man.", "lost A"),
    ("names", "Does he take vitamin C?", "Is vitamin D what he takes?", "lost C; new D"),
    ("negations", "Who didn't go?", "Who went?", "1 before, 0 after"),
    ("options", "A) red\nB) blue", "A) red", "lost B) blue"),
    ("options", "A) red\nB) blue", "B) blue\nA) red", "in another order"),
    ("options", "Is it (a) red or (b) blue?", "Is it (a) red or blue?", "lost (b)"),
    ("placeholders", "Hello {name}!", "Hello name!", "lost {name}"),
    ("placeholders", "Run `ls -a`.", "Run `ls`.", "lost `ls -a`; new `ls`"),
    ("question", "How many are left?", "Nine are left.", "asked amount, now nothing"),
    ("question", "Count them.", "Will you count them?", "asked nothing, now whether"),
    ("question", "Where was he born?", "Who was he?", "asked where, now who"),
    ("question", "Which river is it?", "Where is it?", "asked what, now where"),
    ("question", "Who made it?", "In what year was it made?", "asked who, now when"),
    ("question", "Who was his wife?", "In which city was she?", "asked who, now where"),
    ("question", "How did he hurt it?", "What did he hurt?", "asked how, now what"),
    ("question", "What is a lake?", "Is there a lake?", "asked what, now whether"),
    ("length", "How many are left?", "Many?", "0.28 times as long"),
    ("length", "Why?", "For what reason is that?", "6 times as long"),
    (
        "words",
        "How many eggs are left?",
        "How many eggs are LEFT?!",
        "100% of the words are the same",
    ),
    (
        "language",
        "Where does the old man live?",
        "Wo wohnt der alte Mann jetzt?",
        "another language",
    ),
    ("language", "Her family left.", "lafamilio of her left.", "new lafamilio"),
    ("language", "Where is it?", "Где это?", "another language"),
]


@pytest.mark.parametrize(("before", "after"), GOOD)
def test_a_good_rewording_passes_every_check(before, after) -> None:
    assert {name: check(before, after) for name, check in CHECKS.items()} == dict.fromkeys(
        CHECKS, ""
    )


@pytest.mark.parametrize(("name", "before", "after", "said"), BAD)
def test_a_check_says_what_is_wrong(name, before, after, said) -> None:
    assert CHECKS[name](before, after) == said


def test_each_check_fails_somewhere() -> None:
    assert {name for name, *_ in BAD} == {*CHECKS}


def rows(*names: str) -> list[dict]:
    files = (ROOT / name for name in names)
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


ROWS = rows("benchmarks/data/risk_texts.jsonl", "examples/questions.jsonl")
FRAME = "I would like an answer to this, please: {}"


def another_number(row: dict) -> str:
    """The first number of two digits or more, or of one, counts one more."""
    return re.sub(r"\d+", lambda match: str(int(match[0]) + 1), row["question"], count=1)


def no_negation(row: dict) -> str:
    return re.sub(r"\b(?:not|no|never|without) |n't\b", "", row["question"], count=1)


def another_name(row: dict) -> str:
    names = row.get("names") or ["\0"]
    return re.sub(rf"\b{re.escape(names[0])}\b", "Helsinki", row["question"])


def one_option_less(row: dict) -> str:
    text = row["question"]
    return re.sub(r"\n\(?D[).].*", "", text) if re.search(r"(?m)^\(?D[).]", text) else text


@pytest.mark.parametrize(
    ("plant", "name", "found"),
    [
        (another_number, "numbers", 30),
        (no_negation, "negations", 30),
        (another_name, "names", 30),
        (one_option_less, "options", 30),
    ],
)
def test_planted_faults_are_found(plant, name, found) -> None:
    """Of thirty each, and a text without a fault passes this check in the same frame."""
    faulty = [(row["question"], plant(row)) for row in ROWS if plant(row) != row["question"]][:30]
    assert len(faulty) == 30
    check = CHECKS[name]
    assert [text for text, _ in faulty if check(text, FRAME.format(text))] == []
    missed = [(text, after) for text, after in faulty if not check(text, FRAME.format(after))]
    assert 30 - len(missed) == found, missed


def test_another_language_is_found_where_a_sentence_shows_it() -> None:
    """Of thirty sentences in twelve languages, one in headline capitals passes."""
    lines = (ROOT / "tests/lexicon/languages.tsv").read_text("utf-8").splitlines()
    told = [line.split("\t") for line in lines if not line.startswith("#") and "\t" in line]
    by_language: dict[str, list[str]] = {}
    for language, text in told:
        by_language.setdefault(language, []).append(text)
    english = by_language.pop("en")
    foreign = [text for texts in by_language.values() for text in texts if len(text.split()) > 4]
    foreign = foreign[:: len(foreign) // 30][:30]
    missed = [text for text in foreign if not CHECKS["language"](english[0], text)]
    assert len(foreign) == 30
    assert missed == ["KABINET KONDIGT LAGERE BELASTINGEN AAN"]


def test_the_page_says_what_a_reader_found_in_what_passed() -> None:
    page = (ROOT / "docs/how-to/paraphrase.md").read_text("utf-8")
    results = ROOT / "benchmarks/results"
    tables = [table_at(results / f"rewordings{name}.jsonl") for name in ("", "_translated")]
    for table in tables:
        passed = [line for line in table.lines if line.rewording and not any(line.checks.values())]
        for line in passed:
            assert not any(check(line.text, line.rewording) for check in CHECKS.values()), line
        said = Counter(line.person for line in passed)
        assert f"| {len(table.lines)} | {len(passed)} | {said.total()} | {said[True]} |" in page
    gsm8k = json.loads((results / "rewordings_gsm8k.json").read_text("utf-8"))
    read = len(gsm8k["read"])
    assert f"| {gsm8k['texts']} | {gsm8k['passed']} | {read} | {gsm8k['same']} |" in page
    for name, count in tables[1].manifest["checks"].items():
        failed = count["failed"], gsm8k["checks"][name]["failed"]
        assert f"| `{name.partition(':')[0]}` | {failed[0]} | {failed[1]} |" in page


def test_the_page_says_what_a_small_judge_told() -> None:
    results, page = ROOT / "benchmarks/results", ROOT / "docs/how-to/paraphrase.md"
    tables = [table_at(results / f"rewordings{name}.jsonl") for name in ("_translated", "")]
    read = (line for table in tables for line in table.lines if line.person is not None)
    persons = {line.text: line.person for line in read}
    judged = table_at(results / "rewordings_judged.jsonl").lines
    said = Counter((persons[line.text], line.checks["entailment"] == "") for line in judged)
    kept, changed = (said[same, True] for same in (True, False))
    assert said.total() == 60
    text = " ".join(page.read_text("utf-8").split())
    assert f"yes to {kept} of 30 rewordings that keep it, and to {changed} of 30" in text


def test_checks_are_chosen_by_name(tmp_path) -> None:
    (tmp_path / "own.py").write_text(
        "def short(before, after): return len(after) < 9\n"
        "def said(before, after): return 'it says so' if 'so' in after else None\n"
        "def wrong(before, after): return 3\n"
    )
    places = [f"python:{tmp_path}/own.py:{name}" for name in ("short", "said", "wrong")]
    assert [*checks_of(["all"])] == [*CHECKS]
    assert [*checks_of(["words", "length"])] == ["words", "length"]
    short, said, wrong = checks_of(places).values()
    assert [short("", "short"), short("", "rather long")] == ["", "no"]
    assert [said("", "so"), said("", "yes")] == ["it says so", ""]
    with pytest.raises(UsageError, match="must return true, false, or the fault as a text; got 3"):
        wrong("", "")
    with pytest.raises(UsageError, match="unknown check 'number': did you mean numbers"):
        checks_of(["number"])


def test_similarity_is_by_a_model_of_the_callers(monkeypatch) -> None:
    vectors = {"a": [1.0, 0.0], "b": [0.9, 0.1], "c": [0.1, 0.9]}
    monkeypatch.setattr(
        "perturb.rewording.faults.embedder", lambda _: lambda texts: [vectors[t] for t in texts]
    )
    (check,) = checks_of(["embedding:some-model"]).values()
    assert [check("a", "b"), check("a", "c")] == ["", "cosine 0.11"]
